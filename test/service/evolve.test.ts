import { describe, expect, it } from 'vitest';
import { StoreRefused } from '../../src/service/store/store.ts';
import { isPostgres, place, rowsAt, setMembers } from './places.ts';
import { answer, ask, type Served, start } from './served.ts';
import { versions } from './store/parcels.ts';

/** A service about parcels, by what it says of their fields and of the resource. */
function parcels(fields: string, resource = '', more = ''): string {
  return `
resources:
  Parcel:
    identifier: id
    fields: { id: { type: integer }, ${fields} }
    ${resource}
endpoints:
  others: refuse
  GET /parcels: { does: list Parcel, response: { status: 200, body: "\${Parcel(page.items)}" } }
  POST /parcels: { does: create Parcel, request: { body: Parcel }, response: 201 }
  PATCH /parcels/{id}: { does: update Parcel, request: { body: Parcel }, response: 204 }
  DELETE /parcels/{id}: { does: delete Parcel, response: 204 }
${more}`;
}

/** A file in which the first specification kept these parcels. */
async function kept(text: string, items: readonly object[]): Promise<string> {
  const data = await place();
  const service = await start(text, { data });
  for (const item of items) expect(await ask(service, 'POST /parcels', item)).toEqual(answer(201));
  await service.close();
  return data;
}

async function shown(service: Served): Promise<unknown> {
  return (await ask(service, 'GET /parcels')).body;
}

/** What the parcels are to a service that goes on with the file. */
async function goneOn(text: string, data: string): Promise<unknown> {
  const service = await start(text, { data });
  const found = await shown(service);
  await service.close();
  return found;
}

/** Each parcel as the file keeps it once a service has begun with it: identifier, members, what is set aside. */
async function keptBy(text: string, data: string): Promise<unknown> {
  await (await start(text, { data })).close();
  const table = (await rowsAt(data)).find(([name]) => /^_?parcel$/i.test(name));
  return table?.[1].map(([, ...columns]) => columns);
}

/** The message of the refusal, line by line; nothing of the file is changed by it. */
async function refusal(text: string, data: string): Promise<readonly string[]> {
  const before = await rowsAt(data);
  const error = await start(text, { data }).then(
    (service) => service.close(),
    (refused: unknown) => refused,
  );
  expect(error).toBeInstanceOf(StoreRefused);
  expect(await rowsAt(data)).toEqual(before);
  return (error as StoreRefused).message.replace(/^\S+(?= keeps)/, 'PLACE').split('\n');
}

const another = isPostgres
  ? 'name another database or ?schema= with --store'
  : 'name another file with --data';
const remedy = `change them through the specification that they were kept under, or admit them, or ${another}`;

const weighed = [{ id: 1, weight: 5 }, { id: 2, weight: 50 }, { id: 3 }];

describe('a specification that adds to what was kept', () => {
  it('goes on with the items as they are: fields, resources and wider bounds', async () => {
    const data = await kept(parcels('weight: { type: integer, maximum: 50 }'), weighed);
    const wider = parcels(
      'weight: { type: number, maximum: 500 }, note: { type: string, default: none }',
      '',
      '  GET /notes: { does: list Note, response: { status: 200, body: "${Note(page.items)}" } }\n',
    ).replace('endpoints:', '  Note: { identifier: id, fields: { id: { type: string } } }\nendpoints:');
    expect(await goneOn(wider, data)).toEqual(weighed);
  });

  it('takes nothing for a rename that it does not say to be one', async () => {
    const data = await kept(parcels('mass: { type: integer }'), [{ id: 1, mass: 5 }]);
    expect(await goneOn(parcels('weight: { type: integer }'), data)).toEqual([{ id: 1 }]);
    expect(await goneOn(parcels('mass: { type: integer }'), data)).toEqual([{ id: 1, mass: 5 }]);
  });
});

