import type { Json, Members } from '../service/document.ts';
import type { Chance } from './chance.ts';
import { isItem, type Kind, type Name, type ResourceDraft, type World } from './draft.ts';
import type { Expressions, Scope } from './expressions.ts';
import { isSettable } from './states.ts';

/** An operation, as the parts after part 4 need it. */
export interface OperationDraft {
  readonly name: string;
  readonly key: string;
  readonly verb: string;
  readonly resource: ResourceDraft | null;
  /** It is about one item, or several, that are there before it. */
  readonly isAboutItem: boolean;
  readonly endpoint: Members;
}

interface Writing {
  readonly world: World;
  readonly chance: Chance;
  readonly write: Expressions;
}

/** The operations of part 4: for each resource some verbs, each with its request and answers. */
export function draftOperations(writing: Writing): OperationDraft[] {
  const { world, chance } = writing;
  const operations = world.resources.flatMap((one) => {
    const path = `/${one.name.toLowerCase()}s`;
    const wanted: OperationDraft[] = [created(writing, one, path)];
    if (chance.percent(80)) wanted.push(listed(writing, one, path));
    if (chance.percent(85)) wanted.push(read(writing, one, path));
    if (chance.percent(55)) wanted.push(updated(writing, one, path));
    if (chance.percent(30) && world.account !== one) wanted.push(replaced(writing, one, path));
    if (chance.percent(50)) wanted.push(deleted(writing, one, path));
    for (const name of one.machine?.transitions ?? [])
      if (chance.percent(70)) wanted.push(moved(writing, one, path, name));
    return wanted;
  });
  if (chance.percent(40)) operations.push(silent(writing));
  return operations;
}

function operation(
  name: string,
  key: string,
  verb: string,
  resource: ResourceDraft | null,
  isAboutItem: boolean,
  endpoint: Members,
): OperationDraft {
  return { name, key, verb, resource, isAboutItem, endpoint: { operation: name, ...endpoint } };
}

function names({ world, write }: Writing, one: ResourceDraft | null): Name[] {
  const actor: Name[] = world.account
    ? [{ path: 'actor', kind: { item: 'Account' }, isSure: true, isStorable: true, isRow: false }]
    : [];
  const now: Name = { path: 'now', kind: 'time', isSure: true, isStorable: true, isRow: false };
  if (one === null) return [...actor, now];
  const own: Name = { path: 'this', kind: { item: one.name }, isSure: true, isStorable: true, isRow: true };
  return [own, now, ...actor, ...write.members('this', one, true)];
}

function over(writing: Writing, one: ResourceDraft | null, isStorable: boolean, more: Name[] = []): Scope {
  return { names: [...names(writing, one), ...more], isStorable, hasSets: true };
}

/** What an answer shows: a resource, a view, or a template of its own. */
function shown(writing: Writing, one: ResourceDraft): Json {
  const { chance, write } = writing;
  const scope = over(writing, one, false);
  return chance.pick<() => Json>([
    () => one.name,
    () => one.name,
    () => chance.pick([one.name, ...one.views]),
    () => `\${${one.name}(this)}`,
    () => ({
      id: '${this.id}',
      text: `a \${${write.of('text', scope)}}`,
      nested: { list: [1, `\${${write.of('integer', scope)}}`] },
    }),
    () => ({ item: `\${${one.name}(this)}`, at: '${now}' }),
  ])();
}

function answer(writing: Writing, status: number, body: Json | null): Members {
  const { chance } = writing;
  const more = chance.maybe(8, () => ({ headers: { 'X-Made': '${now}', 'X-Word': 'abc' } }));
  const wrapped = {
    ...(body !== null && { body }),
    ...(body !== null && chance.maybe(8, () => ({ under: 'data' }))),
  };
  if (body !== null && chance.percent(8)) {
    const entries = [
      ['application/json', wrapped],
      ['text/plain', { body: 'on ${now}' }],
      ['multipart/mixed', { body: [{ headers: { 'Content-Type': 'application/json' }, body }] }],
    ].slice(0, chance.between(2, 3));
    return {
      status,
      ...more,
      content: Object.fromEntries(chance.percent(70) ? entries : entries.reverse()),
    } as Members;
  }
  return {
    status,
    ...wrapped,
    ...more,
    ...(body !== null && chance.maybe(6, () => ({ media: 'application/vnd.x+json' }))),
  } as Members;
}

