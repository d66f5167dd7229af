import type { Json, Members } from '../service/document.ts';
import type { Chance } from './chance.ts';
import type { World } from './draft.ts';
import type { OperationDraft } from './endpoints.ts';
import type { Expressions } from './expressions.ts';

interface Writing {
  readonly world: World;
  readonly operations: readonly OperationDraft[];
  readonly chance: Chance;
  readonly write: Expressions;
}

/** Part 5: schemes of each kind that a test can have a credential of, and a rule for each operation. */
export function writeAuthentication({ world, operations, chance, write }: Writing): Json {
  if (!world.isAuthenticated) return '(none)';
  const accounts: Members = world.account
    ? {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Key',
          credentials: { kept: 'Account.key' },
          actor: 'Account',
          wrong: chance.pick(['refuse', 'ignore']),
          challenge: 'Key realm="x"',
        },
        ...chance.maybe(40, () => ({
          login: {
            type: 'http',
            scheme: 'basic',
            credentials: { kept: ['Account.email', 'Account.password'] },
            actor: 'Account',
            challenge: 'Basic realm="x"',
            wrong: 'refuse',
          },
        })),
      }
    : {};
  const schemes: Members = {
    ...accounts,
    ...((!world.account || chance.percent(40)) && {
      desk: {
        type: 'http',
        scheme: world.account ? 'bearer' : 'basic',
        credentials: 'operator',
        actor: 'office',
        challenge: 'Desk realm="x"',
        wrong: 'refuse',
      },
    }),
  };
  if (operations.some(({ name }) => name === 'signIn'))
    schemes['session'] = {
      type: 'http',
      scheme: 'bearer',
      prefix: 'Session',
      credentials: {
        issued: 'opaque',
        ...chance.maybe(50, () => ({ life: 'P1D' })),
      } as Members,
      actor: 'Account',
      challenge: 'Session',
      wrong: 'refuse',
    };
  const rule = (operation: OperationDraft): Json => {
    const { resource, isAboutItem } = operation;
    const kinds: (() => Json)[] = [
      () => 'anyone',
      () => 'anyone',
      () => 'known',
      () => '${false}',
      () => ('desk' in schemes ? ['office', 'known'] : 'known'),
    ];
    if (world.account && isAboutItem && resource) {
      const names = [
        { path: 'actor', kind: { item: 'Account' }, isSure: true, isStorable: true, isRow: false },
        { path: 'actor.role', kind: 'text' as const, isSure: true, isStorable: true, isRow: false },
        { path: 'this', kind: { item: resource.name }, isSure: true, isStorable: true, isRow: true },
        ...write.members('this', resource, true),
      ];
      const own = (): string => `\${${write.of('boolean', { names, isStorable: true, hasSets: true })}}`;
      kinds.push(
        own,
        () => ({ rule: 'known', items: own() }),
        () => [own(), "${actor.role == 'chief'}"],
      );
    }
    if (world.account) kinds.push(() => 'user');
    return chance.pick(kinds)();
  };
  return {
    schemes,
    ...chance.maybe(20, () => ({ several: chance.pick(['refuse', 'first']) })),
    ...(world.account && { actors: { user: "${actor.role == 'user'}" } }),
    authorization: Object.fromEntries(chance.some(operations, 75).map((one) => [one.name, rule(one)])),
    otherwise: chance.pick(['anyone', 'known']),
  } as Members;
}

/** Part 6: kinds by operations and transitions, and each way of delivery that needs nobody outside. */
export function writeEvents({ world, operations, chance, write }: Writing): Json {
  const emitting = operations.filter(
    ({ resource, verb }) => resource && resource.name !== 'Pair' && !['read', 'list'].includes(verb),
  );
  if (!chance.percent(45) || emitting.length === 0) return '(none)';
  const moves = world.resources.flatMap(({ name, machine }) =>
    (machine?.transitions ?? []).map((one) => `${name}.${one}`),
  );
  const kind = (): Members => {
    const { name, resource } = chance.pick(emitting);
    const names = resource
      ? [
          { path: 'now', kind: 'time' as const, isSure: true, isStorable: true, isRow: false },
          ...write.members('this', resource, true),
        ]
      : [];
    const scope = { names, isStorable: false, hasSets: true };
    return {
      by: [name, ...(moves.length > 0 && chance.percent(15) ? [chance.pick(moves)] : [])],
      body: { id: '${this.id}', text: `\${${write.of('text', scope)}}` },
      ...chance.maybe(25, () => ({ when: `\${${write.of('boolean', scope)}}` })),
    } as Members;
  };
  const delivery: Members = {
    ...(world.hook && {
      hooks: {
        webhook: 'Hook.url',
        retries: chance.pick<Json>([['PT5S'], '(none)']),
        ...chance.maybe(50, () => ({ where: '${event.kind in this.kinds}' })),
        ...chance.maybe(50, () => ({ sign: 'standard-webhooks', secret: 'Hook.secret' })),
        ...chance.maybe(30, () => ({ order: chance.pick(['item', 'all']), timeout: 'PT5S' })),
      },
    }),
    ...chance.maybe(15, () => ({ ours: { webhook: 'operator', retries: ['PT1M'] } })),
  } as Members;
  return {
    kinds: { 'thing.made': kind(), ...chance.maybe(40, () => ({ 'thing.moved': kind() })) } as Members,
    envelope: chance.pick<Json>([
      'cloudevents',
      '(none)',
      { id: '${event.id}', kind: '${event.kind}', data: '${event.body}' },
    ]),
    source: '${service.url}',
    ...chance.maybe(40, () => ({ subject: 'things/${event.by}' })),
    delivery: Object.keys(delivery).length > 0 ? delivery : '(none)',
  } as Members;
}

