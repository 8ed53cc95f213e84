"""One file for each format: bytes or objects in, a `Table` of raw cells out."""
