import type { Json } from '../../../src/source/node.ts';
import { at, distort, drop, type Mutation, negate, type Operator, says } from './mutation.ts';

/**
 * The mutation operators. Each is crossed with every statement of the document that it can apply to; none knows the parcel
 * desk, and none was chosen by what the tester finds.
 */
export const operators: readonly Operator[] = [
  // Part 1
  { name: 'unknown actor', at: ['service.actors.*'], mutate: () => [{ does: 'set', value: false }] },
  // Part 2, and every shape elsewhere
  {
    name: 'bound dropped',
    at: everyKeyword('type', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'enum'),
    mutate: whereGiven(drop),
  },
  { name: 'bound dropped', at: everyKeyword('minItems', 'uniqueItems'), mutate: whereGiven(drop) },
  { name: 'bound dropped', at: ['resources.*.fields.*.items.enum'], mutate: drop },
  {
    name: 'bound off by one',
    at: everyKeyword('minLength', 'maxLength', 'minimum', 'maximum', 'minItems'),
    mutate: whereGiven(offByOne),
  },
  { name: 'value refused', at: everyKeyword('enum.*'), mutate: drop },
  { name: 'value refused', at: ['resources.*.fields.*.items.enum.*'], mutate: drop },
  {
    name: 'not required',
    at: ['resources.*.required.*', 'endpoints.*.request.body.required.*'],
    mutate: drop,
  },
  { name: 'others let in', at: ['resources.*.others', 'endpoints.*.request.others'], mutate: says('ignore') },
  {
    name: 'readable turned',
    at: ['resources.*.fields.*.readable'],
    mutate: whereShown((value) => [{ does: 'set', value: value !== true }]),
  },
  {
    name: 'shown as another type',
    at: ['resources.*.fields.*.type'],
    mutate: whereShown((_value, path) => [{ does: 'retype', path: path.slice(0, -1) }]),
  },
  {
    name: 'writable turned',
    at: ['resources.*.fields.*.writable'],
    mutate: (value) => [{ does: 'set', value: value === false }],
  },
  { name: 'not unique', at: ['resources.*.fields.*.unique'], mutate: drop },
  {
    name: 'compared otherwise',
    at: ['resources.*.fields.*.unique'],
    mutate: (value) => (value === 'caseless' ? [{ does: 'set', value: true }] : []),
  },
  { name: 'not set', at: ['resources.*.fields.*.set.create', 'states.*.transitions.*.set.*'], mutate: drop },
  {
    name: 'set to another',
    at: ['resources.*.fields.*.set.create', 'states.*.transitions.*.set.*'],
    mutate: distort,
  },
  { name: 'not worked out', at: ['resources.*.fields.*.derived'], mutate: drop },
  { name: 'worked out wrong', at: ['resources.*.fields.*.derived'], mutate: distort },
  {
    name: 'no default',
    at: ['resources.*.fields.*.default', 'endpoints.*.request.query.*.default'],
    mutate: drop,
  },
  { name: 'default off by one', at: ['endpoints.*.request.query.*.default'], mutate: offByOne },
  { name: 'default other', at: ['resources.*.fields.*.default'], mutate: says('2026-01-01T00:00:00Z') },
  { name: 'kept as it is', at: ['resources.*.fields.*.secret'], mutate: drop },
  { name: 'invariant dropped', at: ['resources.*.invariants.*'], mutate: drop },
  // Part 3
  {
    name: 'begins elsewhere',
    at: ['states.*.initial'],
    mutate: (value, path, tree) => otherStates(value, path.slice(0, 2), tree),
  },
  { name: 'no such move', at: ['states.*.transitions.*'], mutate: drop },
  {
    name: 'moves from more',
    at: ['states.*.transitions.*.from'],
    mutate: (value, path, tree) =>
      otherStates(value, path.slice(0, 2), tree).map((one) => ({
        ...one,
        value: [value, one.value ?? null],
      })),
  },
  {
    name: 'moves elsewhere',
    at: ['states.*.transitions.*.to'],
    mutate: (value, path, tree) => otherStates(value, path.slice(0, 2), tree).slice(0, 1),
  },
  { name: 'guard skipped', at: ['states.*.transitions.*.when'], mutate: drop },
  { name: 'guard turned', at: ['states.*.transitions.*.when'], mutate: negate },
  { name: 'guard off by one', at: ['states.*.transitions.*.when'], mutate: literals },
  { name: 'never by itself', at: ['states.*.transitions.*.after'], mutate: drop },
  { name: 'too soon', at: ['states.*.transitions.*.after'], mutate: says('PT1S') },
  // Part 4
  {
    name: 'protocol not kept',
    at: ['endpoints.protocol'],
    mutate: () => [{ does: 'drop', path: ['protocol'] }],
  },
  {
    name: 'no such endpoint',
    at: ['endpoints.*'],
    mutate: (value) => (typeof value === 'object' ? [{ does: 'drop' }] : []),
  },
  {
    name: 'effect forgotten',
    at: ['endpoints.*.does'],
    mutate: (value) =>
      value !== null && typeof value === 'object' && !('read' in value) ? [{ does: 'drop' }] : [],
  },
  { name: 'effect forgotten', at: ['endpoints.*.also.*'], mutate: drop },
  {
    name: 'order turned',
    at: ['endpoints.*.does.order.*'],
    mutate: (value) => [
      { does: 'set', value: String(value).startsWith('-') ? String(value).slice(1) : `-${value}` },
    ],
  },
  { name: 'list of more', at: ['endpoints.*.does.where'], mutate: drop },
  {
    name: 'list of others',
    at: ['endpoints.*.does.where', 'endpoints.*.request.query.*.filter'],
    mutate: negate,
  },
  { name: 'not filtered', at: ['endpoints.*.request.query.*.filter'], mutate: drop },
  { name: 'filter off by one', at: ['endpoints.*.request.query.*.filter'], mutate: comparisons },
  { name: 'no such parameter', at: ['endpoints.*.request.query.*'], mutate: drop },
  { name: 'another media type wanted', at: ['endpoints.*.request.media'], mutate: says('text/plain') },
  { name: 'any media type taken', at: ['endpoints.*.request.media'], mutate: says('*/*') },
  { name: 'wrong status', at: ['endpoints.*.response.status', 'errors.codes.*.status'], mutate: wrongStatus },
  {
    name: 'another media type',
    at: ['endpoints.*.response.media', 'errors.payload.media'],
    mutate: says('text/plain'),
  },
  { name: 'no content', at: ['endpoints.*.response.body'], mutate: drop },
  {
    name: 'content wrong',
    at: ['endpoints.*.response.body'],
    mutate: (value) => (typeof value === 'string' ? [{ does: 'distort' }] : []),
  },
  {
    name: 'member dropped',
    at: ['endpoints.*.response.body.*', 'errors.payload.body.*', 'events.kinds.*.body.*'],
    mutate: drop,
  },
  {
    name: 'member wrong',
    at: ['endpoints.*.response.body.*', 'errors.payload.body.*', 'events.kinds.*.body.*'],
    mutate: distort,
  },
  { name: 'field dropped', at: headers(), mutate: drop },
  { name: 'field wrong', at: headers(), mutate: distort },
  {
    name: 'field renamed',
    at: headers(),
    mutate: (_value, path) => [{ does: 'rename', value: `${path.at(-1)}s` }],
  },
  { name: 'no tags', at: ['endpoints.*.conditional.etag'], mutate: drop },
  { name: 'weak tags', at: ['endpoints.*.conditional.etag'], mutate: says('weak') },
  {
    name: 'precondition not judged',
    at: ['endpoints.*.conditional.ifMatch', 'endpoints.*.conditional.ifNoneMatch'],
    mutate: drop,
  },
  {
    name: 'precondition not wanted',
    at: ['endpoints.*.conditional.ifMatch'],
    mutate: (value) => (value === 'required' ? [{ does: 'set', value: 'allowed' }] : []),
  },
  { name: 'repeats carried out', at: ['endpoints.*.idempotency'], mutate: drop },
  { name: 'another header', at: ['endpoints.*.idempotency.header'], mutate: says('Repeat-Key') },
  { name: 'key wanted', at: ['endpoints.*.idempotency.required'], mutate: says(true) },
  { name: 'forgotten at once', at: ['endpoints.*.idempotency.life'], mutate: says('PT0S') },
  { name: 'key of all', at: ['endpoints.*.idempotency.per'], mutate: says('key') },
  { name: 'refusals remembered', at: ['endpoints.*.idempotency.remembers'], mutate: says('all') },
  // Part 5
  { name: 'no such scheme', at: ['authentication.schemes.*'], mutate: drop },
  { name: 'credentials not checked', at: ['authentication.schemes.*.credentials'], mutate: drop },
  { name: 'another header', at: ['authentication.schemes.*.name'], mutate: says('X-Other-Key') },
  { name: 'not in the header', at: ['authentication.schemes.*.in'], mutate: says('query') },
  { name: 'no challenge', at: ['authentication.schemes.*.challenge'], mutate: drop },
  { name: 'another challenge', at: ['authentication.schemes.*.challenge'], mutate: says('Bearer') },
  { name: 'wrong credentials ignored', at: ['authentication.schemes.*.wrong'], mutate: says('ignore') },
  {
    name: 'anyone is this actor',
    at: ['authentication.actors.*'],
    mutate: () => [{ does: 'set', value: true }],
  },
  { name: 'the others are this actor', at: ['authentication.actors.*'], mutate: negate },
  { name: 'rule skipped', at: ['authentication.authorization.*'], mutate: drop },
  { name: 'rule turned', at: ['authentication.authorization.*'], mutate: negate },
  { name: 'not let in', at: ['authentication.authorization.*.*'], mutate: drop },
  // Part 6
  { name: 'event forgotten', at: ['events.kinds.*', 'events.kinds.*.by.*'], mutate: drop },
  {
    name: 'kind renamed',
    at: ['events.kinds.*'],
    mutate: (_value, path) => [{ does: 'rename', value: `${path.at(-1)}s` }],
  },
  { name: 'no envelope', at: ['events.envelope'], mutate: says('(none)') },
  { name: 'attribute dropped', at: ['events.source', 'events.subject'], mutate: drop },
  { name: 'attribute wrong', at: ['events.source', 'events.subject'], mutate: distort },
  { name: 'nothing delivered', at: ['events.delivery.*'], mutate: drop },
  { name: 'delivered to all', at: ['events.delivery.*.where'], mutate: drop },
  { name: 'delivered to others', at: ['events.delivery.*.where'], mutate: negate },
  { name: 'conjunct skipped', at: ['events.delivery.*.where'], mutate: conjuncts },
  { name: 'not signed', at: ['events.delivery.*.sign'], mutate: drop },
  { name: 'signed with another key', at: ['events.delivery.*.secret'], mutate: distort },
  { name: 'never tried again', at: ['events.delivery.*.retries'], mutate: drop },
  { name: 'tried again too late', at: ['events.delivery.*.retries.0'], mutate: says('PT1H') },
  { name: 'waits for longer', at: ['events.delivery.*.timeout'], mutate: says('PT1H') },
  // Part 7
  { name: 'not refused', at: ['errors.codes.*'], mutate: drop },
  { name: 'not refused', at: ['errors.codes.*.when.*'], mutate: drop },
  {
    name: 'refused otherwise',
    at: ['errors.codes.*.when'],
    mutate: (value) => (String(value).startsWith('${') ? [{ does: 'negate' }] : []),
  },
  { name: 'not of this operation', at: ['errors.codes.*.operations.*'], mutate: drop },
  { name: 'not concealed', at: ['errors.codes.*.as'], mutate: drop },
  { name: 'message dropped', at: ['errors.messages.*'], mutate: drop },
  {
    name: 'message wrong',
    at: ['errors.messages.*'],
    mutate: (value) => [{ does: 'set', value: `${value}!` }],
  },
  { name: 'order swapped', at: ['errors.order'], mutate: swaps },
  // Part 8
  { name: 'not counted', at: ['limits.rates.*'], mutate: drop },
  { name: 'off by one', at: ['limits.rates.*.allow'], mutate: offByOne },
  { name: 'longer', at: ['limits.rates.*.every'], mutate: says('PT1H') },
  { name: 'shorter', at: ['limits.rates.*.every'], mutate: says('PT1S') },
  { name: 'counted together', at: ['limits.rates.*.per'], mutate: says('(none)') },
  { name: 'another window', at: ['limits.rates.*.window'], mutate: says('fixed') },
  { name: 'not of this operation', at: ['limits.rates.*.operations.*'], mutate: drop },
  { name: 'of another operation', at: ['limits.rates.*.operations'], mutate: anotherOperation },
  { name: 'size not bounded', at: ['limits.sizes.*'], mutate: drop },
  {
    name: 'size off by one',
    at: ['limits.sizes.*'],
    mutate: (value) => offByOne(bytes(String(value)), [], null),
  },
  { name: 'no time limit', at: ['limits.times.*'], mutate: drop },
  // Part 9
  { name: 'another place', at: ['versioning.place.header'], mutate: says('Desk-Versions') },
  {
    name: 'another default',
    at: ['versioning.default'],
    mutate: (_value, _path, tree) => otherVersions(tree),
  },
  {
    name: 'no such version',
    at: ['versioning.versions.*'],
    mutate: (_value, path, tree) =>
      path.at(-1) === at(tree, ['versioning', 'default']) ? [] : [{ does: 'drop' }],
  },
  {
    name: 'date dropped',
    at: ['versioning.versions.*.deprecated', 'versioning.versions.*.sunset'],
    mutate: drop,
  },
  {
    name: 'date wrong',
    at: ['versioning.versions.*.deprecated', 'versioning.versions.*.sunset'],
    mutate: says('2026-12-24'),
  },
  { name: 'no difference', at: ['versioning.versions.*.differs.*'], mutate: drop },
  {
    name: 'not called so',
    at: ['versioning.versions.*.differs.*.was'],
    mutate: (value) => [{ does: 'set', value: `${value}s` }],
  },
  {
    name: 'not converted',
    at: ['versioning.versions.*.differs.*.shown', 'versioning.versions.*.differs.*.taken'],
    mutate: drop,
  },
  {
    name: 'converted wrong',
    at: ['versioning.versions.*.differs.*.shown', 'versioning.versions.*.differs.*.taken'],
    mutate: distort,
  },
];

