import { type Answer, ask, type Served, start } from './served.ts';

/** The ways in which a request may say who sends it, one of each kind that part 5 knows. */
export const ways = ['header', 'query', 'cookie', 'basic', 'named', 'bearer', 'pass'] as const;
export type Way = (typeof ways)[number];

/** Doors, and what opens each: any of these lists, all of it together; null: whatever is a good credential. */
export const doors: Readonly<Record<string, readonly (readonly Way[])[] | null>> = {
  ...Object.fromEntries(ways.map((way) => [way, [[way]]])),
  either: [['header'], ['cookie'], ['pass']],
  both: [['header', 'basic']],
  mixed: [['query', 'cookie'], ['bearer']],
  every: null,
};

const door = (name: string): string =>
  `  GET /${name}: { operation: ${name}, does: (none), response: { status: 200, body: { who: "\${actor.name}" } } }`;

/** Doors that only some credentials open, and one that stands open to all. */
export function house(
  more: { readonly several?: string; readonly wrong?: string; readonly life?: string } = {},
): string {
  const { several = '', wrong = 'refuse', life = 'PT1H' } = more;
  const rules = Object.entries(doors).map(
    ([name, schemes]) =>
      `    ${name}: { rule: known${schemes ? `, schemes: [${schemes.map((all) => `[${all.join(', ')}]`).join(', ')}]` : ''} }`,
  );
  const common = `actor: Person, wrong: ${wrong}`;
  return `
name: House
complete: true
resources:
  Person:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      name: { type: string, unique: true }
      password: { type: string, secret: hashed }
      key: { type: string, unique: true, secret: hashed, set: { create: "\${'k_' + random(24)}" } }
      code: { type: string, set: { create: "\${'c_' + random(24)}" } }
    required: [name, password]
endpoints:
  others: refuse
  POST /people:
    operation: enter
    does: create Person
    request: { body: Person }
    response:
      status: 201
      body:
        id: "\${this.id}"
        header: "\${this.key}"
        query: "\${this.code}"
        cookie: "\${issue('cookie', this)}"
        bearer: "\${issue('bearer', this)}"
        pass: "\${issue('pass', this)}"
  DELETE /people/{id}: { operation: leave, does: delete Person, response: 204 }
  DELETE /bearer: { operation: endBearer, does: revoke bearer, response: 204 }
  DELETE /pass: { operation: endPass, does: revoke pass, response: 204 }
  DELETE /cookie: { operation: endCookie, does: revoke cookie, response: 204 }
  GET /open: { operation: open, does: (none), response: { status: 200, body: { who: "\${actor == null ? 'nobody' : actor.name}" } } }
${Object.keys(doors).map(door).join('\n')}
authentication:
${several === '' ? '' : `  several: ${several}`}
  schemes:
    header: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, challenge: Key, ${common} }
    query: { type: apiKey, in: query, name: code, credentials: { kept: Person.code }, challenge: Code, ${common} }
    cookie: { type: apiKey, in: cookie, name: sid, credentials: { issued: opaque, life: ${life} }, challenge: Cookie, ${common} }
    basic: { type: http, scheme: basic, credentials: { kept: [Person.name, Person.password] }, challenge: 'Basic realm="house"', ${common} }
    named: { type: http, scheme: basic, prefix: Name, credentials: { kept: Person.key }, challenge: Name, ${common} }
    bearer: { type: http, scheme: bearer, credentials: { issued: opaque, life: ${life} }, challenge: Bearer, ${common} }
    pass: { type: http, scheme: bearer, prefix: [Pass, Entry], credentials: { issued: opaque, life: ${life} }, challenge: Pass, ${common} }
  authorization:
    enter: anyone
    leave: anyone
    open: anyone
    endBearer: { rule: known, schemes: bearer }
    endPass: { rule: known, schemes: pass }
    endCookie: { rule: known, schemes: cookie }
${rules.join('\n')}
events: (none)
states: (none)
limits: (none)
versioning: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    missing: { when: credential missing, status: 401 }
    wrong: { when: credential wrong, status: 401 }
    forbidden: { when: not authorized, status: 403 }
    invalid: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    unknown: { when: unknown, status: 404 }
`;
}

/** Somebody who came in, and by what. */
export interface Person {
  readonly name: string;
  readonly id: string;
  readonly credentials: Readonly<Record<Way, string>>;
}

/** A house that is open for business, with a clock that stands until it is moved. */
export interface House {
  readonly service: Served;
  readonly enter: (name: string) => Promise<Person>;
  /** Knocks at a door with credentials, by their ways. */
  readonly knock: (line: string, by: Readonly<Partial<Record<Way, string>>>) => Promise<Answer>;
  /** Lets the clock go on, in milliseconds. */
  readonly pass: (ms: number) => void;
}

export async function houseOf(text: string): Promise<House> {
  let time = Date.UTC(2026, 0, 2, 3, 4, 5);
  const service = await start(text, { milliseconds: () => time });
  return {
    service,
    pass: (ms) => {
      time += ms;
    },
    enter: async (name) => {
      const password = passwordOf(name);
      const { body } = await ask(service, 'POST /people', { name, password });
      const { id, header, ...others } = body as Record<string, string>;
      const credentials = {
        ...others,
        header,
        basic: userPass(name, password),
        named: userPass(String(header), ''),
      };
      return { name, id: String(id), credentials: credentials as Person['credentials'] };
    },
    knock: (line, by) => {
      const [method = '', path = ''] = line.split(' ');
      const query = by.query === undefined ? '' : `?code=${encodeURIComponent(by.query)}`;
      const fields = Object.entries(by).flatMap(([way, credential]) => fieldFor(way as Way, credential));
      return ask(service, `${method} ${path}${query}`, undefined, fields);
    },
  };
}

export const passwordOf = (name: string): string => `the password of ${name}`;

export function userPass(name: string, password: string): string {
  return Buffer.from(`${name}:${password}`).toString('base64');
}

function fieldFor(way: Way, credential: string): readonly string[] {
  switch (way) {
    case 'query':
      return [];
    case 'header':
      return [`X-Key: ${credential}`];
    case 'cookie':
      return [`Cookie: theme=dark; sid=${credential}`];
    default: {
      const words = { basic: 'Basic', named: 'Name', bearer: 'Bearer', pass: 'Pass' } as const;
      return [`Authorization: ${words[way]} ${credential}`];
    }
  }
}
