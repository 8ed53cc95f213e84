"""What can happen in a project: one frozen record for each kind of event."""
