"""Accounts, transfers and entries in memory."""

import hashlib
import json
import threading
import uuid
from dataclasses import dataclass, field
from datetime import date, datetime, timezone


class Refused(Exception):
    """A request that is refused, by the code of the refusal."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def require(holds, code):
    if not holds:
        raise Refused(code)


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Customer:
    name: str
    salt: bytes
    password: bytes
    teller: bool = False

    @staticmethod
    def hashed(password, salt):
        return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 100)


@dataclass
class Account:
    number: str
    owner: str
    label: str
    kind: str = "current"
    overdraft: int = 0
    status: str = "open"
    opened_at: str = field(default_factory=now)


@dataclass
class Transfer:
    source: str
    target: str
    amount: int
    text: str
    day: str
    made_by: str
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    made_at: str = field(default_factory=now)
    status: str = "done"

    def shown(self):
        return {
            "id": self.id,
            "from": self.source,
            "to": self.target,
            "amount": self.amount,
            "text": self.text,
            "day": self.day,
            "madeBy": self.made_by,
            "madeAt": self.made_at,
            "status": self.status,
        }


@dataclass
class Entry:
    id: int
    account: str
    transfer: str | None
    kind: str
    amount: int
    text: str
    day: str

    def shown(self):
        return dict(vars(self))


class Bank:
    """All that is kept, and the rules of moving money. `fault` names one planted fault, or is None."""

    def __init__(self, fault=None):
        self.fault = fault
        self.lock = threading.Lock()
        self.accounts = {}
        self.transfers = {}
        self.entries = []
        self.customers = {}
        for name, password, teller in (
            ("tom", "tom-teller-71", True),
            ("mia", "mia-customer-42", False),
            ("leo", "leo-customer-93", False),
        ):
            salt = uuid.uuid4().bytes
            self.customers[name] = Customer(name, salt, Customer.hashed(password, salt), teller)

    def broken(self, fault):
        return self.fault == fault

    # Accounts

    def open_account(self, owner, label, kind="current", overdraft=0):
        number = f"AC{1001 + len(self.accounts)}"
        self.accounts[number] = Account(number, owner.name, label, kind, overdraft)
        return self.accounts[number]

    def account(self, number, customer=None):
        """The account, if there is one and the customer may see it."""
        found = self.accounts.get(number)
        require(found is not None, "no_account")
        if customer is not None:
            require(customer.teller or found.owner == customer.name, "no_account")
        return found

    def entries_of(self, account):
        return [entry for entry in self.entries if entry.account == account.number]

    def balance(self, account):
        return sum(entry.amount for entry in self.entries_of(account))

    def available(self, account):
        return self.balance(account) + account.overdraft

    def covers(self, account, change):
        after = self.available(account) + change
        return after > 0 if self.broken("available-bound") else after >= 0

    def shown(self, account):
        without = self.broken("available-without-overdraft")
        return {
            "number": account.number,
            "owner": account.owner,
            "label": account.label,
            "kind": account.kind,
            "overdraft": account.overdraft,
            "status": account.status,
            "openedAt": account.opened_at,
            "balance": self.balance(account),
            "entries": len(self.entries_of(account)),
            "available": self.balance(account) if without else self.available(account),
        }

    def tag(self, account):
        shown = self.shown(account)
        if self.broken("etag-without-balance"):
            shown = {name: shown[name] for name in ("number", "label", "overdraft", "status")}
        return '"' + hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:20] + '"'

    def set_overdraft(self, account, overdraft):
        if not self.broken("overdraft-lowered"):
            require(self.balance(account) + overdraft >= 0, "short")
        account.overdraft = overdraft

    def freeze(self, account):
        states = ("open", "closed") if self.broken("freeze-closed") else ("open",)
        require(account.status in states, "wrong_status")
        account.status = "frozen"

    def unfreeze(self, account):
        require(account.status == "frozen", "wrong_status")
        account.status = "open"

    def close(self, account):
        require(account.status in ("open", "frozen"), "wrong_status")
        require(self.balance(account) == 0 or self.broken("close-with-balance"), "not_empty")
        account.status = "closed"

    # Money

    def book(self, account, kind, amount, text, day, transfer=None):
        entry = Entry(len(self.entries) + 1, account.number, transfer, kind, amount, text, day)
        self.entries.append(entry)
        return entry

    def pay(self, account, amount, text, day):
        require(account.status == "open", "not_open")
        if not self.broken("cash-unchecked"):
            require(self.covers(account, amount), "short")
        return self.book(account, "cash", amount, text, day)

    def transfer(self, customer, source, target, amount, day, text=""):
        if not self.broken("same-account"):
            require(source is not target, "same_account")
        if not self.broken("money-of-others"):
            require(source.owner == customer.name, "not_your_money")
        senders = ("open", "frozen") if self.broken("frozen-sends") else ("open",)
        receivers = ["open"] if self.broken("frozen-receives-nothing") else ["open", "frozen"]
        if self.broken("closed-receives"):
            receivers.append("closed")
        require(source.status in senders and target.status in receivers, "blocked")
        require(self.covers(source, -amount), "short")
        made = Transfer(source.number, target.number, amount, text, day, customer.name)
        self.transfers[made.id] = made
        self.book(source, "transfer", -amount, text, day, made.id)
        self.book(target, "transfer", amount, "" if self.broken("entry-without-text") else text, day, made.id)
        return made

    def reverse(self, transfer):
        require(transfer.status == "done" or self.broken("reverse-twice"), "wrong_status")
        source, target = self.accounts[transfer.source], self.accounts[transfer.target]
        if not self.broken("reversal-unchecked"):
            require(self.covers(target, -transfer.amount), "short")
        transfer.status = "reversed"
        day = date.today().isoformat() if self.broken("reversal-of-today") else transfer.day
        self.book(source, "reversal", transfer.amount, transfer.text, day, transfer.id)
        self.book(target, "reversal", -transfer.amount, transfer.text, day, transfer.id)

    def statement(self, account, day):
        entries = self.entries_of(account)
        today = [entry for entry in entries if entry.day == day]
        counted = today
        if self.broken("sums-without-reversals"):
            counted = [entry for entry in today if entry.kind != "reversal"]
        with_day = self.broken("opening-with-day")
        return {
            "account": account.number,
            "day": day,
            "opening": sum(e.amount for e in entries if e.day < day or (with_day and e.day == day)),
            "in": sum(entry.amount for entry in counted if entry.amount > 0),
            "out": sum(entry.amount for entry in counted if entry.amount < 0),
            "closing": sum(entry.amount for entry in entries if entry.day <= day),
            "entries": [
                {"id": e.id, "kind": e.kind, "amount": e.amount, "text": e.text} for e in today
            ],
        }
