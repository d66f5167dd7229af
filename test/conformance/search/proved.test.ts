import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { ruleFor } from '../../../src/conformance/search/reasons/reasons.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { sampled } from '../../long.ts';
import { specificationOf } from '../../service/served.ts';

const text = `
name: Hall
tacet: 1
complete: true
service: { purpose: Talks in halls. , actors: { guest: listens, host: speaks, porter: opens } }
resources:
  Person:
    identifier: name
    fields:
      name: { type: string }
      key:  { type: string, readable: false }
      role: { type: string, default: guest }
      rank: { type: string, enum: [low, high], default: low, writable: false }
    required: [name, key]
    items: [{ name: ann, key: key-of-ann }, { name: bob, key: key-of-bob }]
  Pass:
    identifier: id
    fields:
      id:   { type: string, set: { create: "\${uuid()}" } }
      code: { type: string }
      seenAt: { type: string, format: date-time, set: { create: "\${now}" } }
    required: [code]
  Hall:
    identifier: id
    fields:
      id:    { type: string, pattern: "^[a-z]{2,12}$" }
      opens: { type: string, pattern: "^[0-9]{2}:[0-9]{2}$" }
      phone: { type: string, pattern: "^[0-9]{4,12}$" }
      plate: { type: string, pattern: "^[0-9A-F]{4}$" }
      lock:  { type: string, pattern: "^[0-9]{4}$" }
      floor: { type: integer }
    required: [opens]
  Talk:
    identifier: id
    fields:
      id:      { type: string, format: uuid, set: { create: "\${uuid()}" } }
      hall:    { refers: Hall, ifDeleted: refuse, writable: false }
      speaker: { refers: Person, ifDeleted: refuse, set: { create: "\${actor}" } }
      title:   { type: string }
      heldAt:  { type: [string, "null"], format: date-time, default: null, writable: false }
      endedAt: { type: [string, "null"], format: date-time, default: null, writable: false }
      state:   { type: string }
    required: [title]
    guards: { create: "\${this.title != 'no'}" }
  Note:
    identifier: id
    fields:
      id:        { type: integer, set: { create: "\${sequence()}" } }
      text:      { type: string }
      changedAt: { type: string, format: date-time, set: { create: "\${now}", update: "\${now}" } }
    required: [text]
states:
  Talk.state:
    states: [planned, held, over]
    initial: planned
    final: [over]
    transitions:
      hold: { from: planned, to: held, when: "\${this.title != 'never'}", set: { heldAt: "\${now}" } }
      end:  { from: held, to: over, set: { endedAt: "\${request.body.at}" } }
      lose: { from: planned, to: over, after: P9D }
endpoints:
  protocol: RFC 9110
  others: refuse
  PUT /halls/{id}:
    operation: putHall
    does: { create: Hall, present: replace, same: unchanged }
    request: { body: Hall }
    response: [{ when: created, status: 201, body: Hall }, { status: 200, body: Hall }]
  PATCH /halls/{id}:
    operation: changeHall
    does: { update: Hall, same: unchanged }
    request: { body: Hall }
    response: { status: 200, body: Hall }
  GET /halls/{id}: { operation: readHall, does: read Hall, response: { status: 200, body: Hall } }
  DELETE /halls/{id}: { operation: deleteHall, does: delete Hall, response: 204 }
  GET /halls:
    operation: listHalls
    does: { list: Hall, order: [floor, id] }
    request:
      query:
        floor: { type: integer, filter: floor }
        sort:  { sort: [floor, id], default: floor }
        from:  { type: integer, page: start, minimum: 1, default: 1 }
        size:  { type: integer, page: size, minimum: 1, default: 5 }
    response: { status: 200, body: { halls: "\${page.items.map(h, h.id)}" } }
  GET /rooms:
    operation: listRooms
    does: { list: Hall, order: [floor, id] }
    request: { query: { by: { sort: [id, floor], default: id } } }
    response: { status: 200, body: "\${Hall(page.items)}" }
  GET /floors:
    operation: listFloors
    does: { list: Hall, order: [floor, id] }
    request: { query: { one: { sort: [floor], default: floor }, two: { sort: [id], default: id } } }
    response: { status: 200, body: "\${Hall(page.items)}" }
  POST /halls/{id}/talks:
    operation: plan
    does: { create: Talk, with: ["\${request.body}", { hall: "\${hall}" }] }
    request: { path: { id: Hall.id as hall }, body: Talk }
    response: { status: 201, body: Talk }
  GET /talks:
    operation: listTalks
    does: { list: Talk, order: [title] }
    request: { query: { title: { type: string, filter: title } } }
    response: { status: 200, headers: { X-Total: "\${page.total}" }, body: "\${Talk(page.items)}" }
  GET /talks/{id}: { operation: readTalk, does: read Talk, response: { status: 200, body: Talk } }
  POST /talks/{id}/start: { operation: start, does: hold Talk, response: { status: 200, body: Talk } }
  POST /talks/{id}/end:
    operation: stop
    does: end Talk
    request: { body: { fields: { at: { type: string } }, required: [at] } }
    response: { status: 200, body: Talk }
  POST /passes: { operation: addPass, does: create Pass, request: { body: { of: Pass, shows: [code] } }, response: { status: 201, body: Pass } }
  PATCH /passes/{id}: { operation: changePass, does: update Pass, request: { body: { of: Pass, shows: [code] } }, response: { status: 200, body: Pass } }
  POST /notes: { operation: note, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}:
    operation: changeNote
    does: { update: Note, same: unchanged, with: ["\${request.body}", { text: "\${request.body.text}" }] }
    request: { body: Note }
    response: { status: 200, body: Note }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, challenge: Key }
    pass: { type: apiKey, in: header, name: X-Pass, credentials: { kept: Pass.code }, actor: Pass, challenge: Pass }
  actors: { host: "\${actor.role == 'host'}" }
  authorization:
    addPass: anyone
    deleteHall: host
    putHall: { rule: known, schemes: key }
    plan: { rule: known, schemes: key }
    start: { rule: known, schemes: key, items: "\${this.speaker == actor && this.title != 'x'}" }
    readTalk: { rule: known, schemes: key, items: "\${this.speaker != actor}" }
  otherwise: { rule: known, schemes: [key, pass] }
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    none:       { when: credential missing, status: 401 }
    wrong:      { when: credential wrong, status: 401 }
    long:       { when: too large body, status: 413 }
    other:      { when: unsupported media, status: 415 }
    unreadable: { when: malformed, status: 400 }
    hosts:      { when: not authorized, status: 403 }
    no_hall:    { when: unknown Hall, status: 404 }
    no_talk:    { when: unknown Talk, status: 404 }
    missing:    { when: unknown, status: 404 }
    invalid:    { when: invalid, status: 422 }
    moved:      { when: transition refused Talk, status: 409 }
    never:      { when: guard refused Talk.hold, status: 409 }
    no:         { when: guard refused Talk.create, status: 409 }
    in_use:     { when: in use Hall, status: 409 }
    locked:     { when: "\${request.body.lock == '0000'}", operations: [putHall], status: 409 }
  order: listed
limits: { sizes: { body: 2 KiB } }
versioning: (none)
`;

