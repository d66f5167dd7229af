"""Plants one fault, as test/desks/faults lists them, in the table of what the document states."""

import re
from datetime import datetime, timedelta


def plant(table, fault):
    """`fault`: `path`, what it `does` there, and a `value`. LookupError where the table has no such statement."""
    *way, last = fault["path"]
    place = table
    for step in way:
        place = place[step]
    does, value, present = fault["does"], fault.get("value"), place[last]
    if does == "set":
        place[last] = value
    elif does == "drop":
        del place[last]
    elif does == "rename":
        entries = [(value if name == last else name, one) for name, one in place.items()]
        place.clear()
        place.update(entries)
    elif does == "retype":
        present["shown"] = lambda s: len(s.value) if isinstance(s.value, str) else str(s.value)
    elif does == "distort":
        place[last] = lambda s: distorted(present(s))
    elif does == "negate":
        rules = present if isinstance(present, list) else [present]
        turned = lambda s: not any(rule(s) for rule in rules)  # noqa: E731
        place[last] = [turned] if isinstance(present, list) else turned
    else:
        raise LookupError(does)


def distorted(value):
    """A value of the same kind that is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, list):
        return value[1:] if value else [{}]
    if isinstance(value, dict):
        (first, one), *rest = value.items() or [("x", 0)]
        return {first: distorted(one), **dict(rest)}
    if not isinstance(value, str):
        return "x"
    if re.match(r"\d{4}-\d\d-\d\dT", value):
        time = datetime.fromisoformat(value.replace("Z", "+00:00")) + timedelta(days=1)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if re.fullmatch(r"[\da-f-]{36}", value):
        return value[:-1] + ("1" if value[-1] == "0" else "0")
    # One character more would code nothing in Base64.
    return value + "xxxx"