function bodyOf(one: ResourceDraft, { chance }: Writing): Json {
  const omitted = one.fields.filter(({ isGiven, isSure, name }) => isGiven && !isSure && name !== 'id');
  if (!chance.percent(10) || omitted.length === 0) return one.name;
  return { of: one.name, omits: [] };
}

function created(writing: Writing, one: ResourceDraft, path: string): OperationDraft {
  const { chance, write } = writing;
  const settable = one.fields.filter(
    ({ statement, kind, values }) =>
      isSettable(statement) && !values && ['text', 'integer', 'boolean'].includes(kind as string),
  );
  const scope: Scope = { names: names(writing, null), isStorable: false, hasSets: true };
  const hasWith = chance.percent(25) && settable.length > 0;
  const field = settable.length > 0 ? chance.pick(settable) : null;
  const more: Members =
    hasWith && field
      ? { with: ['${request.body}', { [field.name]: `\${${write.of(field.kind, scope)}}` }] }
      : {};
  const isUpsert = chance.percent(15);
  const present = isUpsert ? { present: chance.pick(['keep', 'match', 'update', 'replace']) } : {};
  const isPut = one.fields[0]?.isGiven === true && isUpsert && chance.percent(50);
  const response: Json = isUpsert
    ? [
        { when: 'created', ...answer(writing, 201, one.name) },
        { when: ['changed', 'unchanged'], ...answer(writing, 200, one.name) },
      ]
    : answer(writing, 201, chance.percent(90) ? shown(writing, one) : null);
  return operation(`create${one.name}`, isPut ? `PUT ${path}/{id}` : `POST ${path}`, 'create', one, false, {
    does: { create: one.name, ...more, ...present } as Members,
    request: {
      ...(isPut && { path: { id: `${one.name}.id` } }),
      ...taken(writing, bodyOf(one, writing)),
    },
    response,
    ...also(writing, one),
    ...chance.maybe(12, () => ({
      idempotency: {
        header: 'Idempotency-Key',
        life: 'PT1H',
        per: chance.pick(writing.world.account ? ['actor', 'key'] : ['key']),
        remembers: chance.pick(['successes', 'all']),
        ...chance.maybe(40, () => ({ required: chance.percent(30) })),
        ...chance.maybe(30, () => ({ replay: { headers: { Replayed: 'yes' } } })),
      },
    })),
  } as Members);
}

/** A body, or the same by several media types. */
function taken(writing: Writing, body: Json): Members {
  const { chance } = writing;
  if (!chance.percent(8)) return { body, ...media(writing) };
  return {
    content: {
      'application/json': { body, ...chance.maybe(30, () => ({ under: 'data' })) },
      'application/x-www-form-urlencoded': { body },
      ...chance.maybe(40, () => ({ 'text/*': { body: { type: 'string' } } })),
    },
  } as Members;
}

function media({ chance }: Writing): Members {
  return chance.maybe(15, () => ({
    media: chance.pick<Json>([
      ['application/json', 'application/x-www-form-urlencoded'],
      'application/vnd.thing+json',
      ['application/json', 'multipart/form-data'],
    ]),
  })) as Members;
}

function also(writing: Writing, one: ResourceDraft): Members {
  const { world, chance, write } = writing;
  const others = world.resources.filter((other) => other !== one && other !== world.account);
  if (!chance.percent(20) || others.length === 0) return {};
  const other = chance.pick(others);
  const settable = other.fields.filter(
    ({ statement, kind, values }) =>
      isSettable(statement) && !values && ['text', 'integer'].includes(kind as string),
  );
  const scope: Scope = { names: names(writing, one), isStorable: false, hasSets: true };
  const where = `\${${write.of('boolean', { names: [...names(writing, other)], isStorable: true, hasSets: true })}}`;
  const set = settable.map((field) => [field.name, `\${${write.of(field.kind, scope)}}`]).slice(0, 1);
  const [change] = chance.some<Members>(
    [
      { delete: `every ${other.name}`, where: '${this == null}' },
      ...(settable.length > 0
        ? [{ update: `every ${other.name}`, where, with: Object.fromEntries(set) }]
        : []),
      { update: `every ${other.name}`, with: {}, when: "${outcome == 'changed'}" },
    ],
    60,
  );
  return change ? { also: [change] } : {};
}

