"""The service of the ledger, with Python's standard library alone.

    python3 service.py --port N --fault ID

It prints its address. A line `fault ID` on its input starts it anew with this fault, `fault` without any; it answers
`ready`.
"""

import argparse
import base64
import binascii
import hmac
import json
import re
import sys
import threading
import time
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from bank import Bank, Customer, Refused, require

REFUSALS = {
    "no_login": (401, "Log in"),
    "bad_login": (401, "The name or the password is wrong"),
    "too_large": (413, "The body is too large"),
    "not_json": (415, "Send JSON"),
    "unreadable": (400, "The request cannot be read"),
    "tellers_only": (403, "Only tellers do this"),
    "no_account": (404, "There is no such account"),
    "no_transfer": (404, "There is no such transfer"),
    "not_yours": (403, "Only the owner does this"),
    "invalid": (422, "Some of it does not fit"),
    "no_key": (400, "Send an Idempotency-Key"),
    "key_reused": (422, "The key was used for another request"),
    "no_tag": (428, "Send If-Match"),
    "stale": (412, "The account has changed since"),
    "same_account": (422, "The accounts are the same"),
    "not_your_money": (403, "The account is not yours"),
    "blocked": (409, "An account cannot take part"),
    "not_open": (409, "The account is not open"),
    "wrong_status": (409, "This is not possible any more"),
    "not_empty": (409, "The balance is not zero"),
    "short": (409, "The account does not have so much"),
}

KEY_LIFE_SECONDS = 3600


# What a body and a query may hold


def text(least, most):
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def integer(least, most):
    return lambda value: type(value) is int and least <= value <= most


def choice(*words):
    return lambda value: isinstance(value, str) and value in words


def day(value):
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
        return True
    except ValueError:
        return False


def check(body, rules, required):
    for name, value in body.items():
        require(name in rules and rules[name](value), "invalid")
    require(all(name in body for name in required), "invalid")


