"""An annotation scheme taken apart into levels, each with its own agreement."""
