import type { Sent } from '../accountant.ts';
import { type Json, list, type Members, map } from '../document.ts';
import { countNames, namesIn } from '../due.ts';
import { type Failure, failuresOf } from './failures.ts';
import { type Item, type Items, isWritable } from './items.ts';
import { bindings, isTransition, type Met } from './operation.ts';
import { fill, type Scope } from './working.ts';

export interface Holding {
  readonly condition: string;
  /** What narrows it, such as `Parcel`; a row with a subject is for it alone. */
  readonly subject: string;
  readonly floor: number;
}

/** The reasons that may stand against a request that reaches an operation (language §H.4). */
export function holding(document: Members, met: Met, sent: Sent, items: Items, scope: Scope): Holding[] {
  const found: Holding[] = [];
  const add = (condition: string, subject: string, floor: number): void =>
    void found.push({ condition, subject, floor });
  const { request, endpoint, verb, subject, body, shape } = met;
  const resource = map(map(document['resources'])[subject]);
  const self = scope['self'] as Item | undefined;

  const unversioned = versionFault(map(document['versioning']), sent);
  if (unversioned !== null) add(unversioned, '', 400);

  const type = sent.fields['Content-Type']?.toLowerCase();
  const media = list(request['media'] ?? 'application/json');
  if (shape !== undefined) {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (!isObject || namesIn(sent.body ?? '') !== countNames(body as Json)) add('malformed', '', 400);
    if (type === undefined || !media.includes(type.split(';')[0] as string))
      add('unsupported media', '', 415);
  }
  for (const { as, of } of bindings(document, met))
    if (as !== undefined && scope[as] === undefined) add('unknown', of, 404);
  if (self === undefined && met.isOne && verb !== undefined) add('unknown', subject, 404);
  for (const { field, keyword } of failing(document, met, items))
    add('invalid', `${typeof shape === 'string' ? shape : 'body'}.${field}.${keyword}`, 400);

  const conditional = map(endpoint['conditional']);
  const names = (name: string): boolean => sent.fields[name] !== undefined;
  if (conditional['ifMatch'] === 'required' && !names('If-Match')) add('precondition missing', '', 400);
  if (names('If-Match') || names('If-None-Match')) add('precondition failed', '', 412);
  if (names('Idempotency-Key')) add('key reused', '', 400);

  if (isTransition(verb))
    for (const [name, machine] of machines(document, subject)) {
      const move = map(map(machine['transitions'])[verb as string]);
      const state = self?.[name];
      if (!list(move['from']).includes(String(state))) add('transition refused', subject, 400);
      if (move['when'] !== undefined && self && fill(move['when'], scope) !== true)
        add('guard refused', `${subject}.${verb}`, 400);
    }
  const given = map(body);
  for (const [name, field] of Object.entries(map(resource['fields'])))
    if (map(field)['unique'] !== undefined && ['create', 'update', 'replace'].includes(verb ?? '')) {
      const same = (item: Item): boolean =>
        item !== self && String(item[name]).toLowerCase() === String(given[name]).toLowerCase();
      if (items.of(subject).some(same)) add('not unique', `${subject}.${name}`, 400);
    }
  if (verb === 'create') {
    const identifier = list(resource['identifier'])[0] ?? '';
    const isThere = items.of(subject).some((item) => String(item) === String(given[identifier]));
    if (isThere || self) add('not unique', `${subject}.${identifier}`, 400);
    if ((isThere || self) && met.change['present'] === 'match') add('different', subject, 400);
  }
  if (verb === 'delete' || isTransition(verb))
    for (const [name, one] of Object.entries(map(document['resources'])))
      for (const [field, { refers, ifDeleted }] of Object.entries(map(map(one)['fields'])).map(
        ([field, shape]) => [field, map(shape)] as const,
      ))
        if (String(refers).split('.')[0] === subject && ifDeleted === 'refuse')
          if (items.of(name).some((item) => item[field] === self)) add('in use', subject, 400);
  const mayBreak = verb !== 'read' && verb !== 'list' && resource['invariants'] !== undefined;
  if (mayBreak) add('invariant broken', subject, 400);
  return found;
}

