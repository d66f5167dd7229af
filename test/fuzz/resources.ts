import type { Json, Members } from '../service/document.ts';
import { accountItem, draftAccount, draftHook, kept } from './accounts.ts';
import type { Chance } from './chance.ts';
import { type FieldDraft, isItem, type Kind, type Name, type ResourceDraft, type World } from './draft.ts';
import { type Expressions, memberOf } from './expressions.ts';

const names = ['Article', 'Bin', 'Crate', 'Order', 'Index', 'Group', 'BIN'];
const fieldNames = [
  'a',
  'b',
  'title',
  'weight',
  'made',
  'tags',
  'note',
  'ok',
  'two words',
  'x-y',
  'place',
  'rank',
  "it's",
  'a.b',
  'sélect',
  'members',
  'key0',
  'value',
  'constructor',
  '$',
];

/** The resources with the fields that are kept. Those that are worked out come later, since they may read all others. */
export function draftWorld(chance: Chance): World {
  const isAuthenticated = chance.percent(60);
  const count = chance.between(1, 3);
  const resources = chance
    .some(names, 60)
    .slice(0, count)
    .map((name) => draftResource(name, chance));
  const account = isAuthenticated && chance.percent(85) ? draftAccount(chance) : null;
  const hook = chance.percent(25) ? draftHook() : null;
  if (account) resources.push(account);
  if (hook) resources.push(hook);
  for (const one of resources) {
    if (one === hook) continue;
    for (const other of chance.some(resources, 40))
      one.fields.push(draftReference(one, other, account, chance));
  }
  return { resources, account, hook, isAuthenticated };
}

function draftResource(name: string, chance: Chance): ResourceDraft {
  const fields: FieldDraft[] = [identifier(chance)];
  const count = chance.between(1, 5);
  for (const one of chance.some(fieldNames, 35).slice(0, count)) fields.push(draftField(one, chance));
  return { name, identifier: (fields[0] as FieldDraft).name, fields, views: [] };
}

function identifier(chance: Chance): FieldDraft {
  const made = (kind: Kind, create: string, more: Members = {}): FieldDraft => ({
    ...kept,
    name: 'id',
    kind,
    isGiven: false,
    isUnique: true,
    statement: { type: kind as string, ...more, set: { create } },
  });
  return chance.pick([
    () => ({
      ...made('text', `\${${chance.pick(['uuid()', 'uuid(4)', 'uuid(7)'])}}`, { format: 'uuid' }),
      statement: { type: 'string', format: 'uuid', set: { create: '${uuid()}' } },
    }),
    () => ({ ...made('text', ''), statement: { type: 'string', set: { create: "${'x_' + random(8)}" } } }),
    () => ({
      ...made('integer', '${sequence()}'),
      statement: { type: 'integer', set: { create: '${sequence()}' } },
    }),
    () => ({
      ...made('text', ''),
      isGiven: true,
      statement: { type: 'string', minLength: 1, maxLength: 20 },
    }),
    () => ({ ...made('integer', ''), isGiven: true, statement: { type: 'integer', minimum: 1 } }),
  ])();
}

function draftField(name: string, chance: Chance): FieldDraft {
  const kind = chance.pick<Kind>([
    'text',
    'text',
    'integer',
    'number',
    'boolean',
    'time',
    'texts',
    'address',
  ]);
  const schema = schemaOf(kind, chance);
  const isNullable = chance.percent(12);
  const type = isNullable ? [schema['type'] as string, 'null'] : (schema['type'] as string);
  const hasDefault = chance.percent(25);
  const values = schema['enum'] as string[] | undefined;
  const isFree = Object.keys(schema).length === 1 || kind === 'time';
  const set = isFree ? settings(name, kind, chance) : null;
  const isUnique = set === null && (kind === 'text' || kind === 'integer') && chance.percent(10);
  const access = accessOf(set !== null, chance);
  return {
    ...kept,
    name,
    kind,
    isGiven: set === null && access['readOnly'] !== true && access['writable'] !== false,
    isShown: access['readable'] !== false && access['writeOnly'] !== true,
    isSure: !isNullable && set !== null,
    isUnique,
    ...(values && { values }),
    statement: {
      ...schema,
      ...(kind === 'address' ? {} : { type }),
      ...(hasDefault && set === null && kind !== 'address' && { default: defaultOf(kind, schema) }),
      ...(set !== null && { set }),
      ...access,
      ...(isUnique && {
        unique: chance.pick<Json>([true, 'ever', ...(kind === 'text' ? ['caseless'] : [])]),
      }),
      ...chance.maybe(15, () => ({ description: 'what it is' })),
    },
  };
}

