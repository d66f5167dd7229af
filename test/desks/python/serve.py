"""The desk over HTTP/1.1 (RFC 9112)."""

import re
import socket
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST = 8 * 1024 * 1024


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def serve(desk, port):
    """Prints the address, and serves until the process ends."""
    patterns = {}
    for key in desk.table["endpoints"]:
        method, path = key.split(" ")
        patterns.setdefault(path, {})[method] = key
    routes = [(re.compile(re.escape(path).replace(r"\{id\}", "([^/]+)")), keys) for path, keys in patterns.items()]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def setup(self):
            super().setup()
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def log_message(self, *_):
            pass

        def send(self, status, headers, content):
            self.send_response_only(status)
            self.send_header("Date", self.date_time_string())
            for name, value in headers:
                self.send_header(name, value)
            if status not in (204, 304):
                self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            if content and self.command != "HEAD":
                self.wfile.write(content)
            self.wfile.flush()

        def content(self):
            if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
                chunks = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    chunks.append(self.rfile.read(size))
                    self.rfile.readline()
                while self.rfile.readline().strip():
                    pass
                return b"".join(chunks)
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))

        def handle_request(self):
            path, _, query = self.path.partition("?")
            if int(self.headers.get("Content-Length") or 0) > MOST:
                self.close_connection = True
                return self.send(413, [("Connection", "close")], None)
            content = self.content()
            route = next(((found, keys) for pattern, keys in routes if (found := pattern.fullmatch(path))), None)
            dates = desk.dates(desk.version(self.headers)[0])
            if route is None:
                return self.send(404, dates, None)
            found, keys = route
            is_kept = "protocol" in desk.table
            key = keys.get("GET" if self.command == "HEAD" and is_kept else self.command)
            if key is None:
                allowed = ", ".join([*keys, "HEAD"] if "GET" in keys else keys)
                return self.send(405, [("Allow", allowed), *dates], None) if is_kept else self.send(404, dates, None)
            number = found.group(1) if found.groups() else None
            try:
                answer = desk.answer(key, number, query, self.headers, content)
            except Exception:
                traceback.print_exc()
                return self.send(500, [], None)
            return self.send(answer.status, answer.headers, answer.content)

    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        setattr(Handler, f"do_{method}", Handler.handle_request)
    server = Server(("127.0.0.1", port), Handler)
    desk.url = f"http://127.0.0.1:{server.server_port}"
    print(desk.url, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
