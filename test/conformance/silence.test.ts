import { describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { outcomeOf } from '../../src/conformance/summary.ts';
import { serve } from '../../src/service/service.ts';
import { dataFile } from '../service/places.ts';
import {
  blamed,
  changed,
  incomplete,
  specificationOf,
  testTodo,
  todoDocument,
  violations,
  without,
} from './documents.ts';

const founding = `# Service specification (all parts open)

${['What the service does', 'Resources and their fields', 'States and transitions', 'Endpoints', 'Authentication', 'Events', 'Errors', 'Limits', 'Versioning'].map((heading) => `## ${heading}\n\nNot shown.\n`).join('\n')}`;

describe('where nothing is stated', () => {
  it('nothing is exercised, and nobody is blamed', async () => {
    const report = await testTodo(specificationOf(founding));
    expect(report.results).toEqual([]);
    expect(report.requests).toBe(0);
    expect(outcomeOf(report)).toBe('nothing exercised');
    expect(report.inOrder).toBe(false);
  });

  it('about endpoints, no request is made: part 2 alone tells what is kept and not where', async () => {
    const part2 = /## Resources and their fields[\s\S]*?(?=\n## )/.exec(todoDocument)?.[0] ?? '';
    const report = await testTodo(specificationOf(`# A list\n\n${part2}`));
    expect(outcomeOf(report)).toBe('nothing exercised');
    expect(report.results.length).toBeGreaterThan(5);
    expect(new Set(report.results.map(({ verdict, reason }) => `${verdict}: ${reason}`))).toEqual(
      new Set(['not exercised: no operation makes a Todo']),
    );
  });

  it('about statuses, no status is judged', async () => {
    const text = changed(
      todoDocument,
      [/status: 20\d, /g, ''],
      [/response: 204/g, 'response: { body: (none) }'],
      [/status: 4\d\d, /g, ''],
      ['protocol: RFC 9110\n', ''],
    );
    const report = await testTodo(specificationOf(text));
    expect(blamed(report)).toEqual([]);
    const statuses = report.results.filter(({ check }) =>
      ['answer.status', 'refusal.status'].includes(check),
    );
    expect(statuses.length).toBeGreaterThan(50);
    for (const { verdict, points } of statuses) {
      expect(verdict).toBe('not stated');
      expect(points?.some((point) => point.endsWith('.status') || point === 'endpoints.protocol')).toBe(true);
    }
  });

  it('about a status, nothing has to succeed, and nothing that hangs on that is judged', async () => {
    const text = changed(todoDocument, [
      'does: delete Todo\n  response: 204',
      'does: delete Todo\n  response: { status: (open) 200 or 204? }',
    ]);
    const of = specificationOf(text);
    const service = await serve(of, { data: dataFile() });
    const report = await testService(of, { url: service.url, seed: 1 });
    await service.close();
    expect(blamed(report)).toEqual([]);
    const succeeds = report.results.find(({ says }) => says === 'DELETE /{id} succeeds');
    expect(succeeds).toMatchObject({
      verdict: 'not stated',
      points: ['endpoints["DELETE /{id}"].response.status'],
    });
  });

  it('about what an endpoint does, its stated shapes are not exercised, and the reason names the point', async () => {
    const text = changed(todoDocument, ['  does: read Todo\n', '']);
    const { results } = await testTodo(specificationOf(text));
    const held = results.filter(({ statement }) => statement.address.startsWith('endpoints["GET /{id}"]'));
    expect(held.length).toBeGreaterThan(2);
    for (const { verdict, reason } of held)
      expect([verdict, reason]).toEqual([
        'not exercised',
        'what it does is open (endpoints["GET /{id}"].does)',
      ]);
  });

  it('about authentication, a refusal of everything is not stated', async () => {
    const report = await testTodo(
      specificationOf(without(todoDocument, 'Authentication')),
      'everybody is asked who they are',
    );
    const succeeds = report.results.filter(({ check }) => check === 'succeeds');
    expect(succeeds.some(({ verdict }) => verdict === 'not stated')).toBe(true);
    for (const { verdict, points = ['authentication'] } of succeeds) {
      expect(['not stated', 'not exercised']).toContain(verdict);
      expect(points).toEqual(['authentication']);
    }
  });

  it.each([
    'What the service does',
    'States and transitions',
    'Authentication',
    'Events',
    'Errors',
    'Limits',
    'Versioning',
  ])('under the heading %s, the rest is tested, and nobody is blamed', async (heading) => {
    const report = await testTodo(specificationOf(without(todoDocument, heading)));
    expect(blamed(report)).toEqual([]);
    expect(report.counts.conforms.stated).toBeGreaterThan(200);
  });

  it('about completeness, nobody is blamed for what silence allows', async () => {
    const report = await testTodo(specificationOf(incomplete));
    expect(blamed(report)).toEqual([]);
  });
});

describe('what is open on the way to an item', () => {
  const boats = `
name: Boats
tacet: 1
complete: true
resources:
  Boat:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, name: { type: string, minLength: 1, maxLength: 9 }, state: { type: string } }
    required: [name]
    others: refuse
states:
  Boat.state:
    states: [moored, sailing, sunk]
    initial: moored
    final: [sunk]
    transitions: { sail: { from: moored, to: sailing }, sink: { from: sailing, to: sunk } }
endpoints:
  others: refuse
  POST /boats: { operation: build, does: create Boat, request: { body: Boat }, response: { status: 201, body: Boat } }
  GET /boats/{id}: { operation: look, does: read Boat, response: { status: 200, body: Boat } }
  POST /boats/{id}/departure: { operation: leave, does: sail Boat, response: { status: 200, body: Boat } }
  POST /boats/{id}/leak: { operation: leak, does: sink Boat, response: { status: 200, body: Boat } }
authentication: (none)
events: (none)
errors: { payload: { body: { code: "\${error.code}" } }, codes: { unreadable: { when: malformed, status: 400 }, invalid: { when: invalid, status: 422 }, none: { when: unknown Boat, status: 404 }, state: { when: transition refused, status: 409 } } }
limits: (none)
versioning: (none)
`;

  async function report(document: string) {
    const of = specificationOf(document, 'boats.yaml');
    const service = await serve(of, { data: dataFile() });
    try {
      return await testService(of, { url: service.url, seed: 1 });
    } finally {
      await service.close();
    }
  }
  const departure = 'endpoints["POST /boats/{id}/departure"]';

  it.each<[string, string, string]>([
    [
      'sail: { from: moored, to: sailing }',
      'sail: { from: moored, to: (open) }',
      'states["Boat.state"].transitions.sail.to',
    ],
    [
      'sail: { from: moored, to: sailing }',
      'sail: (open) may it leave?',
      'states["Boat.state"].transitions.sail',
    ],
    ['initial: moored', 'initial: (open)', 'states["Boat.state"].initial'],
    [
      'does: sail Boat, response: { status: 200, body: Boat }',
      'does: sail Boat, response: { status: (open), body: Boat }',
      `${departure}.response.status`,
    ],
    ['does: sail Boat', 'does: (open)', `${departure}.does`],
  ])(
    'is named, and nothing that it keeps from being reached is blamed on anybody: %s becomes %s',
    async (from, to, point) => {
      const found = await report(changed(boats, [from, to]));
      expect(blamed(found)).toEqual([]);
      const leak = found.results.find(({ says }) => says === 'POST /boats/{id}/leak succeeds');
      expect([leak?.verdict, leak?.points]).toEqual(['not stated', [point]]);
    },
  );

  it('is not there where all is stated: nothing is said to be open', async () => {
    const found = await report(boats);
    expect(blamed(found)).toEqual([]);
    // Of content of another media type nothing is stated, in this document.
    expect(new Set(found.results.flatMap(({ points = [] }) => points))).toEqual(
      new Set(['endpoints.protocol', 'errors.codes.*']),
    );
    expect(found.results.find(({ says }) => says === 'POST /boats/{id}/leak succeeds')?.verdict).toBe(
      'conforms',
    );
  });
});

describe('HTTP’s own customs', () => {
  const withoutProtocol = changed(todoDocument, ['protocol: RFC 9110\n', '']);

  it.each([
    'an unlisted method is 404',
    'Allow is missing',
    'Allow misses HEAD',
    'HEAD is 405',
    'HEAD has another content type',
    'other media types are taken',
    'no media type is taken',
    'an unknown path is the list',
  ] as const)('decide nothing where the protocol is not stated: %s', async (fault) => {
    expect(blamed(await testTodo(specificationOf(withoutProtocol), fault))).toEqual([]);
  });

  it('are judged where a row of part 7 lists them', async () => {
    const listed = changed(withoutProtocol, [
      'codes:\n',
      'codes:\n  media: { when: unsupported media, status: 415 }\n',
    ]);
    const report = await testTodo(specificationOf(listed), 'other media types are taken');
    expect(violations(report).map(({ statement }) => statement.address)).toContain(
      'endpoints["POST /"].request.media',
    );
  });
});

describe('errors', () => {
  it('whose row leaves the status open are answered with the floor’s, where the protocol is stated', async () => {
    const open = changed(todoDocument, ['when: unknown Todo, status: 404', 'when: unknown Todo']);
    expect(blamed(await testTodo(specificationOf(open)))).toEqual([]);
    expect(
      violations(await testTodo(specificationOf(open), 'an unknown item is 410')).length,
    ).toBeGreaterThan(0);
  });

  it('are those of the row that names the operation, then of the longest subject', async () => {
    const rows = changed(
      todoDocument,
      [
        '  not_a_todo:',
        '  empty: { when: invalid Todo.title.minLength, status: 400, message: "${error.failures[0].field}" }\n  not_a_todo:',
      ],
      ['order: listed', 'order: [unreadable, no_such, not_a_todo, empty]'],
    );
    const blames = violations(await testTodo(specificationOf(rows))).map(({ says }) => says);
    expect(blames).toEqual([
      'POST / with title: "" is answered with the status of empty',
      'PATCH /{id} with title: "" is answered with the status of empty',
    ]);
  });

  it('may be any of the conditions that hold, where the order is silent (language §F.1)', async () => {
    const silent = specificationOf(changed(todoDocument, ['order: listed\n', '']));
    expect(blamed(await testTodo(silent, 'unknown goes before malformed'))).toEqual([]);
    expect(blamed(await testTodo(silent, 'invalid goes before unknown'))).toEqual([]);
  });

  it('have any message, where the document says that it is free', async () => {
    const free = changed(
      todoDocument,
      ['message: there is no such to-do', 'message: (any)'],
      [/message: "\$\{error.failures.*\}"/, 'message: (any)'],
      ['message: this cannot be read', 'message: (any)'],
    );
    expect(blamed(await testTodo(specificationOf(free), 'the message is another'))).toEqual([]);
    expect(blamed(await testTodo(specificationOf(free), 'the error member has another name'))).not.toEqual(
      [],
    );
  });

  it('have a body of which nothing is claimed, where the payload is open', async () => {
    const open = changed(todoDocument, [/payload: .*\n/, '']);
    expect(blamed(await testTodo(specificationOf(open), 'the error is text'))).toEqual([]);
    const { results } = await testTodo(specificationOf(open));
    const bodies = results.filter(({ check }) => check === 'refusal.body');
    expect(new Set(bodies.map(({ verdict, points }) => `${verdict}: ${points}`))).toEqual(
      new Set(['not stated: errors.payload']),
    );
  });
});

describe('others', () => {
  it('that are open are not judged', async () => {
    const open = specificationOf(changed(todoDocument, ['others: refuse\n', '']));
    expect(blamed(await testTodo(open))).toEqual([]);
    expect(blamed(await testTodo(open, 'an unknown member is kept'))).toEqual([]);
  });

  it('that are ignored must neither be refused nor kept', async () => {
    const ignored = specificationOf(changed(todoDocument, ['others: refuse\n', 'others: ignore\n']));
    const refusing = blamed(await testTodo(ignored));
    expect(refusing.some((one) => /which nobody stated, succeeds: status 422/.test(one))).toBe(true);
    const keeping = blamed(await testTodo(ignored, 'an unknown member is kept'));
    expect(keeping.some((one) => /leaves it out of account/.test(one))).toBe(true);
  });
});
