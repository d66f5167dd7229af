import datetime
import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, urlsplit

FAULT = os.environ.get('FAULT')
KEY = 'clinic-key'
lock = Lock()
patients = {}
appointments = {}


class Refusal(Exception):
    def __init__(self, status, code, message):
        self.status, self.body = status, {'error': {'code': code, 'message': message}}


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='milliseconds').replace('+00:00', 'Z')


def invalid(message):
    return Refusal(422, 'invalid', message)


def text(body, name, least, most):
    value = body.get(name)
    if not isinstance(value, str) or not least <= len(value) <= most:
        raise invalid(f'{name} must be a text of {least} to {most} characters')
    return value


def instant(value):
    if not isinstance(value, str) or not re.fullmatch(
        r'\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)', value
    ):
        raise invalid('startsAt must be a date-time')
    try:
        return datetime.datetime.fromisoformat(value.upper()).timestamp()
    except (ValueError, OverflowError):
        raise invalid('startsAt must be a date-time') from None


def patient_input(body):
    patient = {name: text(body, name, 1, 60) for name in ('firstName', 'lastName')}
    patient['email'] = text(body, 'email', 3, 120)
    if not re.fullmatch(r"[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", patient['email'], re.A):
        raise invalid('email is not valid')
    patient['birthDate'] = text(body, 'birthDate', 10, 10)
    try:
        datetime.date.fromisoformat(patient['birthDate'])
    except ValueError:
        raise invalid('birthDate is not a date') from None
    patient['insurance'] = body.get('insurance', 'private' if FAULT == 'wrong-default' else 'public')
    if patient['insurance'] not in ('public', 'private', 'none'):
        raise invalid('insurance is not valid')
    if 'notes' in body:
        patient['notes'] = text(body, 'notes', 0, 500)
    return patient


def check_email(email, own=None):
    if any(each['email'] == email and each['id'] != own for each in patients.values()):
        raise Refusal(409, 'conflict', 'another patient has this email')


def number(query, name, default, most):
    value = query.get(name, [str(default)])[0]
    if not re.fullmatch(r'\d{1,15}', value) or not 1 <= int(value) <= most:
        raise invalid(f'{name} is not valid')
    return int(value)


def list_patients(query, _body):
    page, size = number(query, 'page', 1, 10**15), number(query, 'pageSize', 10, 50)
    q = query.get('q', [''])[0]
    if FAULT == 'q-case':
        found = [each for each in patients.values() if each['lastName'].startswith(q)]
    else:
        found = [each for each in patients.values() if each['lastName'].lower().startswith(q.lower())]
    start = page * size if FAULT == 'page-from-zero' else (page - 1) * size
    total = -(-len(found) // size)
    return 200, {
        'data': found[start : start + size],
        'page': page,
        'pageSize': size,
        'totalItems': len(found),
        'totalPages': len(found) // size if FAULT == 'total-pages-floor' else total,
    }


def register(_query, body):
    patient = patient_input(body)
    check_email(patient['email'])
    patient = {'id': len(patients) + 1, **patient, 'registeredAt': now()}
    if FAULT == 'notes-lost':
        patient.pop('notes', None)
    patients[patient['id']] = patient
    return 201, patient


def found(items, id):
    if int(id) not in items:
        raise Refusal(404, 'not_found', 'not found')
    return items[int(id)]


def get_patient(_query, _body, id):
    return 200, found(patients, id)


def replace_patient(_query, body, id):
    old = found(patients, id)
    patient = patient_input(body)
    if FAULT != 'put-email-unchecked':
        check_email(patient['email'], old['id'])
    kept = old if FAULT == 'put-merges' else {}
    patients[old['id']] = {**kept, 'id': old['id'], **patient, 'registeredAt': old['registeredAt']}
    return 200, patients[old['id']]


def list_appointments(_query, _body, id):
    if FAULT != 'unknown-patient-empty':
        found(patients, id)
    own = [each for each in appointments.values() if each['patientId'] == int(id)]
    if FAULT == 'appointments-of-all':
        own = list(appointments.values())
    return 200, sorted(own, key=lambda each: instant(each['startsAt']))


def make(_query, body, id):
    patient = found(patients, id)
    doctor, start = text(body, 'doctor', 1, 60), instant(body.get('startsAt'))
    minutes = body.get('minutes', 15)
    if type(minutes) is not int or not 5 <= minutes <= 120:
        raise invalid('minutes must be from 5 to 120')
    for each in appointments.values():
        begin = instant(each['startsAt'])
        overlaps = start < begin + each['minutes'] * 60 and begin < start + minutes * 60
        active = each['status'] == 'booked' or FAULT == 'cancelled-blocks'
        if each['doctor'] == doctor and overlaps and active:
            raise Refusal(409, 'conflict', 'the doctor is busy')
    made = {
        'id': len(appointments) + 1,
        'patientId': patient['id'],
        'doctor': doctor,
        'startsAt': body['startsAt'],
        'minutes': minutes,
        'status': 'booked',
    }
    appointments[made['id']] = made
    return 201, made


def get_appointment(_query, _body, id):
    return 200, found(appointments, id)


def cancel(_query, _body, id):
    appointment = found(appointments, id)
    if appointment['status'] == 'cancelled' and FAULT != 'cancel-twice':
        raise Refusal(409, 'conflict', 'cancelled already')
    appointment['status'] = 'cancelled'
    return 200, appointment


ROUTES = [
    ('GET', r'/patients', list_patients),
    ('POST', r'/patients', register),
    ('GET', r'/patients/(\d+)', get_patient),
    ('PUT', r'/patients/(\d+)', replace_patient),
    ('GET', r'/patients/(\d+)/appointments', list_appointments),
    ('POST', r'/patients/(\d+)/appointments', make),
    ('GET', r'/appointments/(\d+)', get_appointment),
    ('POST', r'/appointments/(\d+)/cancel', cancel),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    # A body is sent at once, and not when the client acknowledges the head.
    disable_nagle_algorithm = True

    def answer(self):
        url = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        for method, pattern, act in ROUTES:
            match = re.fullmatch(pattern, url.path)
            if match and method == self.command:
                break
        else:
            raise Refusal(404, 'not_found', 'no such path')
        if self.headers.get('X-API-Key') != KEY and not (FAULT == 'cancel-needs-no-key' and act is cancel):
            raise Refusal(401, 'unauthorized', 'send a valid API key')
        body = None
        if act in (register, replace_patient, make):
            try:
                body = json.loads(raw)
            except ValueError:
                raise invalid('the body is not JSON') from None
            if not isinstance(body, dict):
                raise invalid('the body must be an object')
        with lock:
            return act(parse_qs(url.query, keep_blank_values=True), body, *match.groups())

    def handle_request(self):
        try:
            status, body = self.answer()
        except Refusal as refusal:
            status, body = refusal.status, refusal.body
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_request

    def log_message(self, *_):
        pass


register({}, {'firstName': 'Ada', 'lastName': 'Stone', 'email': 'first@example.com', 'birthDate': '1987-06-05'})
make({}, {'doctor': 'Dr. Moss', 'startsAt': '2031-01-02T10:00:00Z'}, '1')
server = ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', 0))), Handler)
print(f'listening on http://127.0.0.1:{server.server_port}', flush=True)
server.serve_forever()