function accessOf(isSet: boolean, chance: Chance): Members {
  if (isSet || chance.percent(75)) return {};
  return chance.pick<Members>([
    { readable: false },
    { writable: 'once' },
    { writable: 'same' },
    { writeOnly: true },
    { writable: true },
    { readOnly: true },
  ]);
}

function settings(name: string, kind: Kind, chance: Chance): Members | null {
  if (!chance.percent(25)) return null;
  const path = `old${memberOf(name)}`;
  switch (kind) {
    case 'time':
      return { create: '${now}', ...chance.maybe(40, () => ({ update: '${now}' })) } as Members;
    case 'integer':
      return chance.pick<Members>([
        { create: '${1}', update: `\${${path} + 1}` },
        { create: '${sequence()}' },
        { create: 7 },
      ]);
    case 'text':
      return chance.pick<Members>([{ create: '${random(4)}' }, { create: 'abc', update: '${uuid()}' }]);
    default:
      return null;
  }
}

function schemaOf(kind: Kind, chance: Chance): Members {
  switch (kind) {
    case 'text':
      return chance.pick<Members>([
        { type: 'string' },
        { type: 'string', minLength: 1, maxLength: 60 },
        { type: 'string', pattern: '^[a-z]{1,9}$' },
        { type: 'string', enum: ['red', 'green', 'blue'] },
        { type: 'string', format: 'email' },
      ]);
    case 'integer':
      return chance.pick<Members>([
        { type: 'integer' },
        { type: 'integer', minimum: 0, maximum: 1000 },
        { type: 'integer', multipleOf: 2 },
      ]);
    case 'number':
      return chance.pick<Members>([{ type: 'number' }, { type: 'number', exclusiveMinimum: 0 }]);
    case 'boolean':
      return { type: 'boolean' };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'texts':
      return {
        type: 'array',
        items: { type: 'string', maxLength: 9 },
        maxItems: 5,
        ...chance.maybe(40, () => ({ uniqueItems: true })),
      } as Members;
    default:
      return {
        type: 'object',
        properties: { street: { type: 'string' }, town: { type: 'string' } },
        required: ['street'],
      };
  }
}

function defaultOf(kind: Kind, { enum: values, format }: Members): Json {
  if (Array.isArray(values)) return values[0] as string;
  switch (kind) {
    case 'text':
      return format === 'email' ? 'abc@example.org' : 'abc';
    case 'integer':
      return 4;
    case 'number':
      return 1.5;
    case 'boolean':
      return false;
    case 'time':
      return '2026-01-02T03:04:05Z';
    default:
      return [];
  }
}

function draftReference(
  of: ResourceDraft,
  other: ResourceDraft,
  account: ResourceDraft | null,
  chance: Chance,
): FieldDraft {
  const isActor = other === account && chance.percent(70);
  const uniques = other.fields.filter(
    ({ isUnique, name }) => isUnique && /^\w+$/.test(name) && name !== 'key',
  );
  const by =
    chance.percent(20) && uniques.length > 0 ? `${other.name}.${chance.pick(uniques).name}` : other.name;
  return {
    ...kept,
    name: of === other ? 'parent' : `its${other.name}`,
    kind: { item: other.name },
    isGiven: !isActor,
    isSure: false,
    statement: {
      refers: by,
      ifDeleted: chance.pick(['refuse', 'delete', 'clear', 'keep']),
      ...(isActor && { set: { create: '${actor}' } }),
    },
  };
}

/** Part 2 of a document, with the fields, invariants and views that read other resources. */
export function writeResources(world: World, chance: Chance, write: Expressions): Members {
  for (const one of world.resources) {
    const count = chance.between(0, 2);
    for (let index = 0; index < count; index++)
      one.fields.push(derived(world, one, `d${index}`, chance, write));
  }
  const entries = world.resources.flatMap((one) => [
    [one.name, writeResource(world, one, chance, write)] as const,
    ...viewsOf(one, chance),
  ]);
  return Object.fromEntries(entries);
}