describe('a specification that asks more of what was kept', () => {
  const plain = 'weight: { type: integer }, note: { type: string }, was: { type: integer }';

  it.each([
    ['a tighter bound', 'weight: { type: integer, maximum: 40 }', '', ['  Parcel 2: weight (maximum)']],
    [
      'another type',
      'weight: { type: string }',
      '',
      ['  Parcel 1: weight (type)', '  Parcel 2: weight (type)'],
    ],
    ['fewer values', 'weight: { enum: [5, 6] }', '', ['  Parcel 2: weight (enum)']],
    [
      'a new `required`',
      'weight: { type: integer }',
      'required: [weight]',
      ['  Parcel 3: weight (required)'],
    ],
    [
      'a rule of a field',
      'weight: { type: integer, holds: { light: "${value < 50 && this.id > 0}" } }',
      '',
      ['  Parcel 2: weight (holds)'],
    ],
    [
      'an invariant',
      'weight: { type: integer }',
      'invariants: { light: "${this.weight != 5}" }',
      ['  Parcel 1: Parcel (invariants)'],
    ],
    [
      'a reference',
      'weight: { refers: Parcel.id }',
      '',
      ['  Parcel 1: weight (refers)', '  Parcel 2: weight (refers)'],
    ],
  ])('is refused where an item does not meet it, and told which: %s', async (_, fields, resource, lines) => {
    const data = await kept(parcels(plain), weighed);
    const several = lines.length === 1 ? 'an item' : `${lines.length} items`;
    expect(await refusal(parcels(fields, resource), data)).toEqual([
      `PLACE keeps ${several} that the specification does not admit; nothing was changed:`,
      ...lines,
      remedy,
    ]);
    expect(await goneOn(parcels(plain), data)).toEqual(weighed);
  });

  it('goes on where every item meets it', async () => {
    const data = await kept(parcels(plain), weighed);
    const tighter = parcels(
      'weight: { type: integer, maximum: 50, holds: { some: "${value > 0}" } }, other: { refers: Parcel.id }',
      'required: [id]',
    );
    expect(await keptBy(tighter, data)).toEqual([
      [1, '{"weight":5}', null],
      [2, '{"weight":50}', null],
      [3, '{}', null],
    ]);
  });

  it('is refused fewer states, and states where items have none', async () => {
    const states = (names: string): string =>
      `states:\n  Parcel.state: { states: [${names}], initial: moving, transitions: {} }\n`;
    const text = (names: string): string => parcels('state: { type: string }', '', states(names));
    const data = await kept(parcels('state: { type: string }'), [
      { id: 1, state: 'moving' },
      { id: 2, state: 'lost' },
    ]);
    expect(await refusal(text('moving, delivered'), data)).toContain('  Parcel 2: state (states)');
    const without = await kept(parcels('note: { type: string }'), [{ id: 1 }]);
    expect(await refusal(text('moving'), without)).toContain('  Parcel 1: state (states)');
  });

  it('does not judge again what hung on the time when it was kept', async () => {
    const data = await kept(parcels('until: { type: string }'), [{ id: 1, until: '2020-01-01T00:00:00Z' }]);
    const fields = 'until: { type: string, holds: { future: "${value > string(now)}" } }';
    expect(await keptBy(parcels(fields), data)).toEqual([[1, '{"until":"2020-01-01T00:00:00Z"}', null]]);
  });

  it.each([
    ['is worked out otherwise', 'double: { derived: "${this.weight * 3}" }'],
    ['is worked out of what is worked out otherwise', 'double: { derived: "${this.base + this.weight}" }'],
  ])('judges an invariant again where what it reads %s', async (_, double) => {
    const fields = (own: string): string =>
      parcels(
        `weight: { type: integer }, base: { derived: "\${this.weight ${own.includes('base') ? '* 2' : ''}}" }, ${own}`,
        'invariants: { light: "${this.double == null || this[\'double\'] <= 100}" }',
      );
    const data = await kept(fields('double: { derived: "${this.weight * 2}" }'), [{ id: 1, weight: 50 }]);
    expect((await refusal(fields(double), data))[1]).toBe('  Parcel 1: Parcel (invariants)');
  });

  it('judges an invariant again where what it reads is another item, and where its text is another', async () => {
    const text = (to: string, rule = 'this.mate.weight < 10'): string =>
      parcels('weight: { type: integer }, one: { type: integer }, mate: { refers: Parcel.id }', '').replace(
        'mate: { refers: Parcel.id }',
        `mate: { refers: ${to} } }\n    invariants: { light: "\${this.mate == null || ${rule}}" }\n  Box:\n    identifier: id\n    fields: { id: { type: integer }, weight: { type: integer }`,
      );
    const data = await kept(text('Parcel.id'), [
      { id: 1, weight: 5 },
      { id: 2, mate: 1 },
    ]);
    expect(await refusal(text('Parcel.id', 'this.mate.weight < 5'), data)).toContain(
      '  Parcel 2: Parcel (invariants)',
    );
    expect(await refusal(text('Box.id'), data)).toContain('  Parcel 2: mate (refers), Parcel (invariants)');
    await (await start(text('Parcel.id'), { data })).close();
  });

  it('judges by other items, and only what is newly asked', async () => {
    const counts = (most: number): string =>
      `invariants: { few: "\${Parcel.filter(p, p.note == this.note).size() <= ${most}}" }`;
    const data = await kept(parcels(plain), [
      { id: 1, note: 'a' },
      { id: 2, note: 'a' },
      { id: 3, note: 'b' },
    ]);
    const found = await refusal(parcels(plain, counts(1)), data);
    expect(found.slice(1, 3)).toEqual(['  Parcel 1: Parcel (invariants)', '  Parcel 2: Parcel (invariants)']);
    expect(await goneOn(parcels(plain, counts(2)), data)).toHaveLength(3);
    await setMembers(data, 'Parcel', { note: 'a' });
    // What was asked before, nobody looks at again.
    expect(
      await goneOn(
        parcels(`${plain}, more: { type: string, holds: { a: "\${value == 'a'}" } }`, counts(2)),
        data,
      ),
    ).toHaveLength(3);
  });

  it('lists the first twenty of many, and how many there are', async () => {
    const many = Array.from({ length: 1050 }, (_, index) => ({ id: index + 1, weight: index }));
    const data = await kept(parcels(plain), many);
    const lines = await refusal(parcels('weight: { type: integer, minimum: 1100 }'), data);
    expect(lines[0]).toBe(
      'PLACE keeps 1050 items that the specification does not admit; nothing was changed:',
    );
    expect(lines.slice(1, 21)).toEqual(many.slice(0, 20).map(({ id }) => `  Parcel ${id}: weight (minimum)`));
    expect(lines.slice(21)).toEqual(['  and 1030 more', remedy]);
  });

  it('is refused another identifier while there are items', async () => {
    const data = await kept(parcels('code: { type: string }'), [{ id: 1, code: 'a' }]);
    const other = parcels('code: { type: string }').replace('identifier: id', 'identifier: code');
    expect(await refusal(other.replaceAll('{id}', '{code}'), data)).toEqual([
      isPostgres
        ? `PLACE keeps Parcel under the identifier ["id"] of double precision, and it is ["code"] of text now; state that identifier, or ${another}`
        : `PLACE keeps Parcel under the identifier ["id"], and it is ["code"] now; state that identifier, or ${another}`,
    ]);
    const service = await start(parcels('code: { type: string }'), { data });
    await ask(service, 'DELETE /parcels/1');
    await service.close();
    expect(await goneOn(other.replaceAll('{id}', '{code}'), data)).toEqual([]);
  });
});

