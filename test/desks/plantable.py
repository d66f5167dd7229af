"""Prints the identifiers of the faults in a file that cannot be planted in the desk in Python."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "python"))
from desk import Desk  # noqa: E402

for fault in json.loads(Path(sys.argv[1]).read_text()):
    try:
        Desk({}, None, fault)
    except (LookupError, TypeError):
        print(fault["id"])
