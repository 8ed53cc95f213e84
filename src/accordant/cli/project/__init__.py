"""The subcommands of `accordant project`."""