const conditions: readonly (readonly [string, number])[] = [
  ['malformed', 400],
  ['unknown path', 404],
  ['method not allowed', 405],
  ['unsupported media', 415],
  ['invalid', 422],
  ['not unique', 409],
  ['internal', 500],
  ['too large body', 413],
];

/** Part 7: rows for the conditions that something in the other parts may bring about. */
export function writeErrors({ world, operations, chance }: Writing): Json {
  const verbs = new Set(operations.map(({ verb }) => verb));
  const has = (key: string): boolean => operations.some(({ endpoint }) => key in endpoint);
  const subjects = [
    ...new Set(
      operations
        .filter(({ isAboutItem, verb }) => isAboutItem && verb !== 'list')
        .map(({ resource }) => resource?.name as string),
    ),
  ];
  const rows: (readonly [string, number])[] = [
    ...conditions,
    ...subjects.map((name) => [`unknown ${name}`, 404] as const),
    ...(world.isAuthenticated
      ? ([
          ['credential missing', 401],
          ['credential wrong', 401],
          ['not authorized', 403],
        ] as const)
      : []),
    ...(has('conditional')
      ? ([
          ['precondition failed', 412],
          ['precondition missing', 428],
        ] as const)
      : []),
    ...(has('idempotency')
      ? ([
          ['key missing', 400],
          ['key reused', 422],
          ['key busy', 409],
        ] as const)
      : []),
    ...(verbs.has('start')
      ? ([
          ['transition refused', 409],
          ['guard refused', 409],
        ] as const)
      : []),
    ...(verbs.has('delete') ? ([['in use', 409]] as const) : []),
  ];
  const chosen = chance.some(rows, 65);
  const codes = chosen.map(([when, status], index) => [
    when.replace(/\W/g, '_').toLowerCase(),
    {
      when,
      status,
      ...chance.maybe(30, () => ({ message: 'that did not do' })),
      ...chance.maybe(10, () => ({ field: 'x', extra: { n: index } })),
      ...chance.maybe(8, () => ({ headers: { 'X-Why': '${error.code}' } })),
    },
  ]);
  return {
    ...chance.maybe(75, () => ({
      payload: chance.pick<Members>([
        { body: { errors: '${error.fields}' } },
        { body: { code: '${error.code}', message: '${error.message}', failures: '${error.failures}' } },
        {
          media: 'application/problem+json',
          body: { type: 'about:blank', title: '${error.message}', status: '${error.status}' },
        },
      ]),
    })),
    codes: Object.fromEntries(codes),
    ...chance.maybe(30, () => ({ messages: { required: 'is missing', type: 'is of another kind' } })),
    ...chance.maybe(20, () => ({ order: codes.map(([name]) => name as string) })),
  } as Members;
}

/** Part 8. Its rates are too wide for a test to meet them, but now and then. */
export function writeLimits({ world, operations, chance }: Writing): Json {
  if (chance.percent(40)) return '(none)';
  return {
    ...chance.maybe(40, () => ({
      rates: {
        all: {
          allow: chance.pick([3, 1000, 1000]),
          every: 'PT1M',
          per: chance.pick(
            world.account
              ? ['actor', 'address', '(none)', '${request.method}']
              : ['address', '(none)', '${request.method}'],
          ),
          window: chance.pick(['fixed', 'sliding', 'bucket']),
          ...chance.maybe(40, () => ({
            operations: chance
              .some(
                operations.map(({ name }) => name),
                50,
              )
              .slice(0, 3),
          })),
          ...chance.maybe(40, () => ({
            headers: chance.pick<Json>(['draft-10', { 'X-Left': '${rate.remaining}' }]),
          })),
        },
      },
    })),
    ...chance.maybe(20, () => ({ concurrency: { busy: { per: 'address', allow: 5 } } })),
    ...chance.maybe(40, () => ({
      sizes: {
        body: chance.pick(['64 KiB', '200', '1 MiB']),
        ...chance.maybe(40, () => ({ page: 20 })),
        ...chance.maybe(30, () => ({ [chance.pick(world.resources).name]: 50 })),
      },
    })),
    ...chance.maybe(30, () => ({ times: { request: 'PT10S' } })),
  } as Members;
}

/** Part 9: an older version, in which a field had another name, or was not there. */
export function writeVersioning({ world, operations, chance }: Writing): Json {
  if (!chance.percent(30)) return '(none)';
  const of = chance.pick(world.resources);
  const plain = of.fields.filter(
    ({ kind, isGiven, isUnique, statement }) =>
      typeof kind === 'string' && isGiven && !isUnique && !('unique' in statement),
  );
  const field = plain.length > 0 ? chance.pick(plain) : null;
  const address = (name: string): string => (/^\w+$/.test(name) ? `.${name}` : `["${name}"]`);
  const differs: Members = {
    ...(field &&
      chance.percent(70) &&
      of !== world.account && {
        [`resources.${of.name}.fields${address(field.name)}`]: chance.pick<Members>([
          { was: 'former' },
          ...(field.kind === 'text' && !field.values
            ? [{ was: 'former', shown: '${lower(value)}', taken: '${value}' }]
            : []),
        ]),
      }),
    ...chance.maybe(40, () => ({ [`endpoints["${chance.pick(operations).key}"]`]: '(none)' })),
  } as Members;
  return {
    scheme: 'date',
    place: chance.pick<Members>([
      { header: 'X-Version' },
      { query: 'version' },
      { media: 'v' },
      { path: '/v' },
    ]),
    default: chance.pick(['2026-11-01', '2026-01-15', '(none)']),
    versions: {
      '2026-11-01': {},
      '2026-01-15': {
        ...chance.maybe(40, () => ({ deprecated: '2026-06-01', sunset: '2030-01-01' })),
        differs,
      },
    },
  } as Members;
}
