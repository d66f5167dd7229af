import base64
import json
import os
import re
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import RLock
from urllib.parse import parse_qs, unquote, urlsplit

FAULT = os.environ.get('FAULT')
lock = RLock()
books = {}
loans = {}


class Refusal(Exception):
    def __init__(self, status, message):
        self.status, self.message = status, message


def check(is_right, message):
    if not is_right:
        raise Refusal(400, message)


def is_text(value, most):
    return isinstance(value, str) and 1 <= len(value) <= most


def is_integer(value, least, most):
    return type(value) is int and least <= value <= most


def is_isbn(value):
    return isinstance(value, str) and re.fullmatch('[0-9]{13}', value) is not None


def check_details(body):
    check('title' not in body or is_text(body['title'], 200), 'title')
    check('author' not in body or is_text(body['author'], 100), 'author')
    check(body.get('year') is None or is_integer(body['year'], 1450, 2100), 'year')


def view(book):
    on_loan = sum(loan['isbn'] == book['isbn'] and loan['returnedAt'] is None for loan in loans.values())
    if FAULT == 'on-loan-counts-all':
        on_loan = sum(loan['isbn'] == book['isbn'] for loan in loans.values())
    return {**book, 'onLoan': on_loan}


def book_of(isbn):
    if isbn not in books:
        raise Refusal(404, 'no such book')
    return books[isbn]


def loan_of(id):
    if id not in loans:
        raise Refusal(404, 'no such loan')
    return loans[id]


def list_books(query, _body):
    limit = query.get('limit', '20')
    check(re.fullmatch(r'\d{1,3}', limit) and 1 <= int(limit) <= 50, 'limit')
    available = query.get('available')
    check(available in (None, 'true', 'false'), 'available')
    start = ('', '')
    if 'cursor' in query:
        try:
            start = tuple(json.loads(base64.urlsafe_b64decode(query['cursor'])))
            check(len(start) == 2 and all(isinstance(part, str) for part in start), 'cursor')
        except (ValueError, TypeError):
            raise Refusal(400, 'cursor') from None
    found = [view(book) for book in sorted(books.values(), key=lambda book: (book['title'], book['isbn']))]
    if 'author' in query:
        if FAULT == 'author-prefix':
            found = [book for book in found if book['author'].startswith(query['author'])]
        else:
            found = [book for book in found if book['author'] == query['author']]
    if available is not None:
        wanted = available == 'true' or FAULT == 'available-false-as-true'
        found = [book for book in found if (book['onLoan'] < book['copies']) == wanted]
    rest = [book for book in found if (book['title'], book['isbn']) > start]
    page = rest[: int(limit)]
    has_more = len(rest) > len(page) or (FAULT == 'cursor-on-last-page' and len(page) == int(limit))
    cursor = None
    if has_more and page:
        last = page[-1]
        cursor = base64.urlsafe_b64encode(json.dumps([last['title'], last['isbn']]).encode()).decode()
    return 200, {'books': page, 'nextCursor': cursor}


def add_book(_query, body):
    check(is_isbn(body.get('isbn')), 'isbn')
    check('title' in body and 'author' in body, 'title and author are required')
    check_details(body)
    copies = body.get('copies', 1)
    check(is_integer(copies, 1, 51 if FAULT == 'copies-maximum' else 50), 'copies')
    if body['isbn'] in books and FAULT != 'isbn-overwrites':
        raise Refusal(409, 'the ISBN is known')
    book = {name: body.get(name) for name in ('isbn', 'title', 'author', 'year')}
    books[book['isbn']] = {**book, 'copies': copies}
    return 201, view(books[book['isbn']])


def get_book(_query, _body, isbn):
    return 200, view(book_of(isbn))


def change_book(_query, body, isbn):
    book = book_of(isbn)
    check_details(body)
    for name in ('title', 'author', 'year'):
        if name in body and not (FAULT == 'null-year-ignored' and body[name] is None):
            book[name] = body[name]
    return 200, view(book)


def remove_book(_query, _body, isbn):
    book = book_of(isbn)
    if view(book)['onLoan'] > 0:
        raise Refusal(409, 'a copy is on loan')
    del books[isbn]
    return 204, None


def lend(_query, body):
    check(is_isbn(body.get('isbn')), 'isbn')
    check(is_text(body.get('member'), 40), 'member')
    days = body.get('days', 28)
    check(is_integer(days, 1, 60), 'days')
    book = view(book_of(body['isbn']))
    if book['onLoan'] >= book['copies'] + (1 if FAULT == 'one-too-many' else 0):
        raise Refusal(409, 'all copies are on loan')
    due = datetime.now(timezone.utc) + timedelta(days=days)
    loan = {
        'id': f'loan-{len(loans) + 1}',
        'isbn': book['isbn'],
        'member': body['member'],
        'dueOn': due.isoformat() if FAULT == 'due-with-time' else due.date().isoformat(),
        'returnedAt': None,
    }
    loans[loan['id']] = loan
    return 201, loan


def get_loan(_query, _body, id):
    return 200, loan_of(id)


def return_loan(_query, _body, id):
    loan = loan_of(id)
    if loan['returnedAt'] is not None and FAULT != 'return-twice':
        raise Refusal(409, 'the copy is back')
    returned = {**loan, 'returnedAt': datetime.now(timezone.utc).isoformat(timespec='seconds').replace('+00:00', 'Z')}
    if FAULT != 'return-lost':
        loans[id] = returned
    return 200, returned


ROUTES = [
    ('GET', '/books', list_books),
    ('POST', '/books', add_book),
    ('GET', '/books/([^/]+)', get_book),
    ('PATCH', '/books/([^/]+)', change_book),
    ('DELETE', '/books/([^/]+)', remove_book),
    ('POST', '/loans', lend),
    ('GET', '/loans/([^/]+)', get_loan),
    ('POST', '/loans/([^/]+)/return', return_loan),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    # A body is sent at once, and not when the client acknowledges the head.
    disable_nagle_algorithm = True

    def answer(self):
        raw = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        if self.headers.get('Authorization') != 'Bearer staff-token':
            raise Refusal(401, 'staff only')
        url = urlsplit(self.path)
        for method, pattern, act in ROUTES:
            match = re.fullmatch(pattern, url.path)
            if match and method == self.command:
                break
        else:
            raise Refusal(404, 'no such path')
        body = None
        if act in (add_book, change_book, lend):
            try:
                body = json.loads(raw)
            except ValueError:
                raise Refusal(400, 'the body is not JSON') from None
            check(isinstance(body, dict), 'the body must be an object')
        query = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        with lock:
            return act(query, body, *map(unquote, match.groups()))

    def respond(self):
        try:
            status, body = self.answer()
        except Refusal as refusal:
            status, body = refusal.status, {'error': refusal.message}
        self.send_response(status)
        if status == 401 and FAULT != 'challenge-missing':
            self.send_header('WWW-Authenticate', 'Bearer')
        if status == 201 and 'title' in body:
            self.send_header('Location', f'/books/{body["isbn"]}')
        if body is None:
            self.end_headers()
            return
        data = json.dumps(body).encode()
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_DELETE = respond

    def log_message(self, *_):
        pass


add_book({}, {'isbn': '9780000000002', 'title': 'Field Notes', 'author': 'R. Quill', 'copies': 3})
lend({}, {'isbn': '9780000000002', 'member': 'm-1'})
server = ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', 0))), Handler)
print(f'listening on http://127.0.0.1:{server.server_port}', flush=True)
server.serve_forever()
