"""``python -m benchmarks.coverage``: the grid of regimes."""

from .grid import main

if __name__ == "__main__":
    main()
