"""The notes of notes.md, with Python's standard library: python3 notes.py PORT"""

import itertools
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

notes = {}
numbers = itertools.count(1)


class Notes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=None, headers=()):
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def handle_request(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        if path == "/notes":
            methods = {"GET": self.list, "POST": self.create}
        elif re.fullmatch(r"/notes/[^/]+", path):
            methods = {"GET": self.read, "DELETE": self.delete}
        else:
            return self.answer(404)
        method = methods.get("GET" if self.command == "HEAD" else self.command)
        if method is None:
            return self.answer(405, headers=[("Allow", ", ".join([*methods, "HEAD"]))])
        if query:
            return self.answer(422)
        number = path.removeprefix("/notes/")
        method(int(number) if re.fullmatch(r"[1-9][0-9]*", number) else None, content)

    def list(self, _number, _content):
        self.answer(200, list(notes.values()))

    def create(self, _number, content):
        if self.headers.get("Content-Type") != "application/json":
            return self.answer(415)
        try:
            note = json.loads(content)
        except ValueError:
            return self.answer(400)
        text = note.get("text") if isinstance(note, dict) and len(note) == 1 else None
        if not isinstance(text, str) or not 1 <= len(text) <= 200:
            return self.answer(422)
        number = next(numbers)
        notes[number] = {"id": number, "text": text}
        self.answer(201, notes[number])

    def read(self, number, _content):
        self.answer(200, notes[number]) if number in notes else self.answer(404)

    def delete(self, number, _content):
        self.answer(204 if notes.pop(number, None) else 404)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Notes).serve_forever()