const specification = specificationOf(text);
const deviations = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));

function ruled(name: string): string | null {
  const deviation = deviations.get(name);
  if (deviation === undefined) throw new TypeError(`no deviation: ${name}`);
  return ruleFor(deviation, specification)?.name ?? null;
}

const open = 'without the statement, nothing is said of it';
const apart = 'no request meets both conditions';
const fitting = 'no text that fits is changed, and no other comes to fit';
const made = 'the service alone makes the value';
const putHall = 'endpoints["PUT /halls/{id}"].request.body';
const order = (first: number): string =>
  `errors.order: elements ${first} and ${first + 1} are in the other order`;

describe('a deviation that is proved to be none', () => {
  it.each([
    [
      open,
      'endpoints["GET /talks"].request.others: it is left out',
      'endpoints["GET /talks"].request.others: it is ignore',
    ],
    [open, 'endpoints["GET /halls"].does.order: it is left out', 'errors.order: it is left out'],
    [
      open,
      'endpoints["GET /halls"].does.order: element 2 is left out',
      'endpoints["GET /halls"].does.order: element 1 is left out',
    ],
    [
      open,
      'resources.Talk.fields.hall.ifDeleted: it is left out',
      'resources.Talk.fields.hall.ifDeleted: it is keep',
    ],
    [
      open,
      'resources.Talk.fields.id.set.create: it is left out',
      'resources.Talk.fields.speaker.set.create: it is left out',
    ],
    [
      open,
      'states["Talk.state"].transitions.hold: it is left out',
      'states["Talk.state"].transitions.lose: it is left out',
    ],
    [
      open,
      'endpoints["PUT /halls/{id}"].response: element 2 is left out',
      'endpoints["PUT /halls/{id}"].response: element 1 is left out',
    ],
    [
      open,
      'endpoints["GET /halls"].request.query.from.minimum: it is 0',
      'endpoints["GET /halls"].request.query.from.minimum: it is 2',
    ],
    [
      'a page is refused below that anyway',
      'endpoints["GET /halls"].request.query.from.minimum: it is left out',
      'endpoints["GET /halls"].request.query.size.minimum: it is left out',
    ],
    [
      'the list has the same order without the statement',
      'endpoints["GET /halls"].request.query.sort.default: it is left out',
      'endpoints["GET /rooms"].request.query.by.default: it is left out',
    ],
    [
      'the list has the same order without the statement',
      'endpoints["GET /halls"].request.query.sort.default: it is left out',
      'endpoints["GET /floors"].request.query.one.default: it is left out',
    ],
    [
      'the rule about the item lets nobody in who is not known',
      'authentication.authorization.start.rule: anybody is let in',
      'authentication.authorization.readTalk.rule: anybody is let in',
    ],
    [
      'the shape refuses the value as it does none',
      `${putHall}: nothing is stored for an empty opens`,
      `${putHall}: nothing is stored for an empty lock`,
    ],
    [apart, order(1), order(5)],
    [apart, order(3), order(2)],
    [apart, order(4), order(6)],
    [apart, order(11), order(10)],
    [fitting, `${putHall}: capitals are made small in opens`, `${putHall}: capitals are made small in plate`],
    [
      fitting,
      `${putHall}: characters past the tenth are cut off in plate`,
      `${putHall}: characters past the tenth are cut off in phone`,
    ],
    [
      fitting,
      `${putHall}: characters past the tenth are cut off in opens`,
      `${putHall}: characters past the tenth are cut off in lock`,
    ],
    [fitting, `${putHall}: capitals are made small in phone`, `${putHall}: spaces are cut off around phone`],
    [
      'nothing follows of an update that leaves every value as it was',
      'endpoints["PATCH /halls/{id}"].does.same: it is changed',
      'endpoints["PATCH /notes/{id}"].does.same: it is changed',
    ],
    [
      'nothing follows of an update that leaves every value as it was',
      'endpoints["PATCH /halls/{id}"].does.same: it is left out',
      'endpoints["PUT /halls/{id}"].does.same: it is changed',
    ],
    [
      'no item that authenticates is ever changed',
      'authentication.schemes.key.credentials.kept: a former value is still good',
      'authentication.schemes.pass.credentials.kept: a former value is still good',
    ],
    [
      'no member is given twice',
      'endpoints["POST /halls/{id}/talks"].does.with: elements 1 and 2 are in the other order',
      'endpoints["PATCH /notes/{id}"].does.with: elements 1 and 2 are in the other order',
    ],
    [
      'the answer counts nothing',
      'endpoints["GET /halls"].does: what the answer counts does not follow the filters',
      'endpoints["GET /talks"].does: what the answer counts does not follow the filters',
    ],
    [
      'no rule takes from there who the actor is',
      'service.actors.host: it is left out',
      'service.actors.host: nobody is this actor',
    ],
    [
      made,
      'resources.Talk.fields.heldAt.format: it is left out',
      'resources.Talk.fields.endedAt.format: it is left out',
    ],
    [
      made,
      'resources.Person.fields.rank.enum: it is left out',
      'resources.Person.fields.rank.default: it is left out',
    ],
    [
      'no body has the field',
      'resources.Pass.fields.seenAt.writable: it is true',
      'resources.Note.fields.changedAt.writable: it is true',
    ],
    [
      made,
      'resources.Talk.fields.id.format: it is left out',
      'resources.Hall.fields.id.pattern: it is left out',
    ],
  ])('is known by a rule: %s: %s', (rule, name, beside) => {
    expect(ruled(name)).toBe(rule);
    expect(ruled(beside)).not.toBe(rule);
  });

  it('is told by no walk', () => {
    const ruledOut = [...deviations.values()].filter((each) => ruleFor(each, specification) !== null);
    const suspects = ruledOut.map((deviation) => new Suspect(deviation));
    const told = sampled([1, 2, 3], 3).flatMap((seed) => [
      ...walk(begunWorld(specification), suspects, seeded(seed), 120).told.keys(),
    ]);
    expect(suspects.length).toBeGreaterThan(50);
    expect(told.map(({ deviation }) => nameOf(deviation))).toEqual([]);
  });
});

describe('a deviation that nobody makes', () => {
  it('is no state in which items begin anyway', () => {
    expect(deviations.has('states["Talk.state"].initial: it is held')).toBe(true);
    expect(deviations.has('states["Talk.state"].initial: it is planned')).toBe(false);
  });

  it('is nothing that the items of the document refuse', () => {
    expect(deviations.has('resources.Person.items: what it refuses is done all the same')).toBe(false);
    expect(deviations.has('resources.Person.required: what it refuses is done all the same')).toBe(true);
  });

  it('is no item that an operation makes, and does not find', () => {
    const says = (name: string): boolean =>
      deviations.has(`errors.codes.no_hall.status: another status is sent, in ${name} alone`);
    expect(says('readHall')).toBe(true);
    expect(says('putHall')).toBe(false);
  });

  it('leaves out no member that is null where none is', () => {
    const isThere = (operation: string): boolean =>
      deviations.has(`endpoints["${operation}"].response: members that are null are left out`);
    expect(isThere('GET /talks/{id}')).toBe(true);
    expect(isThere('PATCH /halls/{id}')).toBe(false);
  });
});
