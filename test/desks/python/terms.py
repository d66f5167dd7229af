"""Parts 5 to 9 of the parcel desk, as this desk keeps to them."""

from statements import member, own


def authentication():
    actors = {
        "sender": lambda s: s.actor is not None and s.actor.role == "sender",
        "courier": lambda s: s.actor is not None and s.actor.role == "courier",
    }

    def sender(s):
        return called(actors["sender"], s)

    def courier(s):
        return called(actors["courier"], s)

    def office(s):
        return s.actor is not None and s.actor.kind == "office"

    return {
        "schemes": {
            "key": {
                "in": "header",
                "name": "X-Desk-Key",
                "credentials": "Account.key",
                "challenge": 'Key realm="parcel desk"',
                "wrong": "refuse",
            },
            "desk": {"credentials": "operator", "challenge": 'Basic realm="parcel desk"', "wrong": "refuse"},
        },
        "actors": actors,
        "authorization": {
            "registerAccount": [lambda s: s.body.get("role") == "sender", office],
            "registerParcel": [sender],
            "listParcels": [own("sender"), courier],
            "readParcel": [own("sender"), courier],
            "correctParcel": [own("sender")],
            "pickUpParcel": [courier],
            "deliverParcel": [courier],
            "cancelParcel": [own("sender")],
            "scanParcel": [own("courier")],
            "listScans": [own("sender"), courier],
            "addHook": [sender],
            "removeHook": [own("owner")],
        },
    }


def called(rule, s):
    """A rule, which a fault may have made one truth for all."""
    return rule(s) if callable(rule) else rule


def events(desk):
    hooks = {
        "where~1": True,
        "where~2": True,
        "sign": "standard-webhooks",
        "secret": member("secret"),
        "retries": ["PT5S", "PT5M", "PT30M", "PT2H"],
        "timeout": "PT15S",
    }

    def where(s):
        """Of a hook, which is the item, and what is told of, which is the value."""
        kind, parcel = s.value
        is_owner = not hooks["where~1"] or s.item.get("owner") == parcel.get("sender")
        return is_owner and (not hooks["where~2"] or kind in (s.item.get("kinds") or []))

    hooks["where"] = where
    return {
        "kinds": {
            "parcel.registered": {
                "by": ["registerParcel"],
                "body": {"parcel": member("id"), "weight": member("weight")},
            },
            "parcel.moving": {"by": ["Parcel.pickUp"], "body": {"parcel": member("id")}},
            "parcel.delivered": {
                "by": ["Parcel.deliver"],
                "body": {"parcel": member("id"), "at": member("deliveredAt")},
            },
            "parcel.cancelled": {
                "by": ["Parcel.cancel", "Parcel.expire"],
                "body": {"parcel": member("id"), "expired": lambda s: s.actor is None},
            },
        },
        "envelope": "cloudevents",
        "source": lambda s: desk.url,
        "subject": lambda s: f"parcels/{s.item.get('id')}",
        "delivery": {"hooks": hooks},
    }


def errors():
    def row(status, title, **more):
        return {"status": status, "title": title, **more}

    def of_error(name):
        return lambda s: s.error.get(name)

    codes = {
        "version_unknown": row(400, "There is no such version", when=["version missing", "version unknown"]),
        "unreadable": row(400, "The request cannot be read"),
        "key_missing": row(401, "A valid key is needed"),
        "too_many": row(429, "Too many at once", headers={"Retry-After": lambda s: s.rate["reset"]}),
        "too_large": row(413, "That is too much"),
        "parcel_unknown": row(404, "There is no such parcel"),
        "hook_unknown": row(404, "There is no such hook"),
        "parcel_hidden": {
            "status": 403,
            "as": "parcel_unknown",
            "operations": ["readParcel", "correctParcel", "cancelParcel", "scanParcel", "listScans"],
        },
        "hook_hidden": {"status": 403, "as": "hook_unknown", "operations": ["removeHook"]},
        "not_yours": row(403, "This is not yours to do"),
        "invalid": row(422, "Some of it does not fit"),
        "key_reused": row(422, "This key came with another request"),
        "key_busy": row(409, "The first request is still running"),
        "etag_needed": row(428, "Say which state you have seen"),
        "changed_since": row(412, "Somebody changed it meanwhile"),
        "too_late": row(
            409,
            "It is on its way",
            operations=["correctParcel"],
            when=lambda s: s.item["status"] != "registered",
        ),
        "wrong_state": row(409, "Its state does not allow this", when=["transition refused", "guard refused"]),
        "email_taken": row(409, "This address has an account"),
    }
    return {
        "payload": {
            "media": "application/problem+json",
            "body": {"type": lambda s: "about:blank"}
            | {name: of_error(name) for name in ("title", "status", "code", "failures")},
        },
        "codes": codes,
        "messages": {"required": "is missing", "refers": "is not known"},
        "order": list(codes),
    }


def limits():
    return {
        "rates": {
            "desk": {
                "allow": 100,
                "every": "PT1M",
                "per": "actor",
                "window": "sliding",
                "operations": ["registerParcel"],
                "headers": {"X-Desk-Remaining": lambda s: s.rate["remaining"]},
            }
        },
        "sizes": {"body": 64 * 1024},
        # Nothing here takes as long: what is asked is carried out in memory, at once.
        "times": {"request": "PT10S"},
    }


def versioning():
    return {
        "place": {"header": "Desk-Version"},
        "default": "2026-11-01",
        "versions": {
            "2026-11-01": {},
            "2026-01-15": {
                "deprecated": "2026-11-01",
                "sunset": "2027-06-01",
                "differs": {
                    "resources.Parcel.fields.weight": {
                        "was": "mass",
                        "type": "number",
                        "minimum": 0.001,
                        "maximum": 30,
                        "shown": lambda s: s.value / 1000,
                        "taken": lambda s: int(s.value * 1000 + 0.5),
                    },
                    'endpoints["POST /parcels/{id}/cancellation"]': None,
                },
            },
        },
    }
