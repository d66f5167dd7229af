"""The parcel desk of test/desks/parcel-desk.md by hand, with Python's standard library alone, in memory.

Written from the document. What it states is a table (statements.py, terms.py) in which one fault can be planted.

    python3 desk.py --port 0 [--trust CERTIFICATES]

prints its address. DESK_SECRETS: the operator's secrets by name, as JSON. DESK_FAULT: a fault, as JSON.
"""

import argparse
import base64
import hashlib
import hmac
import json
import math
import os
import secrets
import threading
import time
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from email.utils import format_datetime
from urllib.parse import unquote_plus

import statements
import terms
from deliver import Deliveries
from judges import JUDGES, matches
from plant import plant
from serve import serve
from shape import Shapes, Unreadable, read
from store import Actor, Scene, Store, clock, seconds
from terms import called

ON_PARCELS = "/parcels/{id}"
GONE = 'endpoints["POST /parcels/{id}/cancellation"]'
CREATES = {"registerAccount": "Account", "registerParcel": "Parcel", "scanParcel": "Scan", "addHook": "Hook"}


@dataclass
class Answer:
    status: int
    headers: list = field(default_factory=list)
    content: bytes | None = None


@dataclass
class First:
    """The first answer to a request with a key."""

    request: str
    answer: Answer
    until: float


@dataclass
class Asked:
    """A request as it was understood, and what judging it came upon."""

    endpoint: dict
    headers: object
    content: bytes
    s: Scene
    version_fault: str | None
    query: dict
    is_malformed: bool
    is_of_other_media: bool
    is_wrong: bool
    about: str | None
    failures: list = field(default_factory=list)
    values: dict = field(default_factory=dict)
    patched: dict = field(default_factory=dict)

    @property
    def operation(self):
        return self.endpoint["operation"]

    @property
    def same(self):
        """Equal for requests that ask for the same."""
        media = self.headers["Content-Type"]
        return json.dumps([self.operation, self.s.version, media, self.s.body], sort_keys=True)


