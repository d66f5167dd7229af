import type { Json } from '../../source/node.ts';
import { type Operation, singlesOut } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import { schemaOf } from '../../specification/shape.ts';
import { type Scenario, type Statement, Unreached, unreached } from '../check.ts';
import { reasonsOf } from '../constraints.ts';
import { doesJustThat, ownConditions } from '../guards.ts';
import { keyOf, type Members, membersOf } from '../item.ts';
import { namesFor } from '../names.ts';
import { type Item, item as itemOf } from '../partly.ts';
import { make, perform } from '../perform.ts';
import { bounds } from '../probes.ts';
import { mustRefuse, refusalStatement } from '../protocol.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor, isAboutOne, requestTo } from '../request.ts';
import { itemFor, varied } from '../sample.ts';
import { type Body, bodyOf } from '../schema.ts';
import { workOut } from '../solve.ts';
import { deed } from '../success.ts';
import { type Attempt, heldUp, operationFor, type Trial } from '../trial.ts';

/** The conditions that are caused here, in parts 2 and 4, or in the protocol. */
const caused = [
  'malformed',
  'unknown path',
  'method not allowed',
  'unsupported media',
  'unknown',
  'invalid',
  'not unique',
  'expression',
];

const malformed: Reason = { name: 'malformed', subject: '', failures: [] };
const unsupported: Reason = { name: 'unsupported media', subject: '', failures: [] };
const unknownItem = (operation: Operation): Reason => ({
  name: 'unknown',
  subject: operation.subject?.name ?? '',
  failures: [],
});

/** Part 7: every reason to refuse that can be brought about, and how it is answered (language §7, H.4). */
export function checks(trial: Trial): Scenario[] {
  const { of } = trial;
  const runnable = of.operations.filter((operation) => heldUp(of, operation) === null);
  const single = runnable.filter(
    (one) => singlesOut(one) && ['read', 'update', 'delete'].includes(stated(one.does)?.verb ?? ''),
  );
  return [
    ...runnable
      .filter((operation) => bodyOf(of, operation) !== null)
      .flatMap((operation) => unreadable(trial, operation)),
    ...single.flatMap((operation) => unknown(trial, operation)),
    ...single
      .filter((operation) => bodyOf(of, operation) !== null)
      .flatMap((operation) => orders(trial, operation)),
    ...runnable
      .filter((operation) => stated(operation.does)?.verb === 'create')
      .flatMap((operation) => notUnique(trial, operation)),
    ...runnable.flatMap((operation) => ownRefusals(trial, operation)),
    ...notCaused(trial),
  ];
}

/** Content that cannot be read: broken, missing, a member twice, or no object where fields stand (language §H.4). */
function unreadable(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const body = bodyOf(of, operation);
  const usual = JSON.stringify(bodyFor(trial, operation, 'most') ?? {});
  const twice = /^\{("(?:[^"\\]|\\.)*":)/.exec(usual)?.[1];
  const contents: (readonly [string, string])[] = [
    ['broken JSON', usual.slice(0, -1)],
    ['JSON and more after it', `${usual}}`],
    ['no content', ''],
    ...unkeepable(body, usual),
    ...(twice === undefined ? [] : [['a member twice', `{${twice}null,${usual.slice(1)}`] as const]),
    ...(body && body.fields.size > 0
      ? ([
          ['a list for an object', '[]'],
          ['text for an object', '"text"'],
          ['null for an object', 'null'],
        ] as const)
      : []),
  ];
  return contents.map(([label, raw]) =>
    refusing(trial, {
      says: `${operation.key} with ${label}`,
      operation,
      cites: refusalStatement(of, operation, malformed),
      reasons: [malformed],
      must: mustRefuse(of, operation, malformed),
      ...varied(trial, operation, () => ({ raw })),
    }),
  );
}

/** Text that is none, and an integer that cannot be kept exactly: what JSON can write and nothing can hold (§H.4). */
function unkeepable(body: Body | null, usual: string): (readonly [string, string])[] {
  const members = JSON.parse(usual) as Members;
  const withRaw = (name: string, raw: string): string =>
    JSON.stringify({ ...members, [name]: marker }).replace(`"${marker}"`, raw);
  const typed = (type: string): string | undefined =>
    [...(body?.fields.values() ?? [])].find((field) => stated(field.shape.keywords.get('type')) === type)
      ?.name;
  const [text, whole] = [typed('string'), typed('integer')];
  return [
    ...(text === undefined
      ? []
      : ([
          ['half of a surrogate pair', withRaw(text, '"a\\ud800"')],
          ['the character U+0000', withRaw(text, '"a\\u0000"')],
        ] as const)),
    ...(whole === undefined ? [] : [['an integer past 2^53', withRaw(whole, '9007199254740993')] as const]),
  ];
}

const marker = '(raw)';

/** Requests of which an expression of one's own holds (language §H.4, 15): looked for among usual ones. */
function ownRefusals(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  return ownConditions(of, operation).map(({ code, row, condition }) => {
    const attempt = (item: Item | undefined): Attempt => {
      for (let i = 0; i < 50; i++) {
        const schema = bodyOf(of, operation)?.schema;
        const body = schema && trial.tools.valid(schema, i % 2 === 0 ? 'most' : 'least');
        const tried: Attempt = { ...(item && { item }), ...(body !== undefined && { body }) };
        const asking = {
          operation,
          request: requestTo(trial, operation, tried),
          given: body,
          ...(item && { item }),
        };
        if (workOut(condition.template, namesFor(of, trial.url, asking)) === true) return tried;
      }
      throw new Unreached(`no request was found of which ${code} holds`);
    };
    return refusing(trial, {
      says: `${operation.key}, where ${code} holds,`,
      operation,
      cites: { address: row.when.address, at: row.when.at },
      reasons: [{ name: 'expression', subject: '', failures: [], code }],
      ...(isAboutOne(operation) ? { item: async () => (await itemFor(trial, operation)) as Item } : {}),
      send: (item) => perform(trial, operation, attempt(item)),
    });
  });
}