/** A keyword of a shape: of a field, of a body's own, of a parameter, and of a field that an older version had. */
function everyKeyword(...keywords: readonly string[]): string[] {
  return keywords.flatMap((keyword) => [
    `resources.*.fields.*.${keyword}`,
    `endpoints.*.request.body.fields.*.${keyword}`,
    `endpoints.*.request.query.*.${keyword}`,
    `versioning.versions.*.differs.*.${keyword}`,
  ]);
}

function headers(): string[] {
  return ['endpoints.*.response.headers.*', 'errors.codes.*.headers.*', 'limits.rates.*.headers.*'];
}

/** Only of what clients may give: nothing else is held against a bound. */
function whereGiven(mutate: Operator['mutate']): Operator['mutate'] {
  return (value, path, tree) => {
    const isField = path[0] === 'resources';
    const writable = isField ? at(tree, [...path.slice(0, 4), 'writable']) : true;
    return writable === false ? [] : mutate(value, path, tree);
  };
}

/** Only of resources that some answer shows whole. */
function whereShown(mutate: Operator['mutate']): Operator['mutate'] {
  return (value, path, tree) =>
    JSON.stringify(at(tree, ['endpoints'])).includes(`"\${${path[1]}(`) ? mutate(value, path, tree) : [];
}

function offByOne(value: Json, ..._rest: unknown[]): Mutation[] {
  return [Number(value) + 1, Number(value) - 1].map((one) => ({
    does: 'set',
    value: one,
    says: String(one),
  }));
}

