import { afterAll, describe, expect, it } from 'vitest';
import { bench, type Running } from './running.ts';
import { start } from './served.ts';

const { serving, end } = bench();
afterAll(end);

const parcels = (place: string, more = ''): string => `# Parcels

## Resources

\`\`\`yaml
Parcel:
  identifier: id
  fields:
    id: { type: string, set: { create: "\${uuid()}" } }
    weight: { type: integer, minimum: 1, maximum: 30000, unique: true }
    note: { type: string, maxLength: 20, set: { create: "\${'new'}" } }
    size: Size
    kind: { type: string, enum: [small, large, huge] }
  required: [weight]
Size: { identifier: (none), fields: { depth: { type: integer }, width: { type: integer } }, others: refuse }
Brief: { of: Parcel, shows: [weight] }
\`\`\`

## Endpoints

\`\`\`yaml
others: refuse
POST /parcels: { does: create Parcel, request: { body: Parcel, media: [application/json, application/x-www-form-urlencoded] }, response: { status: 201, body: Parcel } }
GET /parcels: { does: list Parcel, response: { status: 200, body: "\${Brief(page.items)}" } }
GET /parcels/{id}: { does: read Parcel, response: { status: 200, body: Parcel } }
PATCH /parcels/{id}: { does: update Parcel, request: { body: Parcel, media: [application/json, application/json-patch+json] }, response: { status: 200, body: Parcel } }
PUT /parcels/{id}: { does: replace Parcel, request: { body: Parcel }, response: { status: 200, body: Parcel } }
POST /parcels/{id}/cancellation: { does: read Parcel, response: 204 }
GET /version: { does: (none), response: { status: 200, body: { version: "\${request.version}" } } }
GET /vendors: { does: (none), response: 204 }
\`\`\`

## Errors

\`\`\`yaml
payload: { body: { code: "\${error.code}", at: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" } }
codes:
  missing: { when: version missing, status: 412 }
  unknown: { when: version unknown, status: 406 }
  retired: { when: version retired, status: 410 }
  invalid: { when: invalid, status: 422 }
  taken: { when: not unique Parcel.weight, status: 409 }
  nowhere: { when: unknown path, status: 404 }
\`\`\`

## Versioning

\`\`\`yaml
place: ${place}
${more}
versions:
  "3": { alias: [current, "3.*"] }
  "2": { alias: ["3.1", "2.*"], sunset: 2030-01-01 }
  "1":
    deprecated: 2026-06-01
    sunset: 2027-01-01
    retired: 2027-02-01
    differs:
      resources.Parcel.fields.weight: { was: kilos, type: number, minimum: 0.001, maximum: 40, shown: "\${double(value) / 1000.0}", taken: "\${round(value * 1000.0)}" }
      resources.Parcel.fields.note: { was: (none), taken: "\${'old'}" }
      resources.Parcel.fields.kind.enum: [small, large]
      resources.Size.fields.depth: { was: deep }
      endpoints["POST /parcels/{id}/cancellation"]: (none)
  "0": { headers: (none), deprecated: 2026-01-01 }
\`\`\`
`;

interface Got {
  readonly status: number;
  readonly body: unknown;
  readonly fields: Readonly<Record<string, string>>;
}

