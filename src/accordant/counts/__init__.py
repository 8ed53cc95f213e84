"""Who gave what to what, as counts. Everything after sees only these."""
