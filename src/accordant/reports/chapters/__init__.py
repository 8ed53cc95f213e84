"""The sections of a report, in the order in which a co-author reads them."""