function listed(writing: Writing, one: ResourceDraft, path: string): OperationDraft {
  const { chance, write } = writing;
  const rows = over(writing, one, true);
  const sortable = one.fields.filter(
    ({ isStorable, kind, name }) => isStorable && !isItem(kind) && kind !== 'address' && /^\w+$/.test(name),
  );
  const order: Members = chance.maybe(60, () => ({
    order: chance.pick<() => Json>([
      () => chance.some(sortable, 40).map(({ name }) => (chance.percent(40) ? `-${name}` : name)),
      () => chance.some(sortable, 40).map(({ name }) => name),
      () => "${request.query.by == 'up' ? 'id' : '-id'}",
    ])(),
  })) as Members;
  const isByExpression = typeof order['order'] === 'string';
  const query: Members = {
    ...(isByExpression && { by: { type: 'string', default: 'up' } }),
    ...chance.maybe(40, () => {
      const field = chance.pick(
        one.fields.filter(
          ({ isStorable, kind, name }) =>
            isStorable && !isItem(kind) && kind !== 'address' && kind !== 'texts' && /^\w+$/.test(name),
        ),
      );
      return { [`f_${field.name}`]: { filter: field.name, type: typeNamed(field.kind) } };
    }),
    ...chance.maybe(30, () => {
      const q: Name = { path: 'request.query.q', kind: 'text', isSure: true, isStorable: true, isRow: false };
      return { q: { filter: `\${${write.of('boolean', { ...rows, names: [...rows.names, q] })}}` } };
    }),
    ...chance.maybe(25, () => ({ sort: { sort: sortable.map(({ name }) => name) } })),
  } as Members;
  const page = chance.pick<Members>([
    {},
    {
      size: { page: 'size', type: 'integer', minimum: 1, maximum: 50, default: 10 },
      cursor: { page: 'cursor' },
    },
    { limit: { page: 'size', type: 'integer', default: 5 }, offset: { page: 'offset', type: 'integer' } },
    { size: { page: 'size', type: 'integer' }, page: { page: 'number', type: 'integer' } },
    { size: { page: 'size', type: 'integer' }, start: { page: 'start', type: 'integer' } },
    { after: { page: 'after' }, before: { page: 'before' }, size: { page: 'size', default: 3 } },
  ]);
  const items = `\${${chance.pick([one.name, ...one.views])}(page.items)}`;
  const hasPages = Object.keys(page).length > 0;
  const body = chance.pick<Json>([
    items,
    { items, total: '${page.total}' },
    {
      items,
      ...(hasPages && {
        next: '${page.next}',
        previous: '${page.previous}',
        url: '${page.url}',
        links: '${page.links}',
      }),
    },
    {
      ids: '${page.items.map(i, i.id)}',
      size: '${page.size}',
      offset: '${page.offset}',
      number: '${page.number}',
    },
  ]);
  return operation(`list${one.name}s`, `GET ${path}`, 'list', one, true, {
    does: {
      list: one.name,
      ...chance.maybe(40, () => ({ where: `\${${write.of('boolean', rows)}}` })),
      ...order,
    } as Members,
    request: { query: { ...query, ...page } },
    response: answer(writing, 200, body),
    ...chance.maybe(10, () => ({ conditional: { etag: 'weak', ifNoneMatch: 'allowed' } })),
  } as Members);
}

function typeNamed(kind: Kind): string {
  const types: Readonly<Record<string, string>> = {
    integer: 'integer',
    number: 'number',
    boolean: 'boolean',
  };
  return typeof kind === 'string' ? (types[kind] ?? 'string') : 'string';
}

function read(writing: Writing, one: ResourceDraft, path: string): OperationDraft {
  const { chance, write } = writing;
  return operation(`read${one.name}`, `GET ${path}/{id}`, 'read', one, true, {
    does: chance.percent(80)
      ? `read ${one.name}`
      : { read: one.name, where: `\${${write.of('boolean', over(writing, one, true))} || true}` },
    response: answer(writing, 200, shown(writing, one)),
    ...chance.maybe(25, () => ({ conditional: conditional(chance, false) })),
  } as Members);
}

