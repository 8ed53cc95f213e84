"""The same work, ours and the peers', side by side in one process."""
