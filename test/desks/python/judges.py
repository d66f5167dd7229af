"""Whether a request is refused, by the code of the row that says so."""

import math
import re
import time
from dataclasses import replace

from shape import merged
from store import seconds
from terms import called


def conditions(desk, code):
    when = desk.table["errors"]["codes"][code].get("when", [])
    return when if isinstance(when, list) else []


def version_unknown(desk, asked):
    return asked.version_fault is not None and asked.version_fault in conditions(desk, "version_unknown")


def unreadable(_desk, asked):
    return asked.is_malformed


def key_missing(desk, asked):
    scheme = desk.table["authentication"]["schemes"].get("key", {})
    if asked.is_wrong and scheme.get("wrong") != "ignore":
        return True
    return asked.s.actor is None and not admits(desk, asked)


def too_many(desk, asked):
    """No more than so many in any stretch of so long."""
    rate, actor = desk.table["limits"]["rates"].get("desk"), asked.s.actor
    if rate is None or asked.operation not in rate["operations"]:
        return False
    if rate["per"] == "actor" and actor is None:
        return False
    now, every = time.monotonic(), seconds(rate["every"])
    key = (actor.kind, actor.id) if rate["per"] == "actor" else None
    times = desk.counted.setdefault(key, [])
    if rate["window"] == "fixed":
        if times and now >= times[0] + every:
            times.clear()
    else:
        times[:] = [one for one in times if one > now - every]
    refused = len(times) >= rate["allow"]
    if not refused:
        times.append(now)
    left = {"remaining": max(0, rate["allow"] - len(times))}
    left["reset"] = max(1, math.ceil(times[0] + every - now)) if times else 1
    asked.s = replace(asked.s, rate=left)
    return refused


def too_large(desk, asked):
    most = desk.table["limits"]["sizes"].get("body", math.inf)
    return "body" in asked.endpoint["request"] and len(asked.content) > most


def parcel_unknown(_desk, asked):
    return asked.about == "Parcel" and asked.s.item is None


def hook_unknown(_desk, asked):
    return asked.about == "Hook" and asked.s.item is None


def admits(desk, asked):
    """Whether the rule lets in who asks; a list's rule is about each of its items."""
    rules = desk.table["authentication"]["authorization"].get(asked.operation)
    if asked.operation == "listParcels" and asked.s.actor is not None:
        return True
    s = asked.s if asked.s.item is not None else asked.s.about({})
    return rules is None or any(called(rule, s) for rule in rules)


def denied(code):
    def judge(desk, asked):
        codes = desk.table["errors"]["codes"]
        named = [
            one for one in ("parcel_hidden", "hook_hidden") if asked.operation in codes.get(one, {}).get("operations", [])
        ]
        if code != (named or ["not_yours"])[0] or (asked.about and asked.s.item is None):
            return False
        return not admits(desk, asked)

    return judge


def invalid(desk, asked):
    asked.failures = of_query(desk, asked) + of_body(desk, asked)
    return bool(asked.failures)


def of_query(desk, asked):
    stated, found = asked.endpoint["request"].get("query", {}), []
    for name, parameter in stated.items():
        if name not in asked.query:
            if "default" in parameter:
                asked.values[name] = parameter["default"]
            continue
        failures, value = desk.shapes.of_parameter(asked.query[name], parameter, name)
        asked.values[name] = value
        if not failures and parameter.get("page") == "cursor" and desk.position(value) is None:
            failures = [desk.shapes.failure(name, "cursor")]
        found += failures
    if asked.endpoint["request"]["others"] == "refuse":
        found += [desk.shapes.failure(name, "others") for name in asked.query if name not in stated]
    return found


def of_body(desk, asked):
    stated, others = asked.endpoint["request"].get("body"), asked.endpoint["request"]["others"]
    if stated is None:
        return []
    if "of" not in stated:
        return desk.shapes.of_object(asked.s.body, stated | {"others": others})
    is_new = asked.operation != "correctParcel"
    shape = desk.writable(stated["of"], asked.s.version, is_new, others)
    if is_new or asked.s.item is None:
        return desk.shapes.of_object(asked.s.body, shape)
    # What is given is merged into what is there (RFC 7396); its own identifier may come along.
    given = {name: one for name, one in asked.s.body.items() if name != "id" or one != asked.s.item["id"]}
    shown = desk.shown("Parcel", asked.s.item, asked.s)
    whole = merged({name: shown[name] for name in shape["fields"] if name in shown}, given)
    asked.patched = {name: whole[name] for name in given if name in shape["fields"] and name in whole}
    strays = {name: one for name, one in given.items() if name not in shape["fields"]}
    return desk.shapes.of_object(whole | strays, shape)


def key_reused(desk, asked):
    first = desk.first(asked)
    return first is not None and first.request != asked.same


def key_busy(_desk, _asked):
    """Requests are carried out one after the other: none is still running when the next comes."""
    return False


def etag_needed(_desk, asked):
    is_required = asked.endpoint.get("conditional", {}).get("ifMatch") == "required"
    return is_required and asked.headers["If-Match"] is None


def changed_since(desk, asked):
    given = asked.headers["If-Match"]
    if "ifMatch" not in asked.endpoint.get("conditional", {}) or given is None:
        return False
    return not matches(given, desk.tag(asked), strong=True)


def matches(given, tag, strong):
    """RFC 9110, section 8.8.3.2."""
    if given.strip() == "*":
        return True
    tags = [one.group(0) for one in re.finditer(r'(W/)?"[^"]*"', given)]
    if strong:
        return tag is not None and not tag.startswith("W/") and tag in tags
    return tag is not None and tag.removeprefix("W/") in [one.removeprefix("W/") for one in tags]


def too_late(desk, asked):
    row = desk.table["errors"]["codes"]["too_late"]
    return asked.operation in row["operations"] and row["when"](asked.s)


def wrong_state(desk, asked):
    verb = asked.endpoint.get("does", {}).get("verb")
    if verb not in ("pickUp", "deliver", "cancel"):
        return False
    move = desk.table["states"]["Parcel.status"]["transitions"].get(verb, {"from": []})
    listed = [move["from"]] if isinstance(move["from"], str) else move["from"]
    if asked.s.item["status"] not in listed:
        return "transition refused" in conditions(desk, "wrong_state")
    return "guard refused" in conditions(desk, "wrong_state") and "when" in move and not move["when"](asked.s)


def email_taken(desk, asked):
    return asked.operation == "registerAccount" and desk.is_taken(asked.s.body.get("email"))


JUDGES = {
    "version_unknown": version_unknown,
    "unreadable": unreadable,
    "key_missing": key_missing,
    "too_many": too_many,
    "too_large": too_large,
    "parcel_unknown": parcel_unknown,
    "hook_unknown": hook_unknown,
    "parcel_hidden": denied("parcel_hidden"),
    "hook_hidden": denied("hook_hidden"),
    "not_yours": denied("not_yours"),
    "invalid": invalid,
    "key_reused": key_reused,
    "key_busy": key_busy,
    "etag_needed": etag_needed,
    "changed_since": changed_since,
    "too_late": too_late,
    "wrong_state": wrong_state,
    "email_taken": email_taken,
}
