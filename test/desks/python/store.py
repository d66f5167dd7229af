"""What the desk keeps, in memory, and how its versions show it."""

import hashlib
import re
import threading
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone


@dataclass(frozen=True)
class Actor:
    """Who asks: an account, or the office."""

    kind: str
    id: str | None = None
    role: str | None = None


@dataclass(frozen=True)
class Scene:
    """What the functions of the table may read."""

    actor: Actor | None
    now: str
    version: str
    item: dict | None = None
    body: dict = field(default_factory=dict)
    value: object = None
    page: list = field(default_factory=list)
    next: str | None = None
    rate: dict | None = None
    error: dict = field(default_factory=dict)

    def about(self, item, value=None):
        return replace(self, item=item, value=value)


def seconds(duration):
    """Of a duration of fixed length: PT1M, P14D."""
    days, hours, minutes, rest = re.fullmatch(
        r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?", duration
    ).groups(default="0")
    return ((int(days) * 24 + int(hours)) * 60 + int(minutes)) * 60 + float(rest)


def clock():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Store:
    """The items, under one lock. `table` is what the document states."""

    table: dict

    def __init__(self):
        self.lock = threading.RLock()
        self.accounts = {}
        self.keys = {}
        self.emails = set()
        self.parcels = {}
        self.hooks = {}
        self.scans = []
        self.by_parcel = {}

    def scene(self, **more):
        return Scene(**({"actor": None, "now": clock(), "version": self.table["versioning"]["default"]} | more))

    def scans_of(self, parcel):
        return self.by_parcel.get(parcel, [])

    def differs(self, version):
        return self.table["versioning"]["versions"].get(version, {}).get("differs", {})

    def fields(self, resource, version):
        """The fields of a resource as a version has them: called, kept as, keywords."""
        weight = self.differs(version).get("resources.Parcel.fields.weight")
        for kept, stated in self.table["resources"][resource]["fields"].items():
            if resource == "Parcel" and kept == "weight" and weight is not None:
                yield weight.get("was", kept), kept, stated | weight
            else:
                yield kept, kept, stated

    def writable(self, resource, version, is_new, others):
        """The shape of a body: what clients may write, and what of it they must."""
        called = {kept: name for name, kept, _ in self.fields(resource, version)}
        open_to = (True, "once") if is_new else (True,)
        required = self.table["resources"][resource]["required"]
        return {
            "fields": {
                name: stated
                for name, _, stated in self.fields(resource, version)
                if stated["writable"] in open_to
            },
            "required": [called.get(name, name) for name in required],
            "others": others,
        }

    def taken(self, resource, given, s):
        """What a body gives, as it is kept."""
        found = {}
        for name, kept, stated in self.fields(resource, s.version):
            if name in given:
                take = stated.get("taken")
                found[kept] = take(s.about(s.item, given[name])) if take else given[name]
        return found

    def shown(self, resource, item, s):
        """An item as the scene's version shows it."""
        found = {}
        for name, kept, stated in self.fields(resource, s.version):
            if not stated["readable"]:
                continue
            if "derived" in stated:
                value = stated["derived"](s.about(item))
            elif kept in item:
                value = item[kept]
            else:
                continue
            found[name] = stated["shown"](s.about(item, value)) if "shown" in stated else value
        return found

    def made(self, resource, given, s):
        """A new item: what was given, and what the desk sets."""
        item = dict(given)
        for name, stated in self.table["resources"][resource]["fields"].items():
            if "create" in stated.get("set", {}):
                item[name] = stated["set"]["create"](s.about(item))
            elif name not in item and "default" in stated:
                item[name] = stated["default"]
        return item

    def keep(self, resource, item):
        """Of a secret that is hashed only the digest is kept."""
        for sentence, holds in self.table["resources"][resource].get("invariants", {}).items():
            if not holds(self.scene(item=item)):
                raise ValueError(sentence)
        if resource == "Account":
            account = item | {"key": self.hidden(item["key"])}
            self.accounts[item.get("id")] = account
            self.keys[account["key"]] = Actor("account", item.get("id"), item.get("role"))
            self.emails.add(self.compared(item.get("email")))
        elif resource == "Scan":
            self.scans.append(item)
            self.by_parcel.setdefault(item["parcel"], []).append(item)
        else:
            (self.parcels if resource == "Parcel" else self.hooks)[item.get("id")] = item

    def hidden(self, key):
        hashed = "secret" in self.table["resources"]["Account"]["fields"]["key"]
        return digest(key) if hashed else key

    def compared(self, email):
        unique = self.table["resources"]["Account"]["fields"]["email"].get("unique")
        return str(email).casefold() if unique == "caseless" else str(email)

    def is_taken(self, email):
        unique = self.table["resources"]["Account"]["fields"]["email"].get("unique")
        return unique is not None and self.compared(email) in self.emails