class Desk(Store):
    def __init__(self, operators, trust, fault):
        super().__init__()
        self.url = ""
        self.operators = operators
        self.table = {
            "protocol": "RFC 9110",
            "service": {"actors": {"sender": True, "courier": True, "office": True}},
            "resources": statements.resources(self),
            "states": statements.states(),
            "endpoints": statements.endpoints(self),
            "authentication": terms.authentication(),
            "events": terms.events(self),
            "errors": terms.errors(),
            "limits": terms.limits(),
            "versioning": terms.versioning(),
        }
        if fault:
            plant(self.table, fault)
        self.shapes = Shapes(self.table)
        self.counted = {}
        self.firsts = {}
        self.cursor_key = secrets.token_bytes(32)
        self.deliveries = Deliveries(self, trust)

    # The way of a request: what it is, who asks, judged in the stated order, carried out, answered.

    def answer(self, key, number, query, headers, content):
        """To a request for one of the endpoints; `number` is what stands for {id}."""
        with self.lock:
            asked = self.understood(self.table["endpoints"][key], key, number, query, headers, content)
            if asked.operation == "cancelParcel" and GONE in self.differs(asked.s.version):
                return Answer(404, self.dates(asked.s.version))
            return self.judged(asked) or self.carried_out(asked)

    def understood(self, endpoint, key, number, query, headers, content):
        version, version_fault = self.version(headers)
        media = endpoint["request"].get("media")
        named = (headers["Content-Type"] or "").split(";")[0].strip().lower()
        other = media not in (None, "*/*", named)
        # Content that is too large is not read (language section 4.2, rule 14).
        large = len(content) > self.table["limits"]["sizes"].get("body", math.inf)
        body, malformed = {}, False
        try:
            parameters = parameters_of(query)
            if media is not None and not other and not large:
                body = read(content)
        except (Unreadable, UnicodeDecodeError):
            parameters, malformed = {}, True
        actor, wrong = self.who(headers)
        about = None if number is None else "Hook" if "/hooks" in key else "Parcel"
        items = self.hooks if about == "Hook" else self.parcels
        s = Scene(actor, clock(), version, items.get(number), body)
        return Asked(endpoint, headers, content, s, version_fault, parameters, malformed, other, wrong, about)

    def version(self, headers):
        stated = self.table["versioning"]
        named = headers[stated["place"]["header"]]
        if named is None or named in stated["versions"]:
            return named or stated["default"], None
        return stated["default"], "version unknown" if named else "version missing"

    def who(self, headers):
        """Who asks, and whether a credential came that is not good."""
        schemes, actors = self.table["authentication"]["schemes"], self.table["service"]["actors"]
        key, desk = schemes.get("key"), schemes.get("desk")
        if key and key["in"] == "header" and headers[key["name"]] is not None:
            actor = self.keys.get(self.hidden(headers[key["name"]]))
            if actor is None and "credentials" not in key:
                actor = next(iter(self.keys.values()), None)
            if actor and not actors.get(actor.role):
                actor = replace(actor, role=None)
            return actor, actor is None
        scheme, _, encoded = (headers["Authorization"] or "").partition(" ")
        if desk is None or scheme.lower() != "basic":
            return None, False
        try:
            name, _, given = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
        except ValueError:
            name, given = "", ""
        known = self.operators.get(name)
        if "credentials" in desk and (known is None or not hmac.compare_digest(known.encode(), given.encode())):
            return None, desk["wrong"] != "ignore"
        return Actor("office") if actors["office"] else None, False

    def judged(self, asked):
        """The refusal that comes first in the order, or what else ends the way; None where nothing does."""
        errors = self.table["errors"]
        for code in errors["order"]:
            if code == "parcel_unknown":
                # What no row names goes before what is kept is looked at: other media types, keys, and repeats.
                if asked.is_of_other_media:
                    return Answer(415, self.always(asked))
                repeats = asked.endpoint.get("idempotency")
                if repeats and repeats["required"] and asked.headers[repeats["header"]] is None:
                    return Answer(400, self.always(asked))
                first = self.first(asked)
                if first and first.request == asked.same:
                    return replace(first.answer, headers=first.answer.headers + self.always(asked))
            if code in errors["codes"] and JUDGES[code](self, asked):
                refusal = self.refusal(asked, code)
                self.remember(asked, refusal)
                return replace(refusal, headers=refusal.headers + self.always(asked))
        tag, given = self.tag(asked), asked.headers["If-None-Match"]
        if "ifNoneMatch" in asked.endpoint.get("conditional", {}) and given and matches(given, tag, strong=False):
            return Answer(304, [("ETag", tag)] + self.always(asked))
        return None

    def refusal(self, asked, code):
        errors, schemes = self.table["errors"], self.table["authentication"]["schemes"]
        code = errors["codes"][code].get("as", code)
        row = errors["codes"].get(code, {"status": 500})
        failures = {"invalid": asked.failures, "email_taken": [self.shapes.failure("email", "unique")]}
        error = {"status": row["status"], "code": code, "failures": failures.get(code, [])}
        s = replace(asked.s, error=error | ({"title": row["title"]} if "title" in row else {}))
        headers = [("Content-Type", errors["payload"]["media"])]
        if row["status"] == 401:
            headers += [("WWW-Authenticate", one["challenge"]) for one in schemes.values() if "challenge" in one]
        headers += [(name, str(value(s))) for name, value in row.get("headers", {}).items()]
        filled = {name: value(s) for name, value in errors["payload"]["body"].items()}
        content = {name: value for name, value in filled.items() if name != "title" or value is not None}
        return Answer(row["status"], headers, json.dumps(content).encode())

    def carried_out(self, asked):
        s = self.done(asked)
        response = asked.endpoint["response"]
        headers, content = [], None
        if "body" in response:
            body = response["body"]
            whole = body(s) if callable(body) else {name: value(s) for name, value in body.items()}
            content = json.dumps(whole).encode()
            headers.append(("Content-Type", response["media"]))
        headers += [(name, str(value(s))) for name, value in response.get("headers", {}).items()]
        tag = self.tag(replace(asked, s=s))
        if tag:
            headers.append(("ETag", tag))
        answer = Answer(response["status"], headers, content)
        self.remember(asked, answer)
        return replace(answer, headers=headers + self.always(asked))

    def always(self, asked):
        """The fields of every answer: what the rate has left, and the days of the version."""
        rate = self.table["limits"]["rates"].get("desk", {})
        left = rate.get("headers", {}) if asked.s.rate else {}
        return [(name, str(value(asked.s))) for name, value in left.items()] + self.dates(asked.s.version)

    def dates(self, version):
        """RFC 9745 and RFC 8594."""
        stated = self.table["versioning"]["versions"].get(version, {})
        days = {name: datetime.fromisoformat(stated[name]).replace(tzinfo=timezone.utc)
                for name in ("deprecated", "sunset") if name in stated}  # fmt: skip
        fields = [("Deprecation", f"@{int(days['deprecated'].timestamp())}")] if "deprecated" in days else []
        return fields + ([("Sunset", format_datetime(days["sunset"], usegmt=True))] if "sunset" in days else [])

    # What the endpoints do.

    def done(self, asked):
        """Carries out what the endpoint does. Where that is not stated, nothing is kept, and it is answered all the same."""
        s, does, operation = asked.s, asked.endpoint.get("does"), asked.operation
        if operation in CREATES:
            resource = CREATES[operation]
            given = self.taken(resource, s.body, s) | ({"parcel": s.item["id"]} if resource == "Scan" else {})
            made = self.made(resource, given, s)
            if resource == "Parcel":
                made["status"] = self.table["states"]["Parcel.status"]["initial"]
                self.expire_in_time(made)
            if does:
                self.keep(resource, made)
                self.deliveries.tell(operation, s.about(made))
            return s.about(made)
        if operation == "correctParcel":
            changed = s.item | self.taken("Parcel", asked.patched, s)
            if does:
                self.keep("Parcel", changed)
            return s.about(changed)
        if operation == "removeHook":
            if does:
                del self.hooks[s.item["id"]]
            return s
        if asked.endpoint["operation"] in ("listParcels", "listScans"):
            return self.listed(asked)
        if operation == "readParcel":
            return s
        moved = self.move(does["verb"], s) if does else dict(s.item)
        for also in asked.endpoint.get("also", []):
            self.keep("Scan", self.made("Scan", also(s), s))
        return s.about(moved)

    def move(self, name, s):
        move = self.table["states"]["Parcel.status"]["transitions"].get(name, {"to": s.item["status"]})
        moved = s.item | {"status": move["to"]} | {name: value(s) for name, value in move.get("set", {}).items()}
        self.keep("Parcel", moved)
        self.deliveries.tell(f"Parcel.{name}", s.about(moved))
        return moved

    def expire_in_time(self, parcel):
        """A parcel that nobody picks up is cancelled by itself."""
        expire = self.table["states"]["Parcel.status"]["transitions"].get("expire", {})
        # Longer than this a process is not watched; it would take a store that outlives it.
        if "after" not in expire or seconds(expire["after"]) > 86_400:
            return

        def expires():
            with self.lock:
                item = self.parcels.get(parcel["id"])
                if item and item["status"] in expire["from"]:
                    self.move("expire", self.scene(item=item))

        timer = threading.Timer(seconds(expire["after"]), expires)
        timer.daemon = True
        timer.start()

    def listed(self, asked):
        s, does, values = asked.s, asked.endpoint.get("does", {}), asked.values
        of_parcels = asked.operation == "listParcels"
        rules = self.table["authentication"]["authorization"].get(asked.operation) if of_parcels else None
        items = (list(self.parcels.values()) if of_parcels else self.scans) if does else []
        filters = [
            (parameter["filter"], values[name])
            for name, parameter in asked.endpoint["request"].get("query", {}).items()
            if "filter" in parameter and values.get(name) is not None
        ]
        chosen = [
            item
            for item in items
            if (rules is None or any(called(rule, s.about(item)) for rule in rules))
            and ("where" not in does or does["where"](s.about(item, s.item["id"])))
            and all(holds(s.about(item, value)) for holds, value in filters)
        ]
        falls = bool(does.get("order")) and does["order"][0].startswith("-")
        if does.get("order"):
            chosen.sort(key=lambda item: item["number"], reverse=falls)
        if values.get("after") is not None:
            last = self.position(values["after"])
            chosen = [one for one in chosen if (one["number"] < last if falls else one["number"] > last)]
        page = chosen[: values["limit"]] if isinstance(values.get("limit"), int) else chosen
        more = self.cursor(page[-1]["number"]) if page and len(page) < len(chosen) else None
        return replace(s, page=page, next=more)

    def cursor(self, number):
        """Where a page ended, so that only this desk can say it."""
        mark = hmac.new(self.cursor_key, str(number).encode(), hashlib.sha256).hexdigest()[:16]
        return base64.urlsafe_b64encode(f"{number}.{mark}".encode()).decode().rstrip("=")

    def position(self, cursor):
        try:
            number = int(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(".")[0])
        except ValueError:
            return None
        return number if self.cursor(number) == cursor else None

    def tag(self, asked):
        kind, item = asked.endpoint.get("conditional", {}).get("etag"), asked.s.item
        if kind is None or item is None:
            return None
        shown = json.dumps(self.shown("Parcel", self.parcels.get(item["id"], item), asked.s))
        tag = f'"{hashlib.sha256((asked.s.version + shown).encode()).hexdigest()}"'
        return f"W/{tag}" if kind == "weak" else tag

    # Repeats.

    def repeated(self, asked):
        """The key of a request with one, for the actor; None without."""
        stated, actor = asked.endpoint.get("idempotency"), asked.s.actor
        if stated is None or asked.headers[stated["header"]] is None:
            return None
        return asked.headers[stated["header"]], actor if stated["per"] == "actor" else None

    def first(self, asked):
        first = self.firsts.get(self.repeated(asked))
        return first if first and time.monotonic() < first.until else None

    def remember(self, asked, answer):
        key, stated = self.repeated(asked), asked.endpoint.get("idempotency")
        if key is None or (answer.status >= 400 and stated["remembers"] != "all") or self.first(asked):
            return
        self.firsts[key] = First(asked.same, answer, time.monotonic() + seconds(stated["life"]))


def parameters_of(query):
    """Raises Unreadable, or UnicodeDecodeError, where a coding is broken."""
    found = {}
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        for text in (name, value):
            if any(len(one) < 2 or not all(c in "0123456789abcdefABCDEF" for c in one[:2]) for one in text.split("%")[1:]):
                raise Unreadable
        found.setdefault(unquote_plus(name, errors="strict"), []).append(unquote_plus(value, errors="strict"))
    return found


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--trust")
    given = options.parse_args()
    fault = os.environ.get("DESK_FAULT")
    operators = json.loads(os.environ.get("DESK_SECRETS", "{}"))
    serve(Desk(operators, given.trust, json.loads(fault) if fault else None), given.port)
