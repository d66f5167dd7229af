"""Surveys, with Python's standard library. All is kept in memory."""

import argparse
import json
import re
import secrets
import socket
import sys
import threading
import time
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

from web import (Refused, Router, boolean, check, check_query, decode, digits, integer, nullable, one_of,
                 parse_object, parse_query, require, sorting, text, words)

ANALYSTS = {"ann-40c1d97e": "ann", "bob-8b25f603": "bob"}
SEGMENTS = ("student", "worker", "retired")
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)")

router = Router()
route = router.route


class State:
    """All that is kept, and the one fault that was planted."""

    def __init__(self, fault=None, clock=None):
        self.fault = fault
        self.clock = clock or (lambda: time.time_ns() // 1000)
        self.latest = 0
        self.surveys, self.questions, self.quotas, self.responses, self.answers = {}, {}, {}, {}, {}
        self.tokens, self.untimed = {}, set()
        self.next_question = 1

    def now(self):
        """Microseconds since 1970, later than ever before."""
        self.latest = max(self.clock(), self.latest + 1)
        return self.latest


state = State()


def broken(fault):
    return state.fault == fault


def number(segment):
    return int(segment) if re.fullmatch(r"[0-9]{1,15}", segment) else None


def written(micros, digits=6):
    moment = datetime.fromtimestamp(micros // 1_000_000, timezone.utc)
    fraction = f"{micros % 1_000_000:06d}"[:digits]
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{fraction}Z"


def micros(value):
    day, at, fraction, zone = TIME.fullmatch(value).groups()
    zone = "+00:00" if zone in "Zz" else zone
    whole = int(datetime.fromisoformat(f"{day}T{at}{zone}").timestamp())
    return whole * 1_000_000 + int((fraction or ".")[1:7].ljust(6, "0"))


def is_time(value):
    if not isinstance(value, str) or TIME.fullmatch(value) is None:
        return False
    try:
        micros(value)
        return True
    except ValueError:
        return False


# Who asks


class Caller:
    def __init__(self, kind, key):
        self.kind, self.key = kind, key

    def is_analyst(self, name):
        return self.kind == "analyst" and self.key == name

    def is_response(self, response):
        return self.kind == "response" and self.key == response["id"]


NOBODY = Caller("nobody", None)


def identify(headers):
    word, _, key = (headers.get("Authorization") or "").partition(" ")
    token = headers.get("X-Participation")
    by_key = word.lower() == "bearer"
    require(not (by_key and token is not None), "bad_key")
    if by_key:
        require(key.strip() in ANALYSTS, "bad_key")
        return Caller("analyst", ANALYSTS[key.strip()])
    if token is not None:
        require(token in state.tokens, "bad_key")
        return Caller("response", state.tokens[token])
    return NOBODY


class Call:
    def __init__(self, caller, path, query, body):
        self.caller, self.path, self.query, self.body = caller, path, query, body
        self.known = caller is not NOBODY

    def survey(self):
        survey = state.surveys.get(self.path["id"])
        require(survey is not None, "no_survey")
        return survey

    def visible(self, survey):
        return survey["status"] != "draft" or self.caller.is_analyst(survey["owner"])

    def visible_survey(self):
        survey = self.survey()
        require(self.visible(survey), "no_survey")
        return survey

    def own_survey(self, shown=False):
        """The survey of the path, for its owner alone. If `shown`, a draft of somebody else is none."""
        require(self.known, "no_key")
        survey = self.visible_survey() if shown else self.survey()
        require(self.caller.is_analyst(survey["owner"]), "not_yours")
        return survey

    def open_to(self, survey_id):
        """A survey that anybody may use once it is published."""
        survey = state.surveys.get(survey_id)
        if not self.known:
            require(survey is not None and self.visible(survey), "no_key")
        require(survey is not None and self.visible(survey), "no_survey")
        return survey

    def own_question(self):
        require(self.known, "no_key")
        question = state.questions.get(number(self.path["id"]))
        require(question is not None, "no_question")
        survey = state.surveys[question["survey"]]
        require(self.visible(survey), "no_question")
        if broken("question-state-first"):
            require(survey["status"] == "draft", "not_draft")
        require(self.caller.is_analyst(survey["owner"]), "not_yours")
        return question, survey

    def response(self, owner_too):
        require(self.known, "no_key")
        response = state.responses.get(self.path["id"])
        require(response is not None, "no_response")
        by_owner = self.caller.is_analyst(state.surveys[response["survey"]]["owner"])
        same_survey = broken("token-for-survey") and self.caller.kind == "response" and owner_too and (
            state.responses[self.caller.key]["survey"] == response["survey"])
        require(self.caller.is_response(response) or (owner_too and by_owner) or same_survey, "not_yours")
        return response


# What is derived


def submitted(survey, **more):
    wanted = {"survey": survey["id"], "status": "submitted", **more}
    return [one for one in state.responses.values() if all(one[name] == value for name, value in wanted.items())]


def questions_of(survey):
    return [one for one in state.questions.values() if one["survey"] == survey["id"]]


def answers_of(response):
    return [one for one in state.answers.values() if one["response"] == response["id"]]


def is_full(survey):
    if survey["wanted"] is None:
        return False
    count = len(submitted(survey))
    if broken("full-counts-started"):
        count = sum(one["survey"] == survey["id"] for one in state.responses.values())
    return count > survey["wanted"] if broken("full-one-late") else count >= survey["wanted"]


def filled(quota):
    survey = state.surveys[quota["survey"]]
    if broken("filled-of-all-segments"):
        return len(submitted(survey))
    count = len(submitted(survey, segment=quota["segment"]))
    if broken("filled-with-withdrawn"):
        count += sum(one["survey"] == survey["id"] and one["segment"] == quota["segment"] and
                     one["status"] == "withdrawn" for one in state.responses.values())
    return count


def show_survey(survey, caller):
    shown = {**survey, "questions": len(questions_of(survey)), "submitted": len(submitted(survey))}
    if not caller.is_analyst(survey["owner"]) and not broken("submitted-for-all"):
        del shown["submitted"]
    return shown


def show_question(question):
    return {name: value for name, value in question.items() if name != "survey"}


def show_quota(quota):
    return {"segment": quota["segment"], "limit": quota["limit"], "filled": filled(quota)}


def show_response(response):
    return {**response, "answered": len(answers_of(response))}


def show_answer(answer):
    return {name: value for name, value in answer.items() if name != "response"}


# Surveys

SURVEY = {
    "title": text(3, 60), "intro": text(0, 300), "wanted": nullable(integer(1, 1000)), "closesAt": nullable(is_time),
}


def taken(body):
    given = dict(body)
    if given.get("closesAt") is not None and not broken("time-not-converted"):
        given["closesAt"] = written(micros(given["closesAt"]), 3)
    if given.get("wanted") is not None:
        given["wanted"] = int(given["wanted"])
    return given


@route("POST", "/surveys", body=True)
def create_survey(call):
    require(call.known, "no_key")
    require(call.caller.kind == "analyst", "not_yours")
    check_query(call.query)
    check(call.body, {**SURVEY, "title": text(2 if broken("title-bound") else 3, 60)}, ["title"])
    survey = {
        "id": str(uuid.uuid4()), "owner": call.caller.key, "intro": "", "wanted": None, "closesAt": None,
        **taken(call.body), "status": "draft", "createdAt": written(state.now()), "publishedAt": None,
    }
    state.surveys[survey["id"]] = survey
    return 201, show_survey(survey, call.caller), {"Location": f"/surveys/{survey['id']}"}


def next_url(path, pairs, offset):
    kept = [] if broken("next-without-filters") else [(n, v) for n, v in pairs if n != "offset"]
    return path + "?" + "&".join(f"{quote(n)}={quote(v)}" for n, v in [*kept, ("offset", str(offset))])


@route("GET", "/surveys")
def list_surveys(call):
    require(call.known, "no_key")
    require(call.caller.kind == "analyst", "not_yours")
    query = check_query(call.query, {
        "status": one_of("draft", "open", "closed"), "q": text(1, 10**6), "sort": sorting("title", "createdAt"),
        "limit": digits(1, 20), "offset": digits(0),
    })
    found = [one for one in state.surveys.values() if one["owner"] == call.caller.key]
    if "status" in query:
        found = [one for one in found if one["status"] == query["status"]]
    if "q" in query:
        found = [one for one in found if query["q"].lower() in one["title"].lower()]
    for field in reversed([*query.get("sort", "title").split(","), "createdAt", "id"]):
        name = field.removeprefix("-")
        down = field.startswith("-") and not broken("sort-never-down")
        found.sort(key=lambda one: one[name], reverse=down)
    offset, limit = int(query.get("offset", 0)), int(query.get("limit", 5))
    end = offset + limit
    is_more = end <= len(found) if broken("next-after-full-page") else end < len(found)
    return 200, {
        "surveys": [show_survey(one, call.caller) for one in found[offset:end]],
        "total": len(found),
        "next": next_url("/surveys", call.query, end) if is_more else None,
    }


@route("GET", "/surveys/{id}")
def read_survey(call):
    survey = call.survey() if broken("draft-for-all") else call.visible_survey()
    check_query(call.query)
    return 200, show_survey(survey, call.caller)


@route("PATCH", "/surveys/{id}", body=True)
def edit_survey(call):
    survey = call.own_survey(shown=True)
    check_query(call.query)
    check(call.body, SURVEY)
    require(call.body, "invalid")
    require(survey["status"] == "draft" or (broken("intro-after-publication") and "intro" in call.body), "not_draft")
    if broken("patch-clears"):
        survey.update(wanted=None, closesAt=None)
    survey.update(taken(call.body))
    return 200, show_survey(survey, call.caller)


@route("DELETE", "/surveys/{id}")
def delete_survey(call):
    survey = call.own_survey(shown=True)
    check_query(call.query)
    require(survey["status"] != "open" or broken("delete-open"), "is_open")
    del state.surveys[survey["id"]]
    for kept in (state.questions, state.quotas, state.responses):
        for key in [key for key, one in kept.items() if one["survey"] == survey["id"]]:
            del kept[key]
    gone = [key for key in state.answers if key[0] not in state.responses]
    for key in gone:
        del state.answers[key]
    if not broken("token-outlives-survey"):
        state.tokens = {token: one for token, one in state.tokens.items() if one in state.responses}
    return 204, None


@route("POST", "/surveys/{id}/publication")
def publish_survey(call):
    survey = call.own_survey(shown=True)
    check_query(call.query)
    require(survey["status"] == "draft", "wrong_status")
    require(questions_of(survey) or broken("publish-empty"), "no_questions")
    survey.update(status="open", publishedAt=written(state.now()))
    settle()
    return 200, show_survey(survey, call.caller)


@route("POST", "/surveys/{id}/closing")
def close_survey(call):
    survey = call.own_survey(shown=True)
    check_query(call.query)
    require(survey["status"] == "open" or (broken("close-twice") and survey["status"] == "closed"), "wrong_status")
    survey["status"] = "closed"
    return 200, show_survey(survey, call.caller)


@route("POST", "/surveys/{id}/reopening")
def reopen_survey(call):
    survey = call.own_survey(shown=True)
    check_query(call.query)
    require(survey["status"] == "closed", "wrong_status")
    is_over = survey["closesAt"] is not None and micros(survey["closesAt"]) <= state.now()
    require(not is_over or broken("reopen-after-time"), "stays_closed")
    require(not is_full(survey) or broken("reopen-full"), "stays_closed")
    survey["status"] = "open"
    if broken("published-on-reopen"):
        survey["publishedAt"] = written(state.now())
    if broken("no-timer-after-reopen"):
        state.untimed.add(survey["id"])
    return 200, show_survey(survey, call.caller)


def settle():
    """Closes what is due."""
    now = state.now()
    for survey in state.surveys.values():
        due = survey["closesAt"] is not None and micros(survey["closesAt"]) <= now
        if due and survey["status"] == "open" and survey["id"] not in state.untimed:
            survey["status"] = "closed"


# Questions

QUESTION = {
    "text": text(1, 200), "kind": one_of("text", "choice", "scale"), "choices": words(0, 6), "mandatory": boolean,
}


def has_fitting_choices(question):
    least = 1 if broken("one-choice") else 2
    if question["kind"] != "choice":
        return len(question["choices"]) < 2
    return len(question["choices"]) >= least


@route("POST", "/surveys/{id}/questions", body=True)
def add_question(call):
    survey = call.own_survey()
    check_query(call.query)
    check(call.body, QUESTION, ["text", "kind"])
    require(survey["status"] == "draft", "not_draft")
    question = {"id": state.next_question, "survey": survey["id"], "choices": [], "mandatory": False, **call.body}
    require(has_fitting_choices(question), "choices")
    state.next_question += 1
    state.questions[question["id"]] = question
    return 201, show_question(question)


@route("GET", "/surveys/{id}/questions")
def list_questions(call):
    survey = call.survey() if broken("draft-questions") and call.known else call.open_to(call.path["id"])
    query = check_query(call.query, {"mandatory": one_of("true", "false")})
    found = questions_of(survey)
    if "mandatory" in query:
        wanted = True if broken("mandatory-filter") else query["mandatory"] == "true"
        found = [one for one in found if one["mandatory"] == wanted]
    return 200, [show_question(one) for one in found]


@route("PATCH", "/questions/{id}", body=True)
def edit_question(call):
    question, survey = call.own_question()
    check_query(call.query)
    check(call.body, {name: rule for name, rule in QUESTION.items() if name != "kind"})
    require(call.body, "invalid")
    require(survey["status"] == "draft", "not_draft")
    changed = {**question, **call.body}
    require(has_fitting_choices(changed) or broken("edit-to-one-choice"), "choices")
    question.update(changed)
    return 200, show_question(question)


@route("DELETE", "/questions/{id}")
def delete_question(call):
    question, survey = call.own_question()
    check_query(call.query)
    require(survey["status"] == "draft", "not_draft")
    del state.questions[question["id"]]
    return 204, None


# Quotas


@route("PUT", "/surveys/{id}/quotas/{segment}", body=True)
def set_quota(call):
    survey = call.own_survey()
    check_query(call.query)
    require(call.path["segment"] in SEGMENTS, "invalid")
    check(call.body, {"limit": integer(0, 1000)}, ["limit"])
    key = (survey["id"], call.path["segment"])
    is_new = key not in state.quotas or broken("quota-always-new")
    state.quotas[key] = {"survey": key[0], "segment": key[1], "limit": int(call.body["limit"])}
    return 201 if is_new else 200, show_quota(state.quotas[key])


@route("GET", "/surveys/{id}/quotas")
def list_quotas(call):
    survey = call.own_survey()
    check_query(call.query)
    found = [one for one in state.quotas.values() if one["survey"] == survey["id"]]
    return 200, [show_quota(one) for one in sorted(found, key=lambda one: one["segment"])]


def is_quota_full(survey, segment):
    quota = state.quotas.get((survey["id"], segment))
    if quota is None:
        return False
    return filled(quota) > quota["limit"] if broken("quota-one-late") else filled(quota) >= quota["limit"]


# Responses


@route("POST", "/surveys/{id}/responses", body=True)
def start_response(call):
    survey = call.open_to(call.path["id"])
    check_query(call.query)
    check(call.body, {"respondent": text(2, 40), "segment": one_of(*SEGMENTS)}, ["respondent", "segment"])
    require(survey["status"] == "open", "not_open")
    require(not is_quota_full(survey, call.body["segment"]), "quota_full")
    fold = (lambda name: name) if broken("respondent-case") else str.casefold
    for other in state.responses.values():
        is_same = other["survey"] == survey["id"] and fold(other["respondent"]) == fold(call.body["respondent"])
        require(not is_same, "twice")
    response = {
        "id": str(uuid.uuid4()), "survey": survey["id"], **call.body, "status": "started",
        "startedAt": written(state.now()), "submittedAt": None,
    }
    token = secrets.token_urlsafe(24)
    state.responses[response["id"]] = response
    state.tokens[token] = response["id"]
    return 201, {"response": show_response(response), "token": token}


@route("GET", "/surveys/{id}/responses")
def list_responses(call):
    survey = call.own_survey()
    query = check_query(call.query, {
        "status": one_of("started", "submitted", "withdrawn"), "segment": one_of(*SEGMENTS),
        "said": text(0, 10**6), "limit": digits(1, 20), "page": digits(1),
    })
    found = [one for one in state.responses.values() if one["survey"] == survey["id"]]
    whole = len(found)
    for field in ("status", "segment"):
        if field in query:
            found = [one for one in found if one[field] == query[field]]
    if "said" in query:
        said = query["said"]
        fits = (lambda value: said in value) if broken("said-part") else (lambda value: said == value)
        found = [one for one in found if any(fits(answer["value"]) for answer in answers_of(one))]
    page, limit = int(query.get("page", 1)), int(query.get("limit", 5))
    first = (page - 1) * (5 if broken("page-of-default-size") else limit)
    shown = [show_response(one) for one in found[first:first + limit]]
    return 200, {"responses": shown, "total": whole if broken("total-unfiltered") else len(found), "page": page}


@route("GET", "/surveys/{id}/results")
def read_results(call):
    survey = call.own_survey()
    check_query(call.query)
    counted = {one["id"] for one in submitted(survey)}
    if broken("results-of-started"):
        counted = {one["id"] for one in state.responses.values() if one["survey"] == survey["id"]}
    results = []
    for question in questions_of(survey):
        values = [one["value"] for one in state.answers.values()
                  if one["question"] == question["id"] and one["response"] in counted]
        distinct = sorted(values if broken("values-repeated") else set(values))
        results.append({"id": question["id"], "text": question["text"], "answers": len(values), "values": distinct})
    return 200, {"submitted": len(submitted(survey)), "questions": results}


@route("GET", "/responses/{id}")
def read_response(call):
    response = call.response(owner_too=True)
    check_query(call.query)
    return 200, show_response(response)


@route("GET", "/responses/{id}/answers")
def list_answers(call):
    response = call.response(owner_too=True)
    check_query(call.query)
    found = sorted(answers_of(response), key=lambda one: one["question"])
    return 200, [show_answer(one) for one in found]


@route("PUT", "/responses/{id}/answers/{question}", body=True)
def put_answer(call):
    require(call.known, "no_key")
    question = state.questions.get(number(call.path["question"]))
    require(question is not None, "no_question")
    response = call.response(owner_too=False)
    check_query(call.query)
    check(call.body, {"value": text(1, 100)}, ["value"])
    survey, value = state.surveys[response["survey"]], call.body["value"]
    require(survey["status"] == "open", "not_open")
    require(response["status"] == "started" or
            (broken("answer-after-submission") and response["status"] == "submitted"), "done")
    require(question["survey"] == survey["id"] or broken("answer-elsewhere"), "elsewhere")
    require(question["kind"] != "choice" or value in question["choices"], "no_choice")
    scale = "012345" if broken("scale-from-zero") else "12345"
    require(question["kind"] != "scale" or (len(value) == 1 and value in scale), "no_scale")
    key, now = (response["id"], question["id"]), written(state.now())
    answer = state.answers.get(key)
    if answer is None:
        state.answers[key] = {"response": key[0], "question": key[1], "value": value, "changedAt": now}
        return 201, show_answer(state.answers[key])
    if answer["value"] != value:
        answer.update(value=value, changedAt=now)
    return 200, show_answer(answer)


@route("POST", "/responses/{id}/submission")
def submit_response(call):
    response = call.response(owner_too=False)
    check_query(call.query)
    survey = state.surveys[response["survey"]]
    require(survey["status"] == "open", "not_open")
    require(response["status"] == "started", "wrong_status")
    mandatory = [one["id"] for one in questions_of(survey) if one["mandatory"]]
    if broken("first-mandatory-alone"):
        mandatory = mandatory[:1]
    require(all((response["id"], one) in state.answers for one in mandatory), "missing")
    response.update(status="submitted", submittedAt=written(state.now()))
    if is_full(survey):
        survey["status"] = "closed"
    return 200, show_response(response)


@route("POST", "/responses/{id}/withdrawal")
def withdraw_response(call):
    response = call.response(owner_too=False)
    check_query(call.query)
    require(response["status"] != "withdrawn", "wrong_status")
    response["status"] = "withdrawn"
    if not broken("withdrawal-keeps-answers"):
        for answer in answers_of(response):
            del state.answers[(response["id"], answer["question"])]
    return 200, show_response(response)


# The server


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    lock = threading.Lock()

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def log_message(self, *_):
        pass

    def read_content(self):
        if (self.headers.get("Transfer-Encoding") or "").lower() == "chunked":
            content = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return content
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def serve(self):
        content = self.read_content()
        with self.lock:
            try:
                status, body, *rest = self.answer(content)
                headers = rest[0] if rest else {}
            except Refused as refused:
                status, body = refused.status, {"error": refused.code, "message": refused.message}
                headers = {"WWW-Authenticate": "Bearer, Participation"} if status == 401 else {}
        self.send(status, body, headers)

    def answer(self, content):
        path, _, search = self.path.partition("?")
        served, allowed = router.find(self.command, path)
        if served is None:
            return (405, None, {"Allow": ", ".join(allowed)}) if allowed else (404, None)
        _, match, has_body, handler = served
        settle()
        caller = identify(self.headers)
        require(caller is not NOBODY or not self.needs_caller(handler, match), "no_key")
        require(len(content) <= 4096 or not has_body, "too_large")
        if has_body and content:
            kind = (self.headers.get("Content-Type") or "").split(";")[0].strip().lower()
            require(kind == "application/json", "not_json")
        parameters = {name: decode(value) for name, value in match.groupdict().items()}
        query = parse_query(search)
        return handler(Call(caller, parameters, query, parse_object(content) if has_body else {}))

    def needs_caller(self, handler, match):
        """Whether nobody may do this; it is said before the body is looked at."""
        if handler is read_survey:
            return False
        if handler not in (list_questions, start_response):
            return True
        survey = state.surveys.get(match["id"])
        return survey is None or survey["status"] == "draft"

    def send(self, status, body, headers):
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def clock_at(port):
    """A clock that answers each line with the milliseconds since 1970."""
    lines = socket.create_connection(("127.0.0.1", port)).makefile("rwb")

    def now():
        lines.write(b"\n")
        lines.flush()
        return int(float(lines.readline()) * 1000)

    return now


def main():
    global state
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--fault")
    options.add_argument("--clock", type=int, help="the port of a clock, in place of the system's")
    given = options.parse_args()
    clock = None if given.clock is None else clock_at(given.clock)
    state = State(given.fault, clock)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    # Each line begins anew, with the fault that it names.
    for line in sys.stdin:
        with Handler.lock:
            state = State(line.strip() or None, clock)
        print("ready", flush=True)
    if sys.stdin.isatty() or given.clock is None:
        threading.Event().wait()


if __name__ == "__main__":
    main()