function rowNames(world: World, one: ResourceDraft, write: Expressions): Name[] {
  const own: Name = { path: 'this', kind: { item: one.name }, isSure: true, isStorable: true, isRow: true };
  const now: Name = { path: 'now', kind: 'time', isSure: true, isStorable: true, isRow: false };
  const actor: Name[] = world.account
    ? [
        { path: 'actor', kind: { item: 'Account' }, isSure: true, isStorable: true, isRow: false },
        { path: 'actor.role', kind: 'text', isSure: true, isStorable: true, isRow: false },
      ]
    : [];
  return [own, now, ...actor, ...write.members('this', one, true)];
}

function derived(
  world: World,
  one: ResourceDraft,
  name: string,
  chance: Chance,
  write: Expressions,
): FieldDraft {
  const kind = chance.pick<Kind>(['text', 'integer', 'boolean', 'number', 'texts']);
  const isStorable = chance.percent(60) && kind !== 'texts';
  const scope = { names: rowNames(world, one, write), isStorable, hasSets: true };
  const types = { text: 'string', integer: 'integer', boolean: 'boolean', number: 'number', texts: 'array' };
  const value: Json = chance.percent(8)
    ? { inner: `\${${write.of(kind, scope)}}`, list: [`\${${write.of('integer', scope)}}`] }
    : `\${${write.of(kind, scope)}}`;
  return {
    name,
    kind,
    isGiven: false,
    isShown: true,
    // What is counted with itself is a set within a set: it is read by no other set.
    isStorable: isStorable && typeof value === 'string' && !/\b(filter|exists|all)\(/.test(value),
    isSure: typeof value === 'string',
    statement: { ...(typeof value === 'string' && { type: types[kind as 'text'] }), derived: value },
  };
}

function writeResource(world: World, one: ResourceDraft, chance: Chance, write: Expressions): Members {
  const given = one.fields.filter(({ isGiven, kind }) => isGiven && !isItem(kind));
  const compound = one.fields.filter(
    ({ isStorable, isShown, kind, statement }) =>
      isStorable && isShown && kind === 'text' && statement['derived'] === undefined,
  );
  const isAccount = one === world.account;
  const shows = one.fields.filter(({ kind }) => isItem(kind) && chance.percent(15));
  for (const field of shows)
    Object.assign(field.statement, {
      shown: chance.pick(['${value}', `\${${(field.kind as { item: string }).item}(value)}`, '${value.id}']),
    });
  const plain = one.fields.filter(
    ({ kind, isGiven, values }) => kind === 'text' && isGiven && !values && !isAccount && one !== world.hook,
  );
  for (const field of chance.some(plain, 12)) Object.assign(field.statement, { taken: '${lower(value)}' });
  for (const field of chance.some(plain, 12)) Object.assign(field.statement, { shown: '${upper(value)}' });
  for (const field of chance.some(plain, 8))
    Object.assign(field.statement, { holds: { 'is not odd': "${value != 'odd'}" } });
  return {
    identifier: one.identifier,
    fields: Object.fromEntries(one.fields.map(({ name, statement }) => [name, statement])),
    required: (isAccount ? given : chance.some(given, 60)).map(({ name }) => name),
    ...chance.maybe(25, () => ({ others: chance.pick(['refuse', 'ignore', 'keep']) })),
    ...(compound.length > 1 &&
      chance.percent(10) && { unique: [compound.slice(0, 2).map(({ name }) => name)] }),
    ...chance.maybe(15, () => {
      const scope = {
        names: rowNames(world, one, write).filter(({ path }) => !path.startsWith('actor')),
        isStorable: true,
        hasSets: true,
      };
      return { invariants: { 'what always holds': `\${${write.of('boolean', scope)} || true}` } };
    }),
    ...(isAccount && {
      items: ['ann', 'bob'].map((id) => accountItem(id, one)),
    }),
  } as Members;
}

function viewsOf(one: ResourceDraft, chance: Chance): (readonly [string, Members])[] {
  if (!chance.percent(35)) return [];
  const shown = one.fields.filter(({ isShown }) => isShown).map(({ name }) => name);
  const name = `${one.name}View`;
  one.views.push(name);
  const which = chance.some(shown, 60);
  return [
    [
      name,
      {
        of: one.name,
        ...(chance.percent(50) ? { shows: which } : { omits: which }),
        ...chance.maybe(30, () => ({
          fields: { extra: { type: 'string', derived: "${string(this.id) + '!'}" } },
        })),
      } as Members,
    ],
  ];
}
