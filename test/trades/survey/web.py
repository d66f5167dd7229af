"""What every handler needs of HTTP: routes, bodies, parameters, refusals."""

import json
import re
from urllib.parse import unquote, unquote_plus

REFUSALS = {
    "no_key": (401, "Say who you are"),
    "bad_key": (401, "Nobody has this credential"),
    "too_large": (413, "The body is too large"),
    "not_json": (415, "Send JSON"),
    "unreadable": (400, "The request cannot be read"),
    "no_survey": (404, "There is no such survey"),
    "no_question": (404, "There is no such question"),
    "no_response": (404, "There is no such response"),
    "not_yours": (403, "This is not yours to do"),
    "invalid": (422, "Some of it does not fit"),
    "not_draft": (409, "The survey is published"),
    "not_open": (409, "The survey is not open"),
    "done": (409, "The response is no longer open"),
    "quota_full": (409, "There are enough respondents like you"),
    "elsewhere": (409, "The question is of another survey"),
    "no_choice": (409, "This is none of the choices"),
    "no_scale": (409, "The scale is from 1 to 5"),
    "wrong_status": (409, "This is not possible any more"),
    "no_questions": (409, "The survey has no question"),
    "stays_closed": (409, "The survey is over"),
    "is_open": (409, "Close the survey first"),
    "missing": (409, "A mandatory question has no answer"),
    "choices": (409, "A choice is between two or more"),
    "twice": (409, "You have begun already"),
}

MOST_EXACT = 2**53 - 1


class Refused(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code
        self.status, self.message = REFUSALS[code]


def require(holds, code):
    if not holds:
        raise Refused(code)


class Router:
    """Finds the handler of a method and a path such as `/surveys/{id}`."""

    def __init__(self):
        self.routes = []

    def route(self, method, template, body=False):
        pattern = re.compile("^" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template) + r"\Z")

        def add(handler):
            self.routes.append((method, pattern, body, handler))
            return handler

        return add

    def find(self, method, path):
        """The match of the path, and what serves the method; None where nothing does."""
        here = [(m, p.match(path), body, handler) for m, p, body, handler in self.routes if p.match(path)]
        served = next((one for one in here if one[0] == ("GET" if method == "HEAD" else method)), None)
        allowed = [name for one in here for name in (["GET", "HEAD"] if one[0] == "GET" else [one[0]])]
        return served, allowed


def decode(text, plus=False):
    require(re.search(r"%(?![0-9A-Fa-f]{2})", text) is None, "unreadable")
    try:
        decoded = (unquote_plus if plus else unquote)(text, errors="strict")
    except UnicodeDecodeError:
        raise Refused("unreadable")
    require("\0" not in decoded, "unreadable")
    return decoded


def parse_query(search):
    pairs = [part.partition("=") for part in search.split("&") if part != ""]
    return [(decode(name, True), decode(value, True)) for name, _, value in pairs]


def _members(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a member occurs twice")
    return dict(pairs)


def _no_constant(name):
    raise ValueError(name)


def _readable(value):
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return all(_readable(name) and _readable(member) for name, member in value.items())
    if isinstance(value, list):
        return all(_readable(element) for element in value)
    if isinstance(value, float):
        return abs(value) != float("inf") and (not value.is_integer() or abs(value) <= MOST_EXACT)
    return isinstance(value, bool) or not isinstance(value, int) or abs(value) <= MOST_EXACT


def parse_object(content):
    try:
        value = json.loads(content.decode("utf-8"), object_pairs_hook=_members, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("unreadable")
    require(isinstance(value, dict) and _readable(value), "unreadable")
    return value


# Rules of members and of parameters: each is a function of a value.


def text(least, most):
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def integer(least, most):
    def rule(value):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and value == int(value) and least <= value <= most

    return rule


def one_of(*words):
    return lambda value: isinstance(value, str) and value in words


def boolean(value):
    return isinstance(value, bool)


def nullable(rule):
    return lambda value: value is None or rule(value)


def digits(least, most=MOST_EXACT):
    return lambda value: re.fullmatch(r"-?(0|[1-9][0-9]*)", value) is not None and least <= int(value) <= most


def words(least, most):
    def rule(value):
        fits = isinstance(value, list) and all(text(1, 40)(word) for word in value)
        return fits and least <= len(value) <= most and len(set(value)) == len(value)

    return rule


def sorting(*names):
    return lambda value: all(part.removeprefix("-") in names for part in value.split(","))


def check(body, rules, required=()):
    require(all(name in rules and rules[name](value) for name, value in body.items()), "invalid")
    require(all(name in body for name in required), "invalid")


def check_query(pairs, rules=None):
    rules = rules or {}
    names = [name for name, _ in pairs]
    require(len(set(names)) == len(names), "invalid")
    require(all(name in rules and rules[name](value) for name, value in pairs), "invalid")
    return dict(pairs)
