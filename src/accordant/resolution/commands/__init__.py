"""What people do: each command returns events, or refuses with everything that is missing."""
