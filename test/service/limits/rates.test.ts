import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, type Served, start as served } from '../served.ts';

const parts = {
  authentication: '(none)',
  errors: `
  payload: { body: { code: "\${error.code}", wait: "\${rate.reset}" } }
  codes:
    enough:  { when: rate exceeded one, status: 429, headers: { Retry-After: "\${rate.reset}" } }
    invalid: { when: invalid, status: 400 }`,
};

/** A service that counts by its own clock, wherever it keeps things. */
const start: typeof served = (text, options) => served(text, { counter: 'process', ...options });

/** Notes, whose requests are counted; 'x-team' tells on whose behalf one comes. */
const notes = (limits: string, { authentication, errors } = parts): string => `name: notes
resources:
  Account: { identifier: id, fields: { id: { type: string }, key: { type: string }, team: { type: string } }, items: [{ id: a, key: ka, team: red }, { id: b, key: kb, team: red }] }
  Note: { identifier: id, fields: { id: { type: string, maxLength: 3 } } }
endpoints:
  others: refuse
  GET /one: { operation: one, does: (none), request: { headers: { X-Team: { type: string } }, query: { q: { type: integer } } }, response: 204 }
  GET /two: { operation: two, does: (none), response: 204 }
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: 201 }
authentication: ${authentication}
errors: ${errors}
limits:
  ${limits}
`;

/** A clock that stands still until it is set. */
function clock() {
  let now = 1_000_000;
  const pass = (ms: number): void => {
    now += ms;
  };
  return { milliseconds: () => now, pass };
}

const enough = (wait: number) => answer(429, { code: 'enough', wait }, [`Retry-After: ${wait}`]);
const statuses = async (count: number, one: () => Promise<Answer>): Promise<number[]> => {
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) found.push((await one()).status);
  return found;
};

