"""From a file or frame to annotations, and back."""