/** What is the matter with the version that a request names in a header field. */
function versionFault({ place, versions, default: usual }: Members, { fields }: Sent): string | null {
  const { header } = map(place);
  if (header === undefined) return null;
  const named = fields[String(header)] ?? (usual === '(none)' ? '' : usual);
  if (named === '' || named === undefined) return named === undefined ? null : 'version missing';
  const isKnown = Object.entries(map(versions)).some(
    ([name, version]) => name === named || list(map(version)['alias'] ?? []).includes(String(named)),
  );
  return isKnown ? null : 'version unknown';
}

export function machines(document: Members, resource: string): [field: string, machine: Members][] {
  return Object.entries(map(document['states'])).flatMap(([name, machine]) =>
    name.split('.')[0] === resource ? [[name.split('.')[1] as string, map(machine)]] : [],
  );
}

/** What of the parameters and the body does not meet its shape. */
export function failing(document: Members, met: Met, items: Items): Failure[] {
  const refers = (to: string, value: Json): boolean =>
    items
      .of(to.split('.')[0] as string)
      .some((item) => String(item[to.split('.')[1] ?? 'id']) === String(value));
  const parameters = map(met.request['query']);
  const inQuery = met.query.flatMap(([name, text]): Failure[] => {
    const shape = parameters[name];
    if (shape === undefined) return [{ field: name, keyword: 'others' }];
    const isNumber = map(shape)['type'] === 'integer' || map(shape)['page'] === 'size';
    const value = isNumber && /^-?\d+$/.test(text) ? Number(text) : text;
    const isBoolean = map(shape)['type'] === 'boolean' && /^(true|false)$/.test(text);
    const own = failuresOf(
      document,
      isNumber ? { ...map(shape), type: 'integer' } : shape,
      value,
      refers,
      name,
    );
    const page = map(shape)['page'];
    return [
      ...own.filter(({ keyword }) => keyword !== 'type' || !isBoolean),
      ...(page === 'cursor' ? [{ field: name, keyword: 'cursor' }] : []),
    ];
  });
  const missing = Object.entries(parameters).flatMap(([name, shape]) =>
    map(shape)['required'] === true && !met.query.some(([one]) => one === name)
      ? [{ field: name, keyword: 'required' }]
      : [],
  );
  // What `with` takes from the request fits the field that it sets (language §H.2).
  const described = map(map(map(document['resources'])[met.subject])['fields']);
  const inWith = [met.change['with']].flat().flatMap((one) =>
    Object.entries(map(one)).flatMap(([name, template]) => {
      const member = /^\$\{request\.body\.(\w+)\}$/.exec(String(template))?.[1] ?? '';
      const value = map(met.body)[member];
      return value === undefined ? [] : failuresOf(document, described[name] ?? {}, value, refers, name);
    }),
  );
  inQuery.push(...inWith);
  if (met.shape === undefined || met.body === undefined) return [...inQuery, ...missing];
  const inBody = failuresOf(document, bodyShape(document, met), met.body, refers, '');
  // Another value for the identifier is a member that nobody stated (language §H.2).
  const identifier = list(map(map(document['resources'])[met.subject])['identifier']);
  const again = identifier.filter((name) => map(met.body)[name] !== undefined && met.verb === 'update');
  return [...inQuery, ...missing, ...inBody, ...again.map((field) => ({ field, keyword: 'others' }))];
}

/** The shape that a resource's name stands for in a request (language §E.4): its members that may be written. */
function bodyShape(document: Members, met: Met): Json {
  const { shape, verb } = met;
  const named = typeof shape === 'string' ? shape : map(shape)['of'];
  if (named === undefined) return shape as Json;
  const resource = map(map(document['resources'])[String(named)]);
  const bound =
    verb === 'create' ? bindings(document, met).flatMap(({ as, field }) => (as ? [] : [field])) : [];
  const state = machines(document, String(named)).map(([field]) => field);
  const fields = Object.entries(map(resource['fields'])).filter(
    ([name, field]) =>
      !bound.includes(name) &&
      isWritable(map(field), state.includes(name)) &&
      (verb !== 'update' || map(field)['writable'] !== 'once'),
  );
  const required =
    verb === 'update' ? [] : list(resource['required']).filter((name) => !bound.includes(name));
  return { ...resource, fields: Object.fromEntries(fields), required };
}