def no_twice(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a member occurs twice")
    return found


def whole(literal):
    value = int(literal)
    if abs(value) >= 2**53:
        raise ValueError("the number cannot be kept exactly")
    return value


def number(literal):
    value = float(literal)
    return whole(str(int(value))) if value.is_integer() else value


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def read_json(content):
    """An object, from strict JSON."""
    try:
        decoded = content.decode("utf-8")
        value = json.loads(
            decoded,
            object_pairs_hook=no_twice,
            parse_int=whole,
            parse_float=number,
            parse_constant=refuse_constant,
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        readable = isinstance(value, dict) and "\\u0000" not in json.dumps(value)
    except (ValueError, OverflowError, RecursionError):
        readable = False
    require(readable, "unreadable")
    return value


def read_query(query, readers):
    """The parameters of a query: each once, by its reader, and no others."""
    found = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        require(name in readers and name not in found, "invalid")
        found[name] = readers[name](value)
    return found


def that(rule):
    def read(value):
        require(rule(value), "invalid")
        return value

    return read


def digits(least=-(2**53), most=2**53):
    def read(value):
        require(re.fullmatch(r"-?(0|[1-9]\d*)", value, re.ASCII) is not None, "invalid")
        require(least <= int(value) <= most, "invalid")
        return int(value)

    return read


def sorting(*fields):
    def read(value):
        parts = [(part.removeprefix("-"), part.startswith("-")) for part in value.split(",")]
        require(all(field in fields for field, _ in parts), "invalid")
        return parts

    return read


def page_from(cursor):
    """The day and the number of the last entry that the client has seen."""
    try:
        last_day, last_id = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        return str(last_day), int(last_id)
    except (ValueError, TypeError, binascii.Error):
        raise Refused("invalid") from None


def matches(field, tag):
    return any(one.strip() in ("*", tag) for one in field.split(","))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    bank = Bank()
    remembered = {}

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def log_message(self, *_):
        pass

    def answer(self):
        content = self.content()
        with self.bank.lock:
            try:
                status, headers, body = self.handle_request(content)
            except Refused as refused:
                status, message = REFUSALS[refused.code]
                headers = {"WWW-Authenticate": 'Basic realm="accounts"'} if status == 401 else {}
                body = {"error": {"code": refused.code, "message": message}}
        self.send(status, headers, body)

    def content(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status, headers, body):
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if content:
            self.send_header("Content-Type", "application/json")
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def handle_request(self, content):
        url = urlsplit(self.path)
        segments = url.path.split("/")[1:]
        here = [route for route in ROUTES if fits(route[1], segments)]
        if not here:
            return 404, {}, None
        method = "GET" if self.command == "HEAD" else self.command
        route = next((one for one in here if one[0] == method), None)
        if route is None:
            allowed = [one for verb, *_ in here for one in ([verb, "HEAD"] if verb == "GET" else [verb])]
            return 405, {"Allow": ", ".join(allowed)}, None
        _, pattern, handler, takes_body = route
        self.customer = self.who()
        require(len(content) <= 4096, "too_large")
        media = self.headers.get("Content-Type", "")
        if takes_body and content:
            require(re.match(r"application/json *(;|$)", media, re.IGNORECASE), "not_json")
        self.check_coding(self.path)
        self.query = url.query
        self.body = read_json(content) if takes_body else {}
        parameters = [unquote(given) for part, given in zip(pattern, segments) if part == "*"]
        return handler(self, *parameters)

    def check_coding(self, target):
        try:
            unquote(target, errors="strict")
            readable = not re.search(r"%(?![0-9A-Fa-f]{2})", target)
        except UnicodeDecodeError:
            readable = False
        require(readable, "unreadable")

    def who(self):
        scheme, _, credential = self.headers.get("Authorization", "").partition(" ")
        require(scheme.lower() == "basic", "no_login")
        try:
            name, colon, password = base64.b64decode(credential.strip(), validate=True).decode().partition(":")
        except ValueError:
            raise Refused("bad_login") from None
        customer = self.bank.customers.get(name)
        require(customer is not None and colon, "bad_login")
        given = Customer.hashed(password, customer.salt)
        require(hmac.compare_digest(given, customer.password), "bad_login")
        return customer

    def teller(self):
        require(self.customer.teller, "tellers_only")

    def once(self, act):
        """Carries out a request with an idempotency key once, and gives the first answer to every repeat."""
        key = self.headers.get("Idempotency-Key") or ""
        if key == "" and self.bank.broken("key-optional"):
            return act()[:3]
        require(key != "", "no_key")
        who = "" if self.bank.broken("key-shared") else self.customer.name
        place = (who, key, self.path if self.bank.broken("key-by-operation") else "")
        request = (self.path, self.body)
        known = self.remembered.get(place)
        if known and time.time() < known[0] and not self.bank.broken("replay-again"):
            _, first, answer, again = known
            require(first == request or self.bank.broken("reused-key-replays"), "key_reused")
            if isinstance(answer, Refused):
                raise answer
            status, headers, body = answer
            if self.bank.broken("replay-of-now"):
                body = again()
            if self.bank.broken("replay-without-header"):
                return status, headers, body
            return status, {**headers, "Idempotent-Replayed": "true"}, body
        until = time.time() + KEY_LIFE_SECONDS
        try:
            status, headers, body, again = act()
        except Refused as refused:
            if self.bank.broken("refusal-remembered"):
                self.remembered[place] = (until, request, refused, None)
            raise
        self.remembered[place] = (until, request, (status, headers, body), again)
        return status, headers, body

    # Accounts

    def open_account(self):
        read_query(self.query, {})
        rules = {"label": text(1, 30), "kind": choice("current", "savings")}
        if self.bank.broken("overdraft-on-opening"):
            rules["overdraft"] = integer(0, 50000)
        check(self.body, rules, ["label"])
        account = self.bank.open_account(self.customer, **self.body)
        return 201, {"Location": f"/accounts/{account.number}"}, self.bank.shown(account)

    def list_accounts(self):
        asked = read_query(
            self.query,
            {
                "owner": str,
                "status": that(choice("open", "frozen", "closed")),
                "kind": that(choice("current", "savings")),
                "minBalance": digits(),
                "sort": sorting("number", "label", "balance"),
                "limit": digits(1, 100),
                "offset": digits(0),
            },
        )
        everything = self.customer.teller or self.bank.broken("list-of-all")
        found = [
            self.bank.shown(account)
            for account in self.bank.accounts.values()
            if everything or account.owner == self.customer.name
        ]
        for name in ("owner", "status", "kind"):
            found = [one for one in found if name not in asked or one[name] == asked[name]]
        if "minBalance" in asked:
            least = asked["minBalance"] + (1 if self.bank.broken("min-balance-excluded") else 0)
            found = [one for one in found if one["balance"] >= least]
        found.sort(key=lambda one: one["number"])
        for name, down in reversed(asked.get("sort", [])):
            found.sort(key=lambda one: one[name], reverse=down)
        limit, offset = asked.get("limit", 25), asked.get("offset", 0)
        end = offset + limit
        following = f"/accounts?{self.moved(end)}" if end < len(found) else None
        return 200, {}, {"accounts": found[offset:end], "total": len(found), "next": following}

    def moved(self, offset):
        part = f"offset={offset}"
        if self.bank.broken("next-without-filter"):
            return part
        if re.search(r"(^|&)offset=", self.query):
            return re.sub(r"(^|&)offset=[^&]*", rf"\g<1>{part}", self.query)
        return f"{self.query}&{part}" if self.query else part

    def read_account(self, number):
        account = self.bank.account(number, self.customer)
        read_query(self.query, {})
        tag = self.bank.tag(account)
        unless = self.headers.get("If-None-Match")
        if unless is not None and matches(unless.replace("W/", ""), tag):
            return 304, {"ETag": tag}, None
        return 200, {"ETag": tag}, self.bank.shown(account)

    def relabel_account(self, number):
        account = self.bank.account(number, self.customer)
        require(account.owner == self.customer.name, "not_yours")
        read_query(self.query, {})
        check(self.body, {"label": text(1, 30)}, ["label"])
        match = self.headers.get("If-Match")
        if not self.bank.broken("label-without-tag"):
            require(match is not None, "no_tag")
        require(match is None or matches(match, self.bank.tag(account)), "stale")
        account.label = self.body["label"]
        return 200, {"ETag": self.bank.tag(account)}, self.bank.shown(account)

    def set_overdraft(self, number):
        self.teller()
        account = self.bank.account(number)
        read_query(self.query, {})
        check(self.body, {"overdraft": integer(0, 50000)}, ["overdraft"])
        self.bank.set_overdraft(account, self.body["overdraft"])
        return 200, {}, self.bank.shown(account)

    def freeze_account(self, number):
        self.teller()
        account = self.bank.account(number)
        read_query(self.query, {})
        self.bank.freeze(account)
        return 200, {}, self.bank.shown(account)

    def unfreeze_account(self, number):
        self.teller()
        account = self.bank.account(number)
        read_query(self.query, {})
        self.bank.unfreeze(account)
        return 200, {}, self.bank.shown(account)

    def close_account(self, number):
        account = self.bank.account(number, self.customer)
        if not self.bank.broken("close-by-teller"):
            require(account.owner == self.customer.name, "not_yours")
        read_query(self.query, {})
        self.bank.close(account)
        return 200, {}, self.bank.shown(account)

    # Money

    def pay_cash(self, number):
        self.teller()
        account = self.bank.account(number)
        read_query(self.query, {})
        rules = {"amount": integer(-1000000, 1000000), "text": text(0, 80), "day": day}
        check(self.body, rules, ["amount", "text", "day"])
        require(self.body["amount"] != 0, "invalid")

        def act():
            entry = self.bank.pay(account, **self.body)
            body = {"entry": entry.shown(), "balance": self.bank.balance(account)}
            return 201, {}, body, lambda: body

        return self.once(act)

    def make_transfer(self):
        read_query(self.query, {})
        a_day = text(10, 10) if self.bank.broken("day-unchecked") else day
        key = text(0, 10**6)
        rules = {"from": key, "to": key, "amount": integer(1, 1000000), "text": text(0, 80), "day": a_day}
        check(self.body, rules, ["from", "to", "amount", "day"])
        source, target = (self.bank.accounts.get(self.body[name]) for name in ("from", "to"))
        require(source is not None and target is not None, "invalid")

        def act():
            rest = {name: self.body[name] for name in ("amount", "day", "text") if name in self.body}
            made = self.bank.transfer(self.customer, source, target, **rest)
            return 201, {"Location": f"/transfers/{made.id}"}, made.shown(), made.shown

        return self.once(act)

    def transfer_of(self, key):
        found = self.bank.transfers.get(key)
        require(found is not None, "no_transfer")
        return found

    def read_transfer(self, key):
        transfer = self.transfer_of(key)
        ends = [transfer.source] if self.bank.broken("receiver-sees-nothing") else [transfer.source, transfer.target]
        owners = [self.bank.accounts[number].owner for number in ends]
        seen = self.customer.teller or self.customer.name in owners or self.bank.broken("transfer-of-others")
        require(seen, "no_transfer")
        read_query(self.query, {})
        return 200, {}, transfer.shown()

    def reverse_transfer(self, key):
        if not self.bank.broken("reversal-by-customer"):
            self.teller()
        transfer = self.transfer_of(key)
        read_query(self.query, {})
        self.bank.reverse(transfer)
        return 200, {}, transfer.shown()

    def list_entries(self, number):
        account = self.bank.account(number, None if self.bank.broken("entries-of-others") else self.customer)
        asked = read_query(
            self.query,
            {
                "from": that(day),
                "to": that(day),
                "kind": that(choice("cash", "transfer", "reversal")),
                "limit": digits(1, 100),
                "cursor": str,
            },
        )
        first, last = asked.get("from", ""), asked.get("to", "9999-12-31")
        if self.bank.broken("to-excluded") and "to" in asked:
            found = [entry for entry in self.bank.entries_of(account) if first <= entry.day < last]
        else:
            found = [entry for entry in self.bank.entries_of(account) if first <= entry.day <= last]
        if "kind" in asked:
            found = [entry for entry in found if entry.kind == asked["kind"]]
        if not self.bank.broken("entries-by-id"):
            found.sort(key=lambda entry: (entry.day, entry.id))
        if "cursor" in asked:
            seen = page_from(asked["cursor"])
            if self.bank.broken("cursor-by-id"):
                found = [entry for entry in found if entry.id > seen[1]]
            else:
                found = [entry for entry in found if (entry.day, entry.id) > seen]
        limit = asked.get("limit", 25)
        page = [entry.shown() for entry in found[:limit]]
        following = None
        if len(found) > limit:
            following = base64.urlsafe_b64encode(json.dumps([page[-1]["day"], page[-1]["id"]]).encode()).decode()
        return 200, {}, {"entries": page, "next": following}

    def read_statement(self, number, of_day):
        account = self.bank.account(number, self.customer)
        read_query(self.query, {})
        require(day(of_day), "invalid")
        return 200, {}, self.bank.statement(account, of_day)


def fits(pattern, segments):
    same = (part == given or (part == "*" and given != "") for part, given in zip(pattern, segments))
    return len(pattern) == len(segments) and all(same)


ROUTES = [
    (method, path.split("/")[1:], handler, takes_body)
    for method, path, handler, takes_body in (
        ("POST", "/accounts", Handler.open_account, True),
        ("GET", "/accounts", Handler.list_accounts, False),
        ("GET", "/accounts/*", Handler.read_account, False),
        ("PATCH", "/accounts/*", Handler.relabel_account, True),
        ("PUT", "/accounts/*/overdraft", Handler.set_overdraft, True),
        ("POST", "/accounts/*/freeze", Handler.freeze_account, False),
        ("POST", "/accounts/*/unfreeze", Handler.unfreeze_account, False),
        ("POST", "/accounts/*/closure", Handler.close_account, False),
        ("POST", "/accounts/*/cash", Handler.pay_cash, True),
        ("GET", "/accounts/*/entries", Handler.list_entries, False),
        ("GET", "/accounts/*/statements/*", Handler.read_statement, False),
        ("POST", "/transfers", Handler.make_transfer, True),
        ("GET", "/transfers/*", Handler.read_transfer, False),
        ("POST", "/transfers/*/reversal", Handler.reverse_transfer, False),
    )
]


def restart(fault):
    Handler.bank = Bank(fault)
    Handler.remembered = {}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--fault")
    given = arguments.parse_args()
    restart(given.fault)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    for line in sys.stdin:
        _, _, fault = line.strip().partition(" ")
        restart(fault or None)
        print("ready", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
