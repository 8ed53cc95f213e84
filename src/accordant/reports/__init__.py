"""The results as a document: for a terminal, a browser, a paper's appendix, a program."""