async function ask(
  { call }: Pick<Running, 'call'>,
  line: string,
  { body, fields = {}, media = 'application/json' }: Asking = {},
): Promise<Got> {
  const [method = '', target = ''] = line.split(' ');
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await call({
    method,
    target,
    fields: { ...(body !== undefined && { 'Content-Type': media }), ...fields },
    body: body === undefined ? null : content,
  });
  return {
    status: answer.status,
    body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown),
    fields: Object.fromEntries(answer.fields.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

interface Asking {
  readonly body?: unknown;
  readonly fields?: Readonly<Record<string, string>>;
  readonly media?: string;
}

const autumn = Date.UTC(2026, 10, 21);
const at = (ms: number) => ({ milliseconds: () => ms });

describe('where a request names its version (language §9.1)', () => {
  const named = (place: string, request: Asking & { readonly line?: string }, more?: string): Promise<Got> =>
    serving(
      parcels(place, more),
      (running) => ask(running, request.line ?? 'GET /version', request),
      at(autumn),
    );
  const version = (name: string) => expect.objectContaining({ status: 200, body: { version: name } });
  const refused = (code: string) => expect.objectContaining({ body: { code, at: [] } });

  it.each([
    ['{ header: V }', { fields: { V: '2' } }, '2'],
    ['{ header: V }', { fields: { v: ' 3 ' } }, '3'],
    ['{ header: V }', { fields: { V: 'current' } }, '3'],
    ['{ header: V }', { fields: { V: '2.7' } }, '2'],
    ['{ header: V }', { fields: { V: '3.1' } }, '2'],
    ['{ header: V }', { fields: { V: '3.2' } }, '3'],
    ['{ query: v }', { line: 'GET /version?v=2' }, '2'],
    ['{ media: v }', { fields: { Accept: 'text/html, application/json; v="2"' } }, '2'],
    ['{ path: /v }', { line: 'GET /v2/version' }, '2'],
  ])('%s of %j', async (place, request, name) => {
    expect(await named(place, request)).toEqual(version(name));
  });

  it('in Content-Type, where Accept does not', async () => {
    const request = { line: 'POST /parcels', media: 'application/json; v=1', body: { kilos: 2 } };
    expect((await named('{ media: v }', request)).body).toMatchObject({ kilos: 2 });
  });

  it.each([
    ['{ header: V }', {}, 'missing'],
    ['{ header: V }', { fields: { V: '' } }, 'missing'],
    ['{ query: v }', { line: 'GET /version?v=' }, 'missing'],
    ['{ path: /v }', { line: 'GET /version' }, 'missing'],
    ['{ path: /v }', { line: 'GET /v/version' }, 'missing'],
    ['{ header: V }', { fields: { V: '4' } }, 'unknown'],
    ['{ header: V }', { fields: { V: 'curren' } }, 'unknown'],
    ['{ path: /v }', { line: 'GET /v9/version' }, 'unknown'],
    ['{ header: V }', { line: 'GET /nowhere', fields: { V: '4' } }, 'nowhere'],
    ['{ path: /v }', { line: 'GET /v9/nowhere' }, 'nowhere'],
  ])('%s of %j, and none by default', async (place, request, code) => {
    expect(await named(place, request, 'default: (none)')).toEqual(refused(code));
  });

  it('and where it does not, it is of the default, which may be an alias', async () => {
    expect(await named('{ header: V }', {}, 'default: "2"')).toEqual(version('2'));
    expect(await named('{ header: V }', {}, 'default: current')).toEqual(version('3'));
    expect(await named('{ header: V }', { fields: { V: '' } }, 'default: current')).toEqual(
      refused('missing'),
    );
  });

  it('a path that only begins with the same letters names none', async () => {
    expect(await named('{ path: /v }', { line: 'GET /vendors' }, 'default: "3"')).toMatchObject({
      status: 204,
    });
  });

  it('is 501 where it names none, and it is open which is meant; others are answered', async () => {
    await serving(
      parcels('{ header: V }'),
      async (running) => {
        expect(await ask(running, 'GET /version')).toMatchObject({ status: 501 });
        expect(running.held()).toEqual(['versioning.default']);
        expect(await ask(running, 'GET /version', { fields: { V: '2' } })).toEqual(version('2'));
      },
      at(autumn),
    );
  });

  it('is null while it is open where it names one', async () => {
    const open = parcels('(open)').replace(/"2": [\s\S]*?\n```/, '```');
    expect(await serving(open, (running) => ask(running, 'GET /version'))).toMatchObject({
      body: { version: null },
    });
  });
});

describe('a version that goes (language §9.2)', () => {
  const fieldsOf = async (name: string, ms: number): Promise<readonly unknown[]> => {
    const asked = { fields: { V: name } };
    const got = await serving(
      parcels('{ header: V }', 'default: (none)'),
      (running) => ask(running, 'GET /vendors', asked),
      at(ms),
    );
    return [got.status, got.fields['deprecation'], got.fields['sunset']];
  };

  it('says so from the day on that it is deprecated', async () => {
    expect(await fieldsOf('1', Date.UTC(2026, 5, 1) - 1)).toEqual([204, undefined, undefined]);
    const told = ['@1780272000', 'Fri, 01 Jan 2027 00:00:00 GMT'];
    expect(await fieldsOf('1', Date.UTC(2026, 5, 1))).toEqual([204, ...told]);
    expect(await fieldsOf('1', Date.UTC(2027, 1, 1) - 1)).toEqual([204, ...told]);
    expect(await fieldsOf('1', Date.UTC(2027, 1, 1))).toEqual([410, ...told]);
  });

  it('says from the start when its sunset is, where it is not deprecated', async () => {
    expect(await fieldsOf('2', 0)).toEqual([204, undefined, 'Tue, 01 Jan 2030 00:00:00 GMT']);
  });

  it('says nothing where it is stated that no field tells', async () => {
    expect(await fieldsOf('0', autumn)).toEqual([204, undefined, undefined]);
    expect(await fieldsOf('3', autumn)).toEqual([204, undefined, undefined]);
  });
});

describe('versions that differ, over one store (language §9.3)', () => {
  const now = { fields: { V: '3' } };
  const then = { fields: { V: '1' } };
  const held = async <T>(use: (running: Running, path: string) => Promise<T>): Promise<T> =>
    serving(
      parcels('{ header: V }', 'default: (none)'),
      async (running) => {
        const made = await ask(running, 'POST /parcels', {
          ...now,
          body: { weight: 1500, size: { depth: 3, width: 1 }, kind: 'huge' },
        });
        return use(running, `/parcels/${(made.body as { id: string }).id}`);
      },
      at(autumn),
    );

  it('show an item as each of them says', async () => {
    await held(async (running, path) => {
      const kept = { weight: 1500, note: 'new', size: { depth: 3, width: 1 }, kind: 'huge' };
      const old = { kilos: 1.5, size: { deep: 3, width: 1 }, kind: 'huge' };
      expect((await ask(running, `GET ${path}`, now)).body).toEqual({ id: expect.any(String), ...kept });
      for (const V of ['1', '0'])
        expect((await ask(running, `GET ${path}`, { fields: { V } })).body).toEqual({
          id: expect.any(String),
          ...old,
        });
      expect((await ask(running, 'GET /parcels', then)).body).toEqual([{ kilos: 1.5 }]);
    });
  });

  it('take in what is given as each of them says', async () => {
    await held(async (running) => {
      const given = { kilos: 0.25, size: { deep: 2 }, kind: 'small' };
      const made = await ask(running, 'POST /parcels', { ...then, body: given });
      expect(made).toMatchObject({ status: 201, body: given });
      const { id } = made.body as { id: string };
      const kept = { id, weight: 250, note: 'old', size: { depth: 2 }, kind: 'small' };
      expect((await ask(running, `GET /parcels/${id}`, now)).body).toEqual(kept);
      const form = { ...then, media: 'application/x-www-form-urlencoded', body: 'kilos=2.5' };
      expect(await ask(running, 'POST /parcels', form)).toMatchObject({ status: 201, body: { kilos: 2.5 } });
    });
  });

  it('leave what they do not know as it was', async () => {
    await held(async (running, path) => {
      expect(await ask(running, `PATCH ${path}`, { ...then, body: { kilos: 2 } })).toMatchObject({
        status: 200,
      });
      expect((await ask(running, `GET ${path}`, now)).body).toMatchObject({
        weight: 2000,
        note: 'new',
        kind: 'huge',
      });
      expect(await ask(running, `PUT ${path}`, { ...then, body: { kilos: 3 } })).toMatchObject({
        status: 200,
      });
      expect((await ask(running, `GET ${path}`, now)).body).toEqual({
        id: expect.any(String),
        weight: 3000,
        note: 'new',
      });
    });
  });

  it('refuse what they do not know, by the names that they have', async () => {
    await held(async (running, path) => {
      const at = async (body: unknown): Promise<unknown> =>
        (await ask(running, `PATCH ${path}`, { ...then, body })).body;
      expect(await at({ kilos: 41, size: { depth: 3 } })).toEqual({
        code: 'invalid',
        at: ['kilos maximum', 'size.depth others'],
      });
      expect(await at({ weight: 3 })).toEqual({ code: 'invalid', at: ['weight others'] });
      expect(await at({ note: 'mine' })).toEqual({ code: 'invalid', at: ['note others'] });
      expect(await at({ kind: 'huge' })).toEqual({ code: 'invalid', at: ['kind enum'] });
    });
  });

  it('refuse what could not be kept as the newest says', async () => {
    await held(async (running, path) => {
      const got = await ask(running, `PATCH ${path}`, { ...then, body: { kilos: 35 } });
      expect(got.body).toEqual({ code: 'invalid', at: ['kilos maximum'] });
      expect((await ask(running, `GET ${path}`, now)).body).toMatchObject({ weight: 1500 });
    });
  });

  it('tell of what is not unique by their own names', async () => {
    await held(async (running) => {
      const got = await ask(running, 'POST /parcels', { ...then, body: { kilos: 1.5 } });
      expect(got).toMatchObject({ status: 409, body: { code: 'taken', at: ['kilos unique'] } });
    });
  });

  it('read the paths of a JSON Patch by their own names', async () => {
    await held(async (running, path) => {
      const patch = (body: unknown): Promise<Got> =>
        ask(running, `PATCH ${path}`, { ...then, media: 'application/json-patch+json', body });
      expect(await patch([{ op: 'replace', path: '/size', value: { deep: 8 } }])).toMatchObject({
        body: { size: { deep: 8 } },
      });
      expect(await patch([{ op: 'replace', path: '/size/deep', value: 9 }])).toMatchObject({
        body: { size: { deep: 9 } },
      });
      expect((await patch([{ op: 'test', path: '/size/deep', value: 1 }])).body).toMatchObject({
        at: ['size.deep test'],
      });
    });
  });

  it('have their own endpoints', async () => {
    await held(async (running, path) => {
      expect(await ask(running, `POST ${path}/cancellation`, now)).toMatchObject({ status: 204 });
      expect(await ask(running, `POST ${path}/cancellation`, then)).toMatchObject({
        body: { code: 'nowhere' },
      });
    });
  });
});

describe('a row for operations that a version lacks', () => {
  it('refuses in that version what it refuses in the others', async () => {
    const { address } = await start(`
name: Visits
tacet: 1
let: { isOpen(visit): "\${visit.status == 'booked'}" }
resources:
  Slot:
    identifier: id
    fields: { id: { type: string }, start: { type: string, format: date-time } }
    items: [{ id: s, start: 2020-01-01T00:00:00Z }]
  Visit:
    identifier: id
    fields: { id: { type: string }, slot: { refers: Slot, ifDeleted: refuse }, status: { type: string } }
    items: [{ id: v, slot: s }]
states: { Visit.status: { states: [booked, off], initial: booked, final: [off], transitions: { cancel: { from: booked, to: off } } } }
endpoints:
  others: refuse
  POST /visits/{id}/cancel: { operation: cancel, does: cancel Visit, response: 204 }
  POST /visits/{id}/move:
    operation: move
    does: { update: Visit, with: { slot: "\${request.body.slot}" } }
    request: { body: { fields: { slot: { type: string } } } }
    response: 204
authentication: (none)
errors: { codes: { late: { when: "\${isOpen(this) && this.slot.start - now < duration('PT24H')}", operations: [cancel, move], status: 409 } } }
versioning:
  scheme: number
  place: { header: X-Version }
  default: 2
  versions: { 2: {}, 1: { differs: { 'endpoints["POST /visits/{id}/move"]': (none) } } }
`);
    const cancelled = async (version: string): Promise<number> => {
      const headers = { 'x-version': version };
      return (await fetch(`${address}/visits/v/cancel`, { method: 'POST', headers })).status;
    };
    expect([await cancelled('2'), await cancelled('1')]).toEqual([409, 409]);
  });
});
