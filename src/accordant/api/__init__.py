"""The public calls: a signature and a docstring each, which the command line and the docs read.

Nothing here is heavy to import: types resolve without the statistics, and the work is imported when
it is called.
"""