/** An item that is not there: one that never was, one that cannot be, one that was removed (language §H.4, 7). */
function unknown(trial: Trial, operation: Operation): Scenario[] {
  const { of, tools } = trial;
  const { subject, key } = operation;
  if (subject === null) return [];
  const [name] = stated(subject.identifier) ?? [];
  const field = name && subject.fields.get(name.text);
  const odd = 'no-such-key';
  const remover = operationFor(of, subject, 'delete');
  const cases: (readonly [string, () => Promise<Item>])[] = [
    ['that nobody made', () => Promise.resolve(keyOf(trial.fresh, subject))],
    ...(field && name && tools.failures(schemaOf(field.shape), odd).length > 0
      ? [['that cannot be', () => Promise.resolve(itemOf(subject, [[name.text, odd]], []))] as const]
      : []),
    ...(remover
      ? [
          [
            'that was removed',
            async () => {
              const { item } = await make(trial, subject);
              await perform(trial, remover, { item });
              return item;
            },
          ] as const,
        ]
      : []),
  ];
  return cases.map(([label, item]) =>
    refusing(trial, {
      says: `${key} of a ${subject.name} ${label}`,
      operation,
      cites: deed(operation),
      reasons: [unknownItem(operation)],
      must: doesJustThat(of, operation),
      item,
      send: async (gone) => {
        const body = bodyFor(trial, operation, 'most');
        const { exchange } = await perform(trial, operation, {
          ...(gone && { item: gone }),
          ...(body !== undefined && { body }),
        });
        return { exchange, given: body };
      },
    }),
  );
}

/** Requests that earn two conditions: the order of part 7 decides, or, where it is silent, either may answer (F.1). */
function orders(trial: Trial, operation: Operation): Scenario[] {
  const { of, tools } = trial;
  const { subject, key } = operation;
  const body = bodyOf(of, operation);
  if (subject === null || body === null) return [];
  const wrong = bounds(body.schema, tools).find(
    ({ outside, place }) => outside.length > 0 && place.length > 0,
  )?.outside[0];
  const gone = unknownItem(operation);
  const usual = (): Json => bodyFor(trial, operation, 'most') ?? {};
  const pairs: (readonly [string, readonly Reason[], () => Attempt])[] = [
    ['broken JSON', [malformed, gone], () => ({ raw: '{"' })],
    ['content of another media type', [unsupported, gone], () => ({ body: usual(), media: 'text/plain' })],
    ...(wrong
      ? [
          [
            'a member out of bounds',
            [gone, ...reasonsOf(body.name, wrong.value, wrong.failures)],
            () => ({ body: wrong.value }),
          ] as const,
        ]
      : []),
  ];
  const order = stated(of.errors)?.order;
  const cites: Statement = order ? { address: order.address, at: order.at } : deed(operation);
  return pairs.map(([label, reasons, attempt]) =>
    refusing(trial, {
      says: `${key} of an unknown ${subject.name} with ${label}`,
      operation,
      cites,
      reasons,
      must: doesJustThat(of, operation),
      members: Object.keys(membersOf(wrong?.value) ?? {}),
      item: () => Promise.resolve(keyOf(trial.fresh, subject)),
      send: async (item) => {
        const { exchange, given } = await perform(trial, operation, { ...(item && { item }), ...attempt() });
        return { exchange, given };
      },
    }),
  );
}

/** An identifier that the client gives, given twice (language §2, `identifier`; H.2, `present`). */
function notUnique(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const { subject, key } = operation;
  if (subject === null) return [];
  const [name] = stated(subject.identifier) ?? [];
  const body = bodyOf(of, operation);
  const bound = [...operation.bindings.values()].some((one) => one.kind === 'subject');
  if (
    name === undefined ||
    (!bound && (!body?.fields.has(name.text) || subject.fields.get(name.text)?.create.kind === 'stated'))
  )
    return [];
  const reason: Reason = { name: 'not unique', subject: `${subject.name}.${name.text}`, failures: [] };
  return [
    refusing(trial, {
      says: `${key} with an identifier that is taken`,
      operation,
      cites: { address: subject.identifier.address, at: subject.identifier.at },
      reasons: [reason],
      must: doesJustThat(of, operation),
      item: async () => (await make(trial, subject)).item,
      send: async (item) => {
        const taken = item?.known.get(name.text);
        const given = {
          ...membersOf(bodyFor(trial, operation, 'most')),
          ...(bound || taken === undefined ? {} : { [name.text]: taken }),
        };
        const { exchange } = await perform(trial, operation, { ...(item && { item }), body: given });
        return { exchange, given };
      },
    }),
  ];
}

/** Rows whose condition nothing here brings about: stated, and not run by this version. */
function notCaused({ of }: Trial): Scenario[] {
  const errors = stated(of.errors);
  const rows = [...((errors && stated(errors.codes)) ?? [])].flatMap(([code, said]) => {
    const row = stated(said);
    const conditions = (row && stated(row.when)) ?? [];
    return row && !conditions.some((one) => one.names.some((name) => caused.includes(name)))
      ? [[code, row.when] as const]
      : [];
  });
  return rows.map(([code, { address, at }]) =>
    unreached(
      of,
      [{ name: 'refused', says: `${code} answers its conditions`, cites: { address, at } }],
      'stated, not run by this version: nothing here brings it about',
    ),
  );
}