/** Each number that an expression compares with, one more and one less; planted beside it. */
function literals(value: Json, path: readonly (string | number)[]): Mutation[] {
  return (String(value).match(/\b\d+\b/g) ?? []).flatMap((number) =>
    offByOne(Number(number)).map((one) => ({
      ...one,
      path: [...path.slice(0, -1), `${path.at(-1)}~${number}`],
    })),
  );
}

/** A comparison that holds at its bound, too. */
function comparisons(value: Json, path: readonly (string | number)[]): Mutation[] {
  return (String(value).match(/ [<>] /g) ?? []).map((sign) => ({
    does: 'set',
    value: false,
    says: `${sign.trim()}=`,
    path: [...path.slice(0, -1), `${path.at(-1)}~${sign.trim()}`],
  }));
}

function conjuncts(value: Json, path: readonly (string | number)[]): Mutation[] {
  return String(value)
    .split('&&')
    .map((_one, index) => ({
      does: 'set',
      value: false,
      says: String(index + 1),
      path: [...path.slice(0, -1), `${path.at(-1)}~${index + 1}`],
    }));
}

function otherStates(value: Json, machine: readonly (string | number)[], tree: Json): Mutation[] {
  const states = at(tree, [...machine, 'states']) as readonly string[];
  return states.filter((one) => one !== value).map((one) => ({ does: 'set', value: one, says: one }));
}