describe('a rate (language §8.1)', () => {
  it.each(['fixed', 'sliding'])('%s: allows so many, refuses more, and allows again', async (window) => {
    const { milliseconds, pass } = clock();
    const service = await start(
      notes(`rates: { one: { allow: 2, every: PT1M, per: (none), window: ${window} } }`),
      { milliseconds },
    );
    const get = () => ask(service, 'GET /one');
    expect(await get()).toEqual(answer(204));
    pass(20_000);
    expect(await get()).toEqual(answer(204));
    expect(await get()).toEqual(enough(40));
    pass(39_999);
    expect(await get()).toEqual(enough(1));
    pass(1);
    expect(await statuses(2, get)).toEqual(window === 'fixed' ? [204, 204] : [204, 429]);
  });

  it('bucket: each comes back after its share', async () => {
    const { milliseconds, pass } = clock();
    const service = await start(
      notes('rates: { one: { allow: 3, every: PT1M, per: (none), window: bucket } }'),
      { milliseconds },
    );
    const get = () => ask(service, 'GET /one');
    expect(await statuses(4, get)).toEqual([204, 204, 204, 429]);
    pass(19_999);
    expect(await get()).toEqual(enough(1));
    pass(1);
    expect(await statuses(2, get)).toEqual([204, 429]);
  });

  it('is not counted while it is open how many, in what time, or whose; nor where there is no limit', async () => {
    for (const open of [
      'every: PT1M, per: (none)',
      'allow: 1, per: (none)',
      'allow: 1, every: PT1M',
      'allow: (none), every: PT1M, per: (none)',
      'allow: 1, every: PT1M, per: (none), when: (open) which?',
    ]) {
      const service = await start(notes(`rates: { one: { ${open}, headers: draft-10 } }`));
      expect(await ask(service, 'GET /one')).toEqual(answer(204));
      expect(await ask(service, 'GET /one')).toEqual(answer(204));
    }
  });

  it('is counted for the operations that it names, together', async () => {
    const service = await start(
      notes('rates: { one: { allow: 2, every: PT1M, per: (none), operations: [one, make] } }'),
    );
    expect(await ask(service, 'GET /one')).toMatchObject({ status: 204 });
    expect(await ask(service, 'POST /notes', { id: 'a' })).toMatchObject({ status: 201 });
    expect(await ask(service, 'GET /one')).toMatchObject({ status: 429 });
    expect(await ask(service, 'POST /notes', { id: 'b' })).toMatchObject({ status: 429 });
    expect(await statuses(3, () => ask(service, 'GET /two'))).toEqual([204, 204, 204]);
  });

  it('counts HEAD as the GET that it is', async () => {
    const service = await start(notes('rates: { one: { allow: 1, every: PT1M, per: (none) } }'));
    expect(await ask(service, 'HEAD /one')).toMatchObject({ status: 204 });
    expect(await ask(service, 'HEAD /one')).toMatchObject({ status: 429, body: '' });
  });

  it('counts those of one network address together', async () => {
    const service = await start(notes('rates: { one: { allow: 1, every: PT1M, per: address } }'));
    expect(await statuses(2, () => ask(service, 'GET /one'))).toEqual([204, 429]);
    expect((await from('127.0.0.2', service, 'GET /one')).status).toBe(204);
    expect((await from('127.0.0.2', service, 'GET /one')).status).toBe(429);
  });

  it('counts those together for which an expression has one value, and none where it has none', async () => {
    const service = await start(
      notes('rates: { one: { allow: 1, every: PT1M, per: "${request.headers[\'X-Team\']}" } }'),
    );
    const as = (team: string) => () => ask(service, 'GET /one', undefined, [`X-Team: ${team}`]);
    expect(await statuses(2, as('red'))).toEqual([204, 429]);
    expect(await statuses(2, as('blue'))).toEqual([204, 429]);
    expect(await statuses(3, () => ask(service, 'GET /one'))).toEqual([204, 204, 204]);
  });

  it('counts those requests alone for which `when` is true', async () => {
    const service = await start(
      notes('rates: { one: { allow: 1, every: PT1M, per: (none), when: "${request.query.q > 5}" } }'),
    );
    expect(await statuses(2, () => ask(service, 'GET /one?q=5'))).toEqual([204, 204]);
    expect(await statuses(2, () => ask(service, 'GET /one'))).toEqual([204, 204]);
    expect(await statuses(2, () => ask(service, 'GET /one?q=6'))).toEqual([204, 429]);
    expect(await statuses(2, () => ask(service, 'GET /one?q=5'))).toEqual([204, 204]);
  });

  it('goes by the time where `when` does', async () => {
    const service = await start(
      notes(
        'rates: { one: { allow: 1, every: PT1M, per: (none), when: "${now < timestamp(\'2001-01-01T00:00:00Z\')}" } }',
      ),
    );
    expect(await statuses(2, () => ask(service, 'GET /one'))).toEqual([204, 204]);
  });

  it('exists beside others: one after the other, and what one refuses those after it do not count', async () => {
    const { milliseconds, pass } = clock();
    const service = await start(
      notes(
        [
          'rates:',
          '    one: { allow: 2, every: PT1M, per: (none) }',
          '    hourly: { allow: 3, every: PT1H, per: (none) }',
        ].join('\n'),
      ),
      { milliseconds },
    );
    const get = () => ask(service, 'GET /one');
    expect(await statuses(4, get)).toEqual([204, 204, 429, 429]);
    pass(60_000);
    // The two that were refused are not among the three of the hour; no row lists that, so the floor answers.
    expect(await statuses(2, get)).toEqual([204, 400]);
    // The one that the hour refused was counted in the minute.
    expect(await get()).toMatchObject({ status: 429 });
  });
});

