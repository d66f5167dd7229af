import json
import os
import re
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

FAULT = os.environ.get('FAULT')
entries = []
replies = []
last = {'entry': 0, 'reply': 0}


class Refusal(Exception):
    def __init__(self, status, message):
        self.status, self.message = status, message


def now():
    return datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


def valid(body, most, with_stars):
    if not isinstance(body, dict):
        raise Refusal(400, 'send an object')
    for name, longest in (('author', 40), ('text', most)):
        if not isinstance(body.get(name), str) or not 1 <= len(body[name]) <= longest:
            raise Refusal(400, name + ' is not valid')
    stars = body.get('stars', 1)
    if with_stars and (type(stars) is not int or not 1 <= stars <= 5):
        raise Refusal(400, 'stars are not valid')
    names = ('author', 'text', 'stars') if with_stars else ('author', 'text')
    return {name: body[name] for name in names if name in body}


def next_id(kind, items):
    last[kind] = len(items) + 1 if FAULT == 'ids-by-length' else last[kind] + 1
    return last[kind]


def find(id):
    if FAULT == 'ids-by-place' and 0 < id <= len(entries):
        return entries[id - 1]
    for entry in entries:
        if entry['id'] == id:
            return entry
    raise Refusal(404, 'no such entry')


def list_entries(query, _body):
    limit = query.get('limit', ['25'])[0]
    if not re.fullmatch(r'\d{1,9}', limit) or not 1 <= int(limit) <= 100:
        raise Refusal(400, 'limit is not valid')
    author = query.get('author', [None])[0]
    newest = list(entries) if FAULT == 'oldest-first' else entries[::-1]
    if FAULT == 'limit-before-filter':
        newest = newest[: int(limit)]
    return 200, [entry for entry in newest if author is None or entry['author'] == author][: int(limit)]


def write_entry(_query, body):
    fields = valid(body, 1000, True)
    entry = {'id': next_id('entry', entries), **fields, 'replyCount': 0, 'createdAt': now()}
    entries.append(entry)
    return 201, entry


def read_entry(_query, _body, id):
    return 200, find(id)


def replace_entry(_query, body, id):
    entry = find(id)
    fields = valid(body, 1000, True)
    if FAULT != 'put-keeps-stars':
        entry.pop('stars', None)
    entry.update(fields)
    if FAULT == 'put-resets-count':
        entry['replyCount'] = 0
    if FAULT == 'put-moves':
        entries.remove(entry)
        entries.append(entry)
    return 200, entry


def delete_entry(_query, _body, id):
    entry = find(id)
    if FAULT == 'delete-by-author':
        entries[:] = [each for each in entries if each['author'] != entry['author']]
    else:
        entries.remove(entry)
    replies[:] = [reply for reply in replies if reply['entryId'] != id]
    return 204, None


def list_replies(_query, _body, id):
    if FAULT != 'replies-of-none':
        find(id)
    return 200, [reply for reply in replies if reply['entryId'] == id]


def write_reply(_query, body, id):
    entry = find(id)
    fields = valid(body, 300, False)
    reply = {'id': next_id('reply', replies), 'entryId': id, **fields, 'createdAt': now()}
    if FAULT == 'one-reply-per-author':
        replies[:] = [each for each in replies if each['author'] != reply['author'] or each['entryId'] != id]
    replies.append(reply)
    if FAULT != 'count-stale':
        entry['replyCount'] = sum(each['entryId'] == id for each in replies)
    return 201, reply


ROUTES = {
    ('GET', 'entries'): list_entries,
    ('POST', 'entries'): write_entry,
    ('GET', 'entry'): read_entry,
    ('PUT', 'entry'): replace_entry,
    ('DELETE', 'entry'): delete_entry,
    ('GET', 'replies'): list_replies,
    ('POST', 'replies'): write_reply,
}


def act(method, target, raw):
    url = urlsplit(target)
    match = re.fullmatch(r'/entries(?:/(\d{1,15})(/replies)?)?', url.path)
    kind = 'entries' if match and not match[1] else 'replies' if match and match[2] else 'entry'
    action = ROUTES.get((method, kind)) if match else None
    if action is None:
        raise Refusal(404, 'not found')
    body = None
    if method in ('POST', 'PUT'):
        try:
            body = json.loads(raw)
        except ValueError:
            raise Refusal(400, 'the body is not JSON') from None
    ids = [int(match[1])] if match[1] else []
    return action(parse_qs(url.query, keep_blank_values=True), body, *ids)


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    # A body is sent at once, and not when the client acknowledges the head.
    disable_nagle_algorithm = True

    def respond(self):
        raw = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        try:
            status, body = act(self.command, self.path, raw)
        except Refusal as refusal:
            status, body = refusal.status, {'message': refusal.message}
        data = b'' if body is None else json.dumps(body).encode()
        self.send_response(status)
        if status == 201 and 'entryId' not in body:
            self.send_header('Location', f'/entries/{body["id"]}')
        if data:
            self.send_header('Content-Type', 'application/json; charset=utf-8')
        if status != 204:
            self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = respond

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 64


write_entry({}, {'author': 'Ida', 'text': 'First!'})
write_entry({}, {'author': 'Jan', 'text': 'Came for the lake, stayed for the cake.', 'stars': 4})
write_reply({}, {'author': 'Host', 'text': 'Come again.'}, 2)
server = Server(('127.0.0.1', int(os.environ.get('PORT', '0'))), Handler)
print(f'listening on http://127.0.0.1:{server.server_port}', flush=True)
server.serve_forever()
