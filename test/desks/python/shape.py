"""What does not fit: bodies and parameters, in the order in which fields and keywords are written."""

import json
import re

LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
UNIT = r"(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[\dA-Fa-f]{2})"
FORMATS = {
    "uuid": re.compile(r"[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}"),
    # RFC 5321, section 4.1.2: a dot-string, at a domain.
    "email": re.compile(rf"{ATOM}(\.{ATOM})*@{LABEL}(\.{LABEL})*"),
    # RFC 3986, appendix A.
    "uri": re.compile(
        rf"[A-Za-z][A-Za-z0-9+.-]*:(//(({UNIT}|:)*@)?(\[[\dA-Fa-fv:.]+\]|({UNIT})*)(:\d*)?(/({UNIT}|[:@])*)*"
        rf"|/?({UNIT}|[:@])+(/({UNIT}|[:@])*)*|/|)(\?({UNIT}|[:@/?])*)?(#({UNIT}|[:@/?])*)?"
    ),
}


class Unreadable(Exception):
    """Content that is no JSON, or would not be kept as it came."""


def read(content):
    """The JSON object that the content is."""

    def kept(text):
        if "\0" in text or any("\ud800" <= one <= "\udfff" for one in text):
            raise Unreadable
        return text

    def members(pairs):
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Unreadable
        return {kept(name): checked(value) for name, value in found.items()}

    def checked(value):
        if isinstance(value, str):
            return kept(value)
        if isinstance(value, list):
            return [checked(one) for one in value]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        if value != value or abs(value) == float("inf") or (value == int(value) and abs(value) > 2**53 - 1):
            raise Unreadable
        return int(value) if value == int(value) else value

    def constant(_text):
        raise Unreadable

    try:
        value = json.loads(content.decode("utf-8"), object_pairs_hook=members, parse_constant=constant)
    except (ValueError, RecursionError):
        raise Unreadable from None
    if not isinstance(value, dict):
        raise Unreadable
    return value


def merged(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


class Shapes:
    def __init__(self, table):
        self.table = table

    def failure(self, field, keyword):
        message = self.table["errors"]["messages"].get(keyword)
        return {"field": field, "keyword": keyword} | ({"message": message} if message is not None else {})

    def of_object(self, value, shape, under=""):
        found = []
        for name, field in shape["fields"].items():
            if name in value:
                found += self.of_value(value[name], field, under + name)
            elif name in shape.get("required", []):
                found.append(self.failure(under + name, "required"))
        if shape.get("others") == "refuse":
            found += [self.failure(under + name, "others") for name in value if name not in shape["fields"]]
        return found

    def of_value(self, value, field, name):
        if "of" in field:
            if not isinstance(value, dict):
                return [self.failure(name, "type")]
            return self.of_object(value, self.table["resources"][field["of"]], name + ".")
        found = [
            self.failure(name, keyword)
            for keyword, stated in field.items()
            if keyword in KEYWORDS and not KEYWORDS[keyword](value, stated)
        ]
        if "items" in field and isinstance(value, list):
            for index, one in enumerate(value):
                found += self.of_value(one, field["items"], f"{name}.{index}")
        return found

    def of_parameter(self, texts, field, name):
        """What does not fit, and the value."""
        if len(texts) > 1:
            return [self.failure(name, "twice")], None
        value = texts[0]
        if field.get("type") == "integer":
            if not re.fullmatch(r"-?(0|[1-9][0-9]*)", value):
                return [self.failure(name, "type")], None
            value = int(value)
        return self.of_value(value, field, name), value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_of_type(value, types):
    checks = {
        "string": isinstance(value, str),
        "integer": is_number(value) and value == int(value),
        "number": is_number(value),
        "array": isinstance(value, list),
        "null": value is None,
    }
    return any(checks[one] for one in ([types] if isinstance(types, str) else types))


def is_of_format(value, name):
    return not isinstance(value, str) or name not in FORMATS or FORMATS[name].fullmatch(value) is not None


KEYWORDS = {
    "type": is_of_type,
    "format": is_of_format,
    "minLength": lambda value, least: not isinstance(value, str) or len(value) >= least,
    "maxLength": lambda value, most: not isinstance(value, str) or len(value) <= most,
    "minimum": lambda value, least: not is_number(value) or value >= least,
    "maximum": lambda value, most: not is_number(value) or value <= most,
    "pattern": lambda value, text: not isinstance(value, str) or re.search(text.replace("$", r"\Z"), value),
    "enum": lambda value, values: value in values,
    "minItems": lambda value, least: not isinstance(value, list) or len(value) >= least,
    "uniqueItems": lambda value, stated: not stated
    or not isinstance(value, list)
    or len({json.dumps(one, sort_keys=True) for one in value}) == len(value),
}
