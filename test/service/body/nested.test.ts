import { describe, expect, it } from 'vitest';
import { ask, type Served, start } from '../served.ts';

const document = (others: string): string => `
name: Boxes
complete: true
resources:
  Box:
    identifier: id
    fields:
      id: { type: string }
      note: { type: string, default: "" }
      any: { type: object, default: {} }
      inner: Inner
      list: { type: array, items: Inner, default: [] }
      more: { type: array, items: Inner, default: [] }
      map: { type: object, additionalProperties: Inner, default: {} }
    required: [id]
  Inner:
    identifier: (none)
    fields:
      open: { type: integer }
      hidden: { type: string, readable: false }
      fixed: { type: string, writable: false }
    others: ${others}
endpoints:
  others: ${others}
  POST /boxes: { does: { create: Box, with: ["\${request.body}", { inner: { open: 1, hidden: secret, fixed: as it is }, list: [{ open: 1, fixed: one }, { open: 2, fixed: two }] }] }, request: { body: Box }, response: { status: 201, body: Box } }
  PATCH /boxes/{id}: { does: update Box, request: { body: Box, media: [application/merge-patch+json, application/json-patch+json] }, response: { status: 200, body: Box } }
errors:
  payload: { body: { failures: "\${error.failures}" } }
  codes: { invalid: { when: invalid, status: 422 } }
`;

async function box(others: string): Promise<Served> {
  const service = await start(document(others));
  await ask(service, 'POST /boxes', { id: 'a' });
  return service;
}

const asked = async (service: Served, body: unknown): Promise<unknown> => {
  const media = Array.isArray(body) ? 'json-patch' : 'merge-patch';
  const { status, body: shown } = await ask(service, 'PATCH /boxes/a', body, [
    `Content-Type: application/${media}+json`,
  ]);
  if (status === 200) return shown;
  const { failures } = shown as { failures: { field: string; keyword: string }[] };
  return failures.map(({ field, keyword }) => `${field} ${keyword}`);
};

const inner = { open: 1, fixed: 'as it is' };

describe('what a patch does to members within a member (language §H.1)', () => {
  it.each([
    [{ inner: { fixed: 'other' } }, ['inner.fixed others']],
    [{ inner: { fixed: null } }, ['inner.fixed others']],
    [{ inner: { other: null } }, ['inner.other others']],
    [{ list: [{ fixed: 'other' }] }, ['list.0.fixed others']],
    [[{ op: 'replace', path: '/inner/fixed', value: 'other' }], ['inner.fixed others']],
    [[{ op: 'remove', path: '/inner/fixed' }], ['inner.fixed others']],
    [[{ op: 'add', path: '/inner', value: { fixed: 'other' } }], ['inner.fixed others']],
    [[{ op: 'add', path: '/list/-', value: { fixed: 'other' } }], ['list.0.fixed others']],
    [
      [
        { op: 'add', path: '/any', value: { fixed: 'other' } },
        { op: 'copy', from: '/any', path: '/inner' },
      ],
      ['inner copy'],
    ],
    [
      [
        { op: 'add', path: '/any', value: { fixed: 'other' } },
        { op: 'move', from: '/any', path: '/inner' },
      ],
      ['inner move'],
    ],
    [
      [
        { op: 'add', path: '/any', value: [{ fixed: 'other' }] },
        { op: 'move', from: '/any/0', path: '/list/0' },
      ],
      ['list.0 move'],
    ],
    [[{ op: 'move', from: '/list/0', path: '/more/0' }], ['more.0 move']],
    [[{ op: 'copy', from: '/list/0', path: '/list/1' }], ['list.1 copy']],
    [
      [
        { op: 'add', path: '/map/a', value: { open: 1 } },
        { op: 'move', from: '/inner', path: '/map/b' },
      ],
      ['map.b move'],
    ],
  ])('refuses %j, which would write what may not be written', async (body, failures) => {
    expect(await asked(await box('refuse'), body)).toEqual(failures);
  });

  it.each([
    [[{ op: 'test', path: '/inner/hidden', value: 'secret' }], ['inner.hidden test']],
    [[{ op: 'test', path: '/inner', value: { ...inner, hidden: 'secret' } }], ['inner test']],
    [[{ op: 'test', path: '', value: {} }], ['$ test']],
    [[{ op: 'copy', from: '/inner/hidden', path: '/note' }], ['note copy']],
    [[{ op: 'copy', from: '/inner', path: '/any' }], ['any copy']],
  ])('refuses %j, which would read what may not be read', async (body, failures) => {
    expect(await asked(await box('refuse'), body)).toEqual(failures.map((one) => one.replace('$', '')));
  });

  it.each([
    [{ inner: { open: 2 } }, { ...inner, open: 2 }],
    [[{ op: 'replace', path: '/inner/open', value: 2 }], { ...inner, open: 2 }],
    [[{ op: 'test', path: '/inner/fixed', value: 'as it is' }], inner],
    [[{ op: 'remove', path: '/inner/open' }], { fixed: 'as it is' }],
  ])('does %j, and leaves the rest as it was', async (body, after) => {
    for (const others of ['refuse', 'ignore'])
      expect(await asked(await box(others), body)).toMatchObject({ inner: after });
  });

  it.each(['refuse', 'ignore'])(
    'keeps what an element of a list holds wherever it stands: %s',
    async (others) => {
      const [one, two] = [
        { open: 1, fixed: 'one' },
        { open: 2, fixed: 'two' },
      ];
      const listed = async (...operations: readonly object[]): Promise<unknown> =>
        ((await asked(await box(others), operations)) as { list: unknown }).list;
      expect(await listed({ op: 'move', from: '/list/0', path: '/list/1' })).toEqual([two, one]);
      expect(await listed({ op: 'remove', path: '/list/0' })).toEqual([two]);
      expect(await listed({ op: 'add', path: '/list/0', value: { open: 3 } })).toEqual([
        { open: 3 },
        one,
        two,
      ]);
    },
  );

  it('carries into no list what may not be written there, where others are ignored', async () => {
    const carried = [{ op: 'move', from: '/list/0', path: '/more/0' }];
    expect(await asked(await box('ignore'), carried)).toMatchObject({
      list: [{ open: 2, fixed: 'two' }],
      more: [{ open: 1 }],
    });
  });

  it.each(['move', 'copy'])(
    'does not tell whether %s may carry what nobody stated, while that is open',
    async (op) => {
      const service = await box('(open)');
      const { status } = await ask(
        service,
        'PATCH /boxes/a',
        [
          { op: 'add', path: '/any', value: { fixed: 'other' } },
          { op, from: '/any', path: '/inner' },
        ],
        ['Content-Type: application/json-patch+json'],
      );
      expect([status, service.heldUp]).toEqual([501, [['endpoints["PATCH /boxes/{id}"].request.others']]]);
      const { body } = await ask(
        service,
        'PATCH /boxes/a',
        [{ op: 'test', path: '/any', value: {} }],
        ['Content-Type: application/json-patch+json'],
      );
      expect(body).toMatchObject({ inner, any: {} });
    },
  );

  it.each([
    [{ inner: { fixed: 'other', open: 2 } }],
    [[{ op: 'add', path: '/inner', value: { fixed: 'other', open: 2 } }]],
    [
      [
        { op: 'remove', path: '/inner/fixed' },
        { op: 'add', path: '/inner/open', value: 2 },
      ],
    ],
  ])('takes no notice of that in %j where others are ignored', async (body) => {
    expect(await asked(await box('ignore'), body)).toMatchObject({ inner: { ...inner, open: 2 } });
  });
});