describe('its place among the reasons to refuse (language §H.4, 5)', () => {
  const one = 'rates: { one: { allow: 1, every: PT1M, per: (none) } }';

  it('what is malformed or reaches no operation is not counted; what is invalid is', async () => {
    const service = await start(notes(one));
    expect(await ask(service, 'GET /one?q=%ff')).toMatchObject({ status: 400, body: '' });
    expect(await ask(service, 'GET /nowhere')).toMatchObject({ status: 404 });
    expect(await ask(service, 'PUT /one')).toMatchObject({ status: 405 });
    expect(await ask(service, 'GET /one?q=x')).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await ask(service, 'GET /one?q=x')).toMatchObject({ status: 429 });
  });

  it('is that of the row in `errors.order`', async () => {
    const order = `${parts.errors}\n  order: [invalid, enough]`;
    const service = await start(notes(one, { ...parts, errors: order }));
    expect(await statuses(3, () => ask(service, 'GET /one?q=x'))).toEqual([400, 400, 400]);
    expect(await statuses(2, () => ask(service, 'GET /one'))).toEqual([204, 429]);
  });

  it('is each rate’s own', async () => {
    const errors = `
  codes:
    first:   { when: rate exceeded one, status: 429 }
    invalid: { when: invalid, status: 400 }
    second:  { when: rate exceeded other, status: 503 }
  order: [first, invalid, second]`;
    const service = await start(
      notes(
        'rates:\n    other: { allow: 1, every: PT1M, per: (none) }\n    one: { allow: 3, every: PT1M, per: (none) }',
        { ...parts, errors },
      ),
    );
    expect((await ask(service, 'GET /one?q=x')).status).toBe(400);
    expect(await statuses(3, () => ask(service, 'GET /one'))).toEqual([204, 503, 429]);
  });

  it('after a reason that only the change tells, what that refuses is not counted', async () => {
    const errors = `
  codes:
    taken:   { when: not unique Note, status: 409 }
    enough:  { when: rate exceeded one, status: 429 }
  order: [taken, enough]`;
    const service = await start(
      notes('rates: { one: { allow: 2, every: PT1M, per: (none) } }', { ...parts, errors }),
    );
    const make = (id: string) => () => ask(service, 'POST /notes', { id });
    expect(await statuses(3, make('a'))).toEqual([201, 409, 409]);
    expect(await statuses(1, make('b'))).toEqual([201]);
    expect(await statuses(2, make('c'))).toEqual([429, 429]);
    expect(await statuses(1, make('a'))).toEqual([409]);
  });
});

describe('those of one actor (language §8.1, per)', () => {
  const authentication = `
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Account.key }, actor: Account, wrong: refuse } }
  otherwise: anyone`;
  const as = (service: Served, key: string) => () => ask(service, 'GET /one', undefined, [`X-Key: ${key}`]);

  it('are counted together, and none of nobody’s', async () => {
    const service = await start(
      notes('rates: { one: { allow: 1, every: PT1M, per: actor } }', { ...parts, authentication }),
    );
    expect(await statuses(2, as(service, 'ka'))).toEqual([204, 429]);
    expect(await statuses(2, as(service, 'kb'))).toEqual([204, 429]);
    expect(await statuses(3, () => ask(service, 'GET /one'))).toEqual([204, 204, 204]);
  });

  it('may be told together by what the actor is, or be left to those whom nobody knows', async () => {
    const service = await start(
      notes(
        'rates:\n    one: { allow: 1, every: PT1M, per: "${actor.team}" }\n    guests: { allow: 2, every: PT1M, per: address, when: "${actor == null}" }',
        { ...parts, authentication },
      ),
    );
    expect(await statuses(1, as(service, 'ka'))).toEqual([204]);
    expect(await statuses(1, as(service, 'kb'))).toEqual([429]);
    expect(await statuses(3, () => ask(service, 'GET /one'))).toEqual([204, 204, 400]);
  });

  it('a wrong credential is refused before anything is counted', async () => {
    const service = await start(
      notes('rates: { one: { allow: 1, every: PT1M, per: (none) } }', { ...parts, authentication }),
    );
    expect(await statuses(2, as(service, 'no'))).toEqual([400, 400]);
    expect(await statuses(2, as(service, 'ka'))).toEqual([204, 429]);
  });

  it('in changes, which are made together, each is counted once', async () => {
    const service = await start(
      notes('rates: { one: { allow: 5, every: PT1M, per: actor } }', { ...parts, authentication }),
    );
    const make = (_: unknown, index: number) =>
      ask(service, 'POST /notes', { id: `${index}` }, ['X-Key: ka']);
    const made = (await Promise.all(Array.from({ length: 9 }, make))).map(({ status }) => status);
    expect(made.sort()).toEqual([201, 201, 201, 201, 201, 429, 429, 429, 429]);
  });
});

