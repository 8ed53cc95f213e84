from golden.cases import *
import pytest, math
for c in of_measures(*COEFFICIENT):
    try: result(c)
    except Exception as e: print(c.id, repr(e)[:300])
