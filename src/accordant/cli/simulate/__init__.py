"""The commands of `accordant simulate`."""