describe('what tells a client (language §8.1, headers)', () => {
  const told = (headers: string, rest = 'allow: 2, every: PT1M, per: (none)') =>
    notes(`rates: { one: { ${rest}, headers: ${headers} } }`);

  it('templates over `rate`, on every counted answer, refusals too', async () => {
    const { milliseconds, pass } = clock();
    const service = await start(
      told('{ X-Limit: "${rate.limit}", X-Left: "${rate.remaining}", X-Reset: "in ${rate.reset} s" }'),
      { milliseconds },
    );
    const fields = (left: number, reset: number) => [
      'X-Limit: 2',
      `X-Left: ${left}`,
      `X-Reset: in ${reset} s`,
    ];
    expect(await ask(service, 'GET /one')).toEqual(answer(204, '', fields(1, 60)));
    pass(500);
    expect(await ask(service, 'GET /one?q=x')).toMatchObject({
      status: 400,
      fields: expect.arrayContaining(fields(0, 60)),
    });
    pass(500);
    expect(await ask(service, 'GET /one')).toEqual(
      answer(429, { code: 'enough', wait: 59 }, ['Retry-After: 59', ...fields(0, 59)]),
    );
    expect(await ask(service, 'GET /one?q=%ff')).toEqual(answer(400));
  });

  it('may tell the time', async () => {
    const { milliseconds } = clock();
    const service = await start(told('{ X-Reset: "${int(now) + rate.reset}" }'), { milliseconds });
    expect(await ask(service, 'GET /one')).toEqual(answer(204, '', ['X-Reset: 1060']));
  });

  it('is not sent with what is not counted', async () => {
    const service = await start(told('{ X-Left: "${rate.remaining}" }', 'allow: 2, every: PT1M, per: actor'));
    expect(await ask(service, 'GET /one')).toEqual(answer(204));
  });

  it('draft-10: the policy and what is left, by the rate’s name', async () => {
    const service = await start(told('draft-10'), { milliseconds: () => 0 });
    const fields = (left: number) => ['RateLimit-Policy: "one";q=2;w=60', `RateLimit: "one";r=${left};t=60`];
    expect(await ask(service, 'GET /one')).toEqual(answer(204, '', fields(1)));
    expect(await ask(service, 'GET /one')).toEqual(answer(204, '', fields(0)));
    expect(await ask(service, 'GET /one')).toEqual(
      answer(429, { code: 'enough', wait: 60 }, ['Retry-After: 60', ...fields(0)]),
    );
  });

  it('draft-10: no `w` of a time that is no whole seconds; several rates tell side by side', async () => {
    const service = await start(
      notes(
        'rates:\n    one: { allow: 2, every: PT0.5S, per: (none), headers: draft-10 }\n    two: { allow: 9, every: P1D, per: (none), headers: draft-10 }',
      ),
      { milliseconds: () => 0 },
    );
    expect(await ask(service, 'GET /one')).toEqual(
      answer(204, '', [
        'RateLimit-Policy: "one";q=2',
        'RateLimit: "one";r=1;t=1',
        'RateLimit-Policy: "two";q=9;w=86400',
        'RateLimit: "two";r=8;t=86400',
      ]),
    );
  });

  it('while it is open, tells nothing', async () => {
    const service = await start(told('(open) which?'));
    expect(await ask(service, 'GET /one')).toEqual(answer(204));
  });
});

/** Asks from another address of loopback. */
async function from(localAddress: string, { port }: Served, line: string): Promise<{ status: number }> {
  const { request } = await import('node:http');
  const [method, path] = line.split(' ');
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, localAddress, method, path, agent: false }, (got) => {
      got.resume();
      resolve({ status: got.statusCode ?? 0 });
    });
    sent.on('error', reject).end();
  });
}
