"""What the document of the parcel desk states, part by part, as this desk keeps to it."""

import itertools
import secrets
import string
import uuid

LETTERS = string.ascii_letters + string.digits


def text(length):
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def given(**keywords):
    """A field that clients write."""
    return {**keywords, "readable": True, "writable": True}


def shown(**keywords):
    """A field that clients only read."""
    return {**keywords, "readable": True, "writable": False}


def who(s):
    return s.actor.id if s.actor else None


def now(s):
    return s.now


def own(field):
    """Whether the item's field refers to whoever asks."""
    return lambda s: s.actor is not None and s.actor.id is not None and s.item.get(field) == s.actor.id


def member(name):
    return lambda s: s.item.get(name)


def resources(desk):
    parcels = itertools.count(1)
    scans = {}
    return {
        "Account": {
            "fields": {
                "id": shown(type="string", format="uuid", set={"create": lambda s: str(uuid.uuid4())}),
                "email": given(type="string", format="email", maxLength=254, unique="caseless"),
                "role": {"type": "string", "enum": ["sender", "courier"], "readable": True, "writable": "once"},
                "key": {
                    "type": "string",
                    "secret": "hashed",
                    "set": {"create": lambda s: "desk_" + text(32)},
                    "readable": False,
                    "writable": False,
                },
            },
            "required": ["email", "role"],
        },
        "Parcel": {
            "fields": {
                "id": shown(type="string", format="uuid", set={"create": lambda s: str(uuid.uuid4())}),
                "number": shown(type="integer", set={"create": lambda s: next(parcels)}),
                "recipient": given(type="string", minLength=1, maxLength=120),
                "address": given(of="Address"),
                "weight": given(type="integer", minimum=1, maximum=30000),
                "sender": shown(refers="Account.id", set={"create": who}),
                "courier": shown(refers="Account.id"),
                "status": shown(type="string"),
                "registeredAt": shown(type="string", format="date-time", set={"create": now}),
                "deliveredAt": shown(type=["string", "null"], format="date-time", default=None),
                "scans": shown(type="integer", derived=lambda s: len(desk.scans_of(s.item.get("id")))),
            },
            "required": ["recipient", "address", "weight"],
            "invariants": {
                "what is delivered has a time": lambda s: s.item.get("status") != "delivered"
                or s.item.get("deliveredAt") is not None,
                "what moves has a courier": lambda s: s.item.get("status") != "moving"
                or s.item.get("courier") is not None,
            },
        },
        "Address": {
            "fields": {
                "street": {"type": "string", "minLength": 1, "maxLength": 200},
                "town": {"type": "string", "minLength": 1, "maxLength": 100},
                "country": {"type": "string", "pattern": "^[A-Z]{2}$"},
            },
            "required": ["street", "town", "country"],
            "others": "refuse",
        },
        "Scan": {
            "fields": {
                "parcel": shown(refers="Parcel.id"),
                "number": shown(
                    type="integer",
                    set={"create": lambda s: next(scans.setdefault(s.item.get("parcel"), itertools.count(1)))},
                ),
                "place": given(type="string", minLength=1, maxLength=100),
                "by": shown(refers="Account.id", set={"create": who}),
                "at": shown(type="string", format="date-time", set={"create": now}),
            },
            "required": ["place"],
        },
        "Hook": {
            "fields": {
                "id": shown(type="string", set={"create": lambda s: "hook_" + text(16)}),
                "owner": {"refers": "Account.id", "set": {"create": who}, "readable": False, "writable": False},
                "url": given(type="string", format="uri", pattern="^https://", maxLength=2000),
                "kinds": given(
                    type="array",
                    items={"enum": ["parcel.registered", "parcel.moving", "parcel.delivered", "parcel.cancelled"]},
                    uniqueItems=True,
                    minItems=1,
                ),
                "secret": shown(type="string", set={"create": lambda s: "whsec_" + text(32)}),
            },
            "required": ["url", "kinds"],
        },
    }


def states():
    cancel = {"from": "registered", "to": "cancelled", "when~20000": 20000}
    cancel["when"] = lambda s: s.item["weight"] < cancel["when~20000"]
    return {
        "Parcel.status": {
            "initial": "registered",
            "transitions": {
                "pickUp": {"from": "registered", "to": "moving", "set": {"courier": who}},
                "deliver": {"from": "moving", "to": "delivered", "when": own("courier"), "set": {"deliveredAt": now}},
                "cancel": cancel,
                "expire": {"from": "registered", "to": "cancelled", "after": "P14D"},
            },
        }
    }


