"""From finished annotations to a project: a closed round, and what is known of its conflicts."""