describe('a specification that leaves something out that was kept', () => {
  it('does not show it, whatever is changed, and loses nothing', async () => {
    const data = await kept(parcels('weight: { type: integer }, note: { type: string }'), [
      { id: 1, weight: 5, note: 'a' },
      { id: 2, weight: 6 },
    ]);
    const service = await start(parcels('note: { type: string }'), { data });
    expect(await shown(service)).toEqual([{ id: 1, note: 'a' }, { id: 2 }]);
    expect((await ask(service, 'PATCH /parcels/1', { note: 'b' })).status).toBe(204);
    await service.close();
    expect(await goneOn(parcels('note: { type: string }, weight: { type: integer }'), data)).toEqual([
      { id: 1, weight: 5, note: 'b' },
      { id: 2, weight: 6 },
    ]);
  });

  it('shows it where members are kept that are no fields', async () => {
    const data = await kept(parcels('weight: { type: integer }'), [{ id: 1, weight: 5 }]);
    expect(await goneOn(parcels('', 'others: keep'), data)).toEqual([{ id: 1, weight: 5 }]);
    expect(await goneOn(parcels('', 'others: ignore'), data)).toEqual([{ id: 1 }]);
    expect(await goneOn(parcels('', 'others: keep'), data)).toEqual([{ id: 1, weight: 5 }]);
  });

  it('keeps the items of a resource that it does not have', async () => {
    const data = await kept(parcels('weight: { type: integer }'), weighed);
    const other = 'resources: { Letter: { identifier: id, fields: { id: { type: integer } } } }';
    await (await start(other, { data })).close();
    expect(await goneOn(parcels('weight: { type: integer }'), data)).toEqual(weighed);
  });
});