function otherVersions(tree: Json): Mutation[] {
  const names = Object.keys(at(tree, ['versioning', 'versions']) as object);
  return names
    .filter((one) => one !== at(tree, ['versioning', 'default']))
    .map((one) => ({ does: 'set', value: one, says: one }));
}

/** Another status of the same class. */
function wrongStatus(value: Json): Mutation[] {
  const other =
    { 200: 201, 201: 200, 204: 200, 400: 422, 404: 410, 409: 422, 422: 400 }[Number(value)] ?? 400;
  return [{ does: 'set', value: other, says: String(other) }];
}

/** Two neighbours in a list change places. */
function swaps(value: Json): Mutation[] {
  const list = value as readonly string[];
  return list.slice(1).map((second, index) => {
    const swapped = [...list];
    swapped.splice(index, 2, second, list[index] ?? '');
    return { does: 'set', value: swapped, says: `${second} before ${list[index]}` };
  });
}

/** The rate counts the next operation, too. */
function anotherOperation(value: Json, _path: unknown, tree: Json): Mutation[] {
  const counted = value as readonly string[];
  const all = Object.values(at(tree, ['endpoints']) as Record<string, Json>).flatMap((one) =>
    one !== null && typeof one === 'object' && 'operation' in one ? [String(one.operation)] : [],
  );
  const other = all.find((one) => !counted.includes(one)) ?? '';
  return [{ does: 'set', value: [...counted, other], says: other }];
}

/** Bytes of a size (language §H.5). */
function bytes(size: string): number {
  const [, number = '', unit = ''] = /^(\d+) ?(\w*)$/.exec(size) ?? [];
  return Number(number) * ({ KiB: 1024, kB: 1000, MiB: 1024 ** 2 }[unit] ?? 1);
}
