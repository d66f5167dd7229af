import { bodyOf, type Call, type Clinic, personShown, plain } from './clinic.ts';
import type { Gate } from './gate.ts';
import { pageBy, queryOf } from './query.ts';
import { microsOf, type Person, written } from './records.ts';
import { Failures, require } from './request.ts';

const nameShape = { type: 'string', minLength: 1, maxLength: 40 } as const;
const phoneShape = { type: ['string', 'null'], pattern: /^\+[0-9]{7,15}$/ } as const;

const scopes = ['read', 'book', 'treat', 'manage'];

export function addKeys({ app, practice, broken }: Clinic, gate: Gate): void {
  app.post('/keys', gate.opens({ scope: 'manage', media: 'application/json' }), (call) => {
    const given = bodyOf(
      call,
      {
        name: { type: 'string', minLength: 1, maxLength: 30 },
        scopes: { type: 'array', items: { type: 'string', enum: scopes }, minItems: 1, uniqueItems: true },
      },
      ['name', 'scopes'],
    ) as { name: string; scopes: string[] };
    const { id, name, scopes: granted, token } = practice.addKey(call.var.actor.id, given.name, given.scopes);
    return call.json({ id, name, scopes: granted, token }, 201, { 'Cache-Control': 'no-store' });
  });

  app.delete('/keys/:id', gate.opens({ scope: 'manage', accepts: null }), (call) => {
    const key = practice.keys.get(call.req.param('id'));
    const isOwn = key?.owner === call.var.actor.id || broken('any-key-deleted');
    require(key !== undefined && isOwn, 'no-key');
    plain(call);
    practice.keys.delete(key.id);
    return call.body(null, 204);
  });
}

/** The patient of the path, if the client may see the record. */
function patientOf({ practice }: Clinic, call: Call): Person {
  const person = practice.people.get(call.req.param('id') ?? '');
  const { actor } = call.var;
  const isSeen = person?.role === 'patient' && (person === actor || actor.role !== 'patient');
  require(person !== undefined && isSeen, 'no-patient');
  return person;
}

/** Seconds since 1970, as `Last-Modified` has them. */
const secondsOf = (time: string): number => Math.floor(microsOf(time) / 1_000_000);
const httpDate = (time: string): string => new Date(secondsOf(time) * 1000).toUTCString();

/** The seconds of a date of RFC 9110; null if it is none. */
function dateIn(field: string | undefined): number | null {
  const date = new Date(field ?? '');
  return Number.isNaN(date.getTime()) || date.toUTCString() !== field ? null : date.getTime() / 1000;
}

export function addPatients(clinic: Clinic, gate: Gate): void {
  const { app } = clinic;
  const manage = { scope: 'manage', roles: ['staff'], media: 'application/json' } as const;
  app.post('/patients', gate.opens(manage), (call) => register(clinic, call));

  const list = gate.opens({ scope: 'read', roles: ['staff', 'doctor'] });
  app.get('/patients', list, (call) => call.json(listPatients(clinic, call)));

  app.get('/patients/:id', gate.opens({ scope: 'read' }), (call) => {
    const person = patientOf(clinic, call);
    plain(call);
    call.header('Last-Modified', httpDate(person.updatedAt));
    const since = dateIn(call.req.header('If-Modified-Since'));
    const isSame = since !== null && secondsOf(person.updatedAt) <= since;
    return isSame ? call.body(null, 304) : call.json(personShown(clinic, call, person));
  });

  const merge = gate.opens({ scope: 'manage', media: 'application/merge-patch+json' });
  app.patch('/patients/:id', merge, (call) => edit(clinic, call));
}

function register(clinic: Clinic, call: Call): Response {
  const { practice, broken } = clinic;
  const shapes = {
    id: { type: 'string', pattern: /^[DPS][0-9]{4}$/ },
    given: nameShape,
    family: nameShape,
    email: { type: 'string', format: 'email', maxLength: 80 },
    phone: phoneShape,
    born: { type: 'string', format: 'date' },
  } as const;
  const body = bodyOf(call, shapes, ['id', 'given', 'family', 'email', 'born']);
  const { id, given, family, email, phone = null, born } = body as unknown as Person;
  const now = practice.now();
  const failures = new Failures();
  if (!id.startsWith('P')) failures.add('id', 'holds');
  if (microsOf(`${born}T00:00:00Z`) >= now) failures.add('born', 'holds');
  failures.end();
  const kept = broken('email-as-given') ? email : email.toLowerCase();
  const isTaken = [...practice.people.values()].some((one) => one.email === kept);
  require(!practice.people.has(id) && !isTaken, 'exists');
  const updatedAt = written(now);
  const person: Person = { id, role: 'patient', given, family, email: kept, phone, born, updatedAt };
  practice.people.set(id, person);
  return call.json(personShown(clinic, call, person), 201, { Location: `/patients/${id}` });
}

function listPatients(clinic: Clinic, call: Call): object {
  const { practice } = clinic;
  const query = queryOf(call.var.search, {
    q: { type: 'string', minLength: 2 },
    bornAfter: { type: 'string', format: 'date' },
    bornBefore: { type: 'string', format: 'date' },
    sort: { sort: ['family', 'born', 'updatedAt'] },
    limit: { type: 'integer', minimum: 1 },
    cursor: {},
  });
  const { q, bornAfter, bornBefore, sort = 'family' } = query;
  const part = q?.toLowerCase() ?? '';
  const found = [...practice.people.values()].filter(
    ({ role, given, family, born }) =>
      role === 'patient' &&
      (given.toLowerCase().includes(part) || family.toLowerCase().includes(part)) &&
      (bornAfter === undefined || born > bornAfter) &&
      (bornBefore === undefined || born < bornBefore),
  );
  const order = [...sort.split(','), 'family', 'given', 'id'];
  const list = ['patients', sort, q, bornAfter, bornBefore].join();
  const { page, next } = pageBy(found, { order, list, query });
  return { patients: page.map((one) => personShown(clinic, call, one)), next };
}

function edit(clinic: Clinic, call: Call): Response {
  const { practice, broken } = clinic;
  const person = patientOf(clinic, call);
  const { actor, body } = call.var;
  require(person === actor || actor.role === 'staff', 'not-yours');
  const given = patchOf(call);
  const until = dateIn(call.req.header('If-Unmodified-Since'));
  require(until === null || secondsOf(person.updatedAt) <= until || broken('stale-edit'), 'stale');
  const isSame = Object.entries(given).every(([name, value]) =>
    value === null ? !(name in person) : Reflect.get(person, name) === value,
  );
  for (const [name, value] of Object.entries(body)) {
    if (value === null && !broken('null-is-kept')) Reflect.deleteProperty(person, name);
    else Reflect.set(person, name, value);
  }
  if (!isSame && !broken('edit-undated')) person.updatedAt = written(practice.now());
  call.header('Last-Modified', httpDate(person.updatedAt));
  return call.json(personShown(clinic, call, person));
}

/** A patch (RFC 7396): first it is judged which members it has, and then what they come to. */
function patchOf(call: Call): Call['var']['body'] {
  const { body } = call.var;
  const known = { given: {}, family: {}, phone: {} };
  bodyOf(call, known, []);
  const left = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const removed = Object.keys(body).filter((name) => body[name] === null && name !== 'phone');
  bodyOf(
    { var: { ...call.var, body: left } } as Call,
    { given: nameShape, family: nameShape, phone: phoneShape },
    removed,
  );
  return body;
}