describe('a field that an older version names or shapes otherwise (language §9.3)', () => {
  const grams = 'weight: { type: integer, maximum: 100000 }';
  const inKilos = 'was: kilos, type: number, maximum: 100, taken: "${int(value * 1000.0)}"';
  const items = [{ id: 1, kilos: 1.5 }, { id: 2 }];

  it('is brought over by what that version says of it', async () => {
    const data = await kept(parcels('kilos: { type: number, maximum: 100 }'), items);
    const expected = [
      [1, '{"weight":1500}', null],
      [2, '{}', null],
    ];
    const text = parcels(grams, '', versions(inKilos));
    expect(await keptBy(text, data)).toEqual(expected);
    expect(await keptBy(text, data)).toEqual(expected);
  });

  it('is brought over under its own name, once', async () => {
    const data = await kept(parcels('weight: { type: number, maximum: 100 }'), [{ id: 1, weight: 2 }]);
    const text = parcels(grams, '', versions('type: number, maximum: 100, taken: "${int(value * 1000.0)}"'));
    expect(await keptBy(text, data)).toEqual([[1, '{"weight":2000}', null]]);
    expect(await keptBy(`${text}\n`, data)).toEqual([[1, '{"weight":2000}', null]]);
    const wider = text.replace('maximum: 100000', 'maximum: 1000000');
    expect(await keptBy(wider, data)).toEqual([[1, '{"weight":2000}', null]]);
  });

  it('is refused where what was kept is not as that version has it', async () => {
    const data = await kept(parcels('kilos: { type: number }'), items);
    expect(await refusal(parcels(grams, '', versions(inKilos)), data)).toContain('  Parcel 1: weight (was)');
  });

  it('is refused where the way over takes more than the value', async () => {
    const data = await kept(parcels('kilos: { type: number, maximum: 100 }'), items);
    const asked = inKilos.replace('value * 1000.0', 'request.body.kilos * 1000.0');
    expect(await refusal(parcels(grams, '', versions(asked)), data)).toContain('  Parcel 1: weight (taken)');
  });

  it('is refused where it does not fit once it is brought over', async () => {
    const data = await kept(parcels('kilos: { type: number, maximum: 100 }'), items);
    const text = parcels(grams.replace('100000', '1000'), '', versions(inKilos));
    expect(await refusal(text, data)).toContain('  Parcel 1: weight (maximum)');
  });
});

describe('a field that there was none of, and that is required or moved by a machine now', () => {
  const plain = 'weight: { type: integer }';
  const machine =
    'states:\n  Parcel.state: { states: [new, sent], initial: new, transitions: { send: { from: new, to: sent } } }\n';
  const asked = (differences: string): string =>
    parcels(
      'weight: { type: integer }, state: { type: string }',
      'required: [state]',
      `${machine}${differences}`,
    );
  const state = (difference: string): string => versions(difference).replace('fields.weight', 'fields.state');

  it('gets the value that an older version without it takes, before anything is judged', async () => {
    const data = await kept(parcels(plain), weighed);
    const text = asked(state('was: (none), taken: sent'));
    const expected = weighed.map(({ id, ...more }) => [id, JSON.stringify({ ...more, state: 'sent' }), null]);
    expect(await keptBy(text, data)).toEqual(expected);
    expect(await keptBy(asked(state('was: (none), taken: new')), data)).toEqual(expected);
  });

  it('is refused with the statement that helps where no version says so', async () => {
    const data = await kept(parcels(plain), [{ id: 1 }]);
    expect(await refusal(asked(''), data)).toEqual([
      'PLACE keeps an item that the specification does not admit; nothing was changed:',
      '  Parcel 1: state (required), state (states)',
      'Parcel.state is new: to give it to stored items, state an older version without it in part 9, with differs: { resources.Parcel.fields.state: { was: (none), taken: VALUE } }',
      remedy,
    ]);
  });

  it.each([
    ['has no value that a version takes', 'was: (none)'],
    ['would get another value each', 'was: (none), taken: "${uuid()}"'],
    ['would get what hangs on the time', 'was: (none), taken: "${now}"'],
  ])('is refused where it %s', async (_what, difference) => {
    const data = await kept(parcels(plain), [{ id: 1 }]);
    expect(await refusal(asked(state(difference)), data)).toContain(
      '  Parcel 1: state (required), state (states)',
    );
  });
});