function conditional(chance: Chance, isWriting: boolean): Members {
  return {
    etag: chance.pick(['strong', isWriting ? 'strong' : 'weak']),
    ...(isWriting ? { ifMatch: chance.pick(['required', 'allowed']) } : { ifNoneMatch: 'allowed' }),
  };
}

function updated(writing: Writing, one: ResourceDraft, path: string): OperationDraft {
  const { chance } = writing;
  const patch: Members = chance.maybe(40, () => ({
    media: chance.pick<Json>([
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/json',
    ]),
  })) as Members;
  return operation(`update${one.name}`, `PATCH ${path}/{id}`, 'update', one, true, {
    does: { update: one.name, ...chance.maybe(8, () => ({ absent: 'ignore' })) } as Members,
    request: { body: one.name, ...patch },
    response: answer(writing, 200, chance.percent(85) ? one.name : null),
    ...also(writing, one),
    ...chance.maybe(20, () => ({ conditional: conditional(chance, true) })),
  } as Members);
}

function replaced(writing: Writing, one: ResourceDraft, path: string): OperationDraft {
  return operation(`replace${one.name}`, `PUT ${path}/{id}/whole`, 'replace', one, true, {
    does: `replace ${one.name}`,
    request: { body: one.name },
    response: [
      { when: 'changed', ...answer(writing, 200, one.name) },
      { when: 'unchanged', status: 204 },
    ],
  } as Members);
}

function deleted(writing: Writing, one: ResourceDraft, path: string): OperationDraft {
  const { chance, write } = writing;
  if (chance.percent(15))
    return operation(`clear${one.name}`, `DELETE ${path}`, 'delete', one, true, {
      does: { delete: `every ${one.name}`, where: `\${${write.of('boolean', over(writing, one, true))}}` },
      response: 204,
    });
  return operation(`delete${one.name}`, `DELETE ${path}/{id}`, 'delete', one, true, {
    does: { delete: one.name, ...chance.maybe(15, () => ({ absent: 'ignore' })) } as Members,
    response: chance.percent(70) ? 204 : { status: 200, body: { was: '${this.id}' } },
  });
}

function moved(writing: Writing, one: ResourceDraft, path: string, name: string): OperationDraft {
  return operation(`${name}${one.name}`, `POST ${path}/{id}/${name}`, name, one, true, {
    does: `${name} ${one.name}`,
    response: answer(writing, 200, writing.chance.percent(70) ? { gone: '${this.id}' } : one.name),
    ...also(writing, one),
  });
}

/** An operation that only answers. */
function silent(writing: Writing): OperationDraft {
  const { chance, write } = writing;
  const scope = over(writing, null, false, [
    { path: 'request.query.n', kind: 'integer', isSure: true, isStorable: true, isRow: false },
  ]);
  return operation('status', 'GET /status', '', null, false, {
    does: '(none)',
    request: {
      query: { n: { type: 'integer', default: 1 }, list: { type: 'array', items: { type: 'string' } } },
      ...chance.maybe(40, () => ({ headers: { 'X-Trace': { type: 'string' } } })),
    },
    response: answer(writing, 200, {
      sum: `\${${write.of('integer', scope, 3)}}`,
      ok: `\${${write.of('boolean', scope, 3)}}`,
      url: '${service.url}',
    }),
  } as Members);
}

/** Part 4 of a document. */
export function writeEndpoints(operations: readonly OperationDraft[], chance: Chance): Members {
  return {
    ...chance.maybe(50, () => ({ protocol: 'RFC 9110' })),
    others: chance.pick(['refuse', 'ignore', 'refuse']),
    ...chance.maybe(10, () => ({ base: '/v1' })),
    ...chance.maybe(10, () => ({ headers: { 'X-Served-By': 'us' } })),
    ...chance.maybe(10, () => ({ cors: { origins: 'any', methods: ['GET', 'POST'], maxAge: 60 } })),
    ...chance.maybe(8, () => ({ 'every GET': { request: { headers: { 'X-Any': { type: 'string' } } } } })),
    ...Object.fromEntries(operations.map(({ key, endpoint }) => [key, endpoint])),
  } as Members;
}