def endpoints(desk):
    json = "application/json"

    def one(resource):
        return lambda s: desk.shown(resource, s.item, s)

    def each(resource):
        return lambda s: [desk.shown(resource, item, s) for item in s.page]

    def request(**more):
        return {"others": "refuse", **more}

    def answer(status, body=None, **more):
        return {"status": status, **({"media": json, "body": body} if body else {}), **more}

    def move(verb, operation):
        return {
            "operation": operation,
            "does": {"verb": verb, "resource": "Parcel"},
            "request": request(),
            "response": answer(200, one("Parcel")),
        }

    place = {"type": "string", "minLength": 1, "maxLength": 100}
    heavier = {"type": "integer", "filter~>": True}
    heavier["filter"] = (
        lambda s: s.item["weight"] > s.value if heavier["filter~>"] else s.item["weight"] >= s.value
    )
    statuses = ["registered", "moving", "delivered", "cancelled"]
    pick_up = move("pickUp", "pickUpParcel")
    pick_up["also"] = [lambda s: {"parcel": s.item["id"], "place": s.body.get("place")}]
    pick_up["request"] = request(media=json, body={"fields": {"place": place}, "required": ["place"]})
    return {
        "POST /accounts": {
            "operation": "registerAccount",
            "does": {"verb": "create", "resource": "Account"},
            "request": request(media=json, body={"of": "Account"}),
            "response": answer(201, {name: member(name) for name in ("id", "email", "role", "key")}),
        },
        "POST /parcels": {
            "operation": "registerParcel",
            "does": {"verb": "create", "resource": "Parcel"},
            "request": request(media=json, body={"of": "Parcel"}),
            "response": answer(201, one("Parcel"), headers={"Location": lambda s: f"/parcels/{s.item.get('id')}"}),
            "idempotency": {
                "header": "Idempotency-Key",
                "required": False,
                "life": "PT24H",
                "per": "actor",
                "remembers": "successes",
            },
        },
        "GET /parcels": {
            "operation": "listParcels",
            "does": {"verb": "list", "resource": "Parcel", "order": ["-number"]},
            "request": request(
                query={
                    "status": {"type": "string", "enum": statuses, "filter": lambda s: s.item["status"] == s.value},
                    "heavier": heavier,
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20, "page": "size"},
                    "after": {"type": "string", "page": "cursor"},
                }
            ),
            "response": answer(200, {"items": each("Parcel"), "next": lambda s: s.next}),
        },
        "GET /parcels/{id}": {
            "operation": "readParcel",
            "does": {"verb": "read", "resource": "Parcel"},
            "request": request(),
            "response": answer(200, one("Parcel")),
            "conditional": {"etag": "strong", "ifNoneMatch": "allowed"},
        },
        "PATCH /parcels/{id}": {
            "operation": "correctParcel",
            "does": {"verb": "update", "resource": "Parcel"},
            "request": request(media="application/merge-patch+json", body={"of": "Parcel"}),
            "response": answer(200, one("Parcel")),
            "conditional": {"etag": "strong", "ifMatch": "required"},
        },
        "POST /parcels/{id}/pick-up": pick_up,
        "POST /parcels/{id}/delivery": move("deliver", "deliverParcel"),
        "POST /parcels/{id}/cancellation": move("cancel", "cancelParcel"),
        "POST /parcels/{id}/scans": {
            "operation": "scanParcel",
            "does": {"verb": "create", "resource": "Scan"},
            "request": request(media=json, body={"of": "Scan"}),
            "response": answer(201, one("Scan")),
        },
        "GET /parcels/{id}/scans": {
            "operation": "listScans",
            "does": {
                "verb": "list",
                "resource": "Scan",
                "order": ["number"],
                "where": lambda s: s.item["parcel"] == s.value,
            },
            "request": request(),
            "response": answer(200, {"items": each("Scan")}),
        },
        "POST /hooks": {
            "operation": "addHook",
            "does": {"verb": "create", "resource": "Hook"},
            "request": request(media=json, body={"of": "Hook"}),
            "response": answer(201, one("Hook")),
        },
        "DELETE /hooks/{id}": {
            "operation": "removeHook",
            "does": {"verb": "delete", "resource": "Hook"},
            "request": request(),
            "response": answer(204),
        },
    }
