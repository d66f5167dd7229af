import { get, type Mapping, mapping, type Node, put, scalar } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { canonical, find, steps } from '../reading/address.ts';
import { withMedia } from '../reading/media.ts';
import type { Reading } from '../reading/reading.ts';
import { isMarker, isOpenMarker } from '../reading/said.ts';
import { bodilessStatus } from './answer.ts';
import { writtenChange } from './change.ts';
import { laidRules } from './every.ts';

/**
 * The rows of language §E that give what is written another address; they come before anything is read, so that
 * a point has one address however it was written. The rows that concern one place alone stand where it is read.
 */
export function spelledOut(tree: Mapping, reading: Reading): Mapping {
  return shared(laidRules(always(defaults(statuses(tree), reading), reading), reading));
}

/** The rows of language §E that state more by what stands elsewhere; they come once assumptions are laid in. */
export function implied(tree: Mapping): Mapping {
  return listed(payloads(viewed(bindings(stateFields(references(tree))))));
}

/** `response: 204` is `response: { status: 204 }` (language §E.1). */
function statuses(tree: Mapping): Mapping {
  return eachEndpoint(tree, (endpoint) => {
    const response = get(endpoint, 'response');
    return response === undefined ? endpoint : put(endpoint, 'response', withStatus(response));
  });
}

function withStatus(response: Node): Node {
  if (response.kind === 'list') return { ...response, items: response.items.map(withStatus) };
  if (response.kind === 'map' || typeof response.value !== 'number') return response;
  return mapping([['status', { key: response.span, value: response }]], response.span, response.assumed);
}

/** `limits.defaults: { A: v }` is `default: v` at the address A (language §E.17). */
function defaults(tree: Mapping, reading: Reading): Mapping {
  const limits = get(tree, 'limits');
  const stated = get(limits, 'defaults');
  if (limits?.kind !== 'map' || stated?.kind !== 'map') return tree;
  const laid = new Map<string, Laid>();
  for (const [address, entry] of stated.entries) {
    const path = steps(canonical(address) ?? '');
    const there = path && find(tree, path);
    if (path === undefined || address.endsWith('.*')) reading.report('bad-address', entry.key, { address });
    else if (there?.kind !== 'map')
      reading.report('unknown-name', entry.key, {
        name: address,
        wanted: 'a parameter or a field with keys',
      });
    else if (there.entries.has('default')) {
      const related = [(there.entries.get('default') as { key: Span }).key];
      reading.report('key-twice', entry.key, { key: `${address}.default` }, { related });
    } else
      laid.set(canonical(address) ?? '', { path: [...path, 'default'], value: entry.value, key: entry.key });
  }
  return withLaid(put(tree, 'limits', without(limits, 'defaults')), [...laid.values()]) as Mapping;
}

/** `set: { always: X }` is `set: { create: X, update: X }` (language §E.20). */
function always(tree: Mapping, reading: Reading): Mapping {
  const resources = get(tree, 'resources');
  if (resources?.kind !== 'map') return tree;
  const changed = each(resources, (entry) => {
    const fields = get(entry, 'fields');
    if (fields?.kind !== 'map') return entry;
    return put(
      entry,
      'fields',
      each(fields, (field) => setBoth(field, reading)),
    );
  });
  return put(tree, 'resources', changed);
}

function setBoth(field: Mapping, reading: Reading): Mapping {
  const set = get(field, 'set');
  const both = entryOf(set, 'always');
  if (set?.kind !== 'map' || both === undefined) return field;
  const twin = set.entries.get('create') ?? set.entries.get('update');
  if (twin) reading.report('key-twice', both.key, { key: 'always' }, { related: [twin.key] });
  const whole = ['create', 'update'].reduce(
    (result, key) => (result.entries.has(key) ? result : put(result, key, both.value, both.key)),
    without(set, 'always'),
  );
  return put(field, 'set', whole);
}

/** `order: listed` is the list of the rows, as they stand in the document (language §E.21). */
function listed(tree: Mapping): Mapping {
  const errors = get(tree, 'errors');
  const order = get(errors, 'order');
  const codes = get(errors, 'codes');
  if (errors?.kind !== 'map' || textOf(order) !== 'listed' || order === undefined) return tree;
  // Without rows nothing has an order.
  if (codes?.kind !== 'map') return put(tree, 'errors', without(errors, 'order'));
  const items = [...codes.entries]
    .filter(([, { value }]) => !isMarker(value) || isOpenMarker(value))
    .map(([code]) => scalar(code, order.span, order.assumed));
  return put(tree, 'errors', put(errors, 'order', { ...order, kind: 'list', items }));
}

interface Laid {
  readonly path: readonly (string | number)[];
  readonly value: Node;
  readonly key: Span;
}

/** The tree with these values at the ends of their paths, of which all but the last step are there. */
function withLaid(tree: Node, laid: readonly Laid[], depth = 0): Node {
  const [only] = laid;
  if (only === undefined) return tree;
  if (depth === only.path.length) return only.value;
  const groups = Map.groupBy(laid, ({ path }) => path[depth] as string | number);
  if (tree.kind === 'list')
    return {
      ...tree,
      items: tree.items.map((item, index) => withLaid(item, groups.get(index) ?? [], depth + 1)),
    };
  if (tree.kind === 'scalar') return tree;
  const entries = new Map(tree.entries);
  for (const [name, inner] of groups) {
    const before = entries.get(String(name));
    const value = before ? withLaid(before.value, inner, depth + 1) : (inner[0] as Laid).value;
    entries.set(String(name), { key: before?.key ?? (inner[0] as Laid).key, value });
  }
  return { ...tree, entries };
}

function without(map: Mapping, key: string): Mapping {
  const entries = new Map(map.entries);
  entries.delete(key);
  return { ...map, entries };
}

/** `others`, `cors` and `matching` at the top of part 4 are the same on every endpoint that has none (language §E.15). */
function shared(tree: Mapping): Mapping {
  const endpoints = get(tree, 'endpoints');
  const others = entryOf(endpoints, 'others');
  return eachEndpoint(tree, (endpoint) => {
    const result = ['cors', 'matching'].reduce((into, key) => {
      const entry = entryOf(endpoints, key);
      return entry && !into.entries.has(key) ? put(into, key, entry.value, entry.key) : into;
    }, endpoint);
    const request = result.entries.get('request');
    if (others === undefined || (request && request.value.kind !== 'map')) return result;
    const into =
      request?.value.kind === 'map' ? request.value : mapping([], others.key, others.value.assumed);
    if (into.entries.has('others')) return result;
    return put(result, 'request', put(into, 'others', others.value, others.key), request?.key ?? others.key);
  });
}

/** `refers: R` is `refers: R.i`, i being the identifier of R, where that is one field (language §E.12). */
function references(tree: Mapping): Mapping {
  const resources = get(tree, 'resources');
  if (resources?.kind !== 'map') return tree;
  const changed = each(resources, (entry) => {
    const fields = get(entry, 'fields');
    if (fields?.kind !== 'map') return entry;
    const spelled = each(fields, (field) => {
      const refers = field.entries.get('refers');
      const [only, second] = identifierOf(tree, textOf(refers?.value) ?? '');
      if (refers === undefined || only === undefined || second !== undefined) return field;
      const written = `${textOf(refers.value)}.${only}`;
      return put(field, 'refers', scalar(written, refers.value.span, refers.value.assumed), refers.key);
    });
    return put(entry, 'fields', spelled);
  });
  return put(tree, 'resources', changed);
}

/** A field that a machine of part 3 moves is not writable, where it does not say so itself (language §E.8). */
function stateFields(tree: Mapping): Mapping {
  const machines = get(tree, 'states');
  if (machines?.kind !== 'map') return tree;
  const laid = [...machines.entries].flatMap(([name, { key }]) => {
    const path = ['resources', name.split('.')[0] ?? '', 'fields', name.slice(name.indexOf('.') + 1)];
    const field = find(tree, path);
    const says = ['writable', 'readOnly', 'derived'].some((word) => get(field, word) !== undefined);
    return field?.kind !== 'map' || says
      ? []
      : [{ path: [...path, 'writable'], value: scalar(false, key), key }];
  });
  return withLaid(tree, laid) as Mapping;
}

/** An unbound `{x}` in a path that identifies the subject, or is unique in it, is R.x, also beside a shape (language §E.3). */
function bindings(tree: Mapping): Mapping {
  return eachEndpoint(tree, (endpoint, key) => {
    const resource = writtenChange(get(endpoint, 'does'))?.subject;
    const request = get(endpoint, 'request');
    const path = get(request, 'path');
    if (resource === undefined || isText(request) || isText(path)) return endpoint;
    const known = [...identifierOf(tree, resource), ...uniqueOf(tree, resource)];
    const unbound = [...key.matchAll(/\{([^{}]+)\}/g)]
      .map((match) => match[1] as string)
      .filter((name) => known.includes(name) && isUnbound(get(path, name)));
    const at = entryOf(get(tree, 'endpoints'), key)?.key ?? endpoint.span;
    const bound = unbound.reduce<Mapping>(
      (map, name) => {
        const field = scalar(`${resource}.${name}`, at);
        const shape = get(map, name);
        return put(map, name, shape?.kind === 'map' ? put(shape, 'is', field, at) : field, at);
      },
      path?.kind === 'map' ? path : mapping([], at),
    );
    if (unbound.length === 0) return endpoint;
    const into = request?.kind === 'map' ? request : mapping([], at);
    return put(endpoint, 'request', put(into, 'path', bound, at), at);
  });
}

function isUnbound(parameter: Node | undefined): boolean {
  return parameter === undefined || (parameter.kind === 'map' && !parameter.entries.has('is'));
}

/** A view in a request is the resource that it is of, with the members that it shows (language §E.4). */
function viewed(tree: Mapping): Mapping {
  return eachEndpoint(tree, (endpoint) => {
    const request = endpoint.entries.get('request');
    if (request?.value.kind !== 'map') return endpoint;
    const own = withView(request.value, tree);
    const content = own.entries.get('content');
    const whole =
      content?.value.kind === 'map'
        ? put(
            own,
            'content',
            each(content.value, (entry) => withView(entry, tree)),
            content.key,
          )
        : own;
    return put(endpoint, 'request', whole, request.key);
  });
}

function withView(request: Mapping, tree: Mapping): Mapping {
  const body = request.entries.get('body');
  if (body === undefined) return request;
  const named = body.value.kind === 'map' ? get(body.value, 'of') : body.value;
  const view = get(get(tree, 'resources'), textOf(named) ?? '');
  const of = view?.kind === 'map' ? view.entries.get('of') : undefined;
  if (named === undefined || view?.kind !== 'map' || of === undefined) return request;
  const own = body.value.kind === 'map' ? body.value : mapping([], named.span, named.assumed);
  const whole = put(own, 'of', scalar(textOf(of.value) ?? '', named.span, named.assumed), body.key);
  const isCut = ['shows', 'omits'].some((key) => own.entries.has(key));
  const shown = ['shows', 'omits'].reduce((result, key) => {
    const list = isCut ? undefined : view.entries.get(key);
    return list ? put(result, key, list.value, list.key) : result;
  }, whole);
  return put(request, 'body', shown, body.key);
}

/** A row without `media`, `under`, `headers`, `body` or `content` has that of `errors.payload` (language §E.16, §E.6). */
function payloads(tree: Mapping): Mapping {
  const errors = get(tree, 'errors');
  const payload = get(errors, 'payload');
  if (errors?.kind !== 'map') return tree;
  const of = payload?.kind === 'map' ? withMedia(payload) : payload;
  const codes = get(errors, 'codes');
  const rows =
    codes?.kind === 'map'
      ? put(
          errors,
          'codes',
          each(codes, (row) => withMedia(withPayload(row, of))),
        )
      : errors;
  return put(tree, 'errors', of ? put(rows, 'payload', of) : rows);
}

function withPayload(row: Mapping, payload: Node | undefined): Mapping {
  const bare = bodilessStatus(get(row, 'status')) !== undefined;
  if (payload?.kind !== 'map' || bare || row.entries.has('as')) return row;
  const has = (...keys: readonly string[]): boolean => keys.some((key) => row.entries.has(key));
  // A row whose content is of its own has neither the body nor the shape of the others.
  const content = has('content')
    ? []
    : [
        'media',
        'under',
        ...(has('body', 'shape') ? [] : ['body', 'shape']),
        ...(has('media', 'under', 'body', 'shape') ? [] : ['content']),
      ];
  return ['headers', ...content].reduce((result, key) => {
    const shown = payload.entries.get(key);
    if (shown === undefined || result.entries.has(key) || isOpenMarker(shown.value)) return result;
    return put(result, key, shown.value, shown.key);
  }, row);
}

/** The names of the fields that identify an item of R, as they are written. */
function identifierOf(tree: Mapping, resource: string): string[] {
  const identifier = get(get(get(tree, 'resources'), resource), 'identifier');
  const names = identifier?.kind === 'list' ? identifier.items : identifier ? [identifier] : [];
  return names.flatMap((name) => textOf(name) ?? []);
}

/** The fields of R of which no two items have the same value. */
function uniqueOf(tree: Mapping, resource: string): string[] {
  const entry = get(get(tree, 'resources'), resource);
  const fields = get(entry, 'fields');
  return fields?.kind === 'map'
    ? [...fields.entries].flatMap(([name, f]) => (isSaid(get(f.value, 'unique')) ? [name] : []))
    : [];
}

function isSaid(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.value !== false && !isMarker(node);
}

/** The text of a scalar that is no marker. */
function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null && !isMarker(node) ? node.written : undefined;
}

/** Whether anything but a map stands there. */
function isText(node: Node | undefined): boolean {
  return node !== undefined && node.kind !== 'map';
}

function entryOf(
  node: Node | undefined,
  key: string,
): { readonly key: Span; readonly value: Node } | undefined {
  return node?.kind === 'map' ? node.entries.get(key) : undefined;
}

/** Every endpoint that is written as a map; the words of part 4 hold no space. */
function eachEndpoint(tree: Mapping, change: (endpoint: Mapping, key: string) => Mapping): Mapping {
  const endpoints = get(tree, 'endpoints');
  if (endpoints?.kind !== 'map') return tree;
  const changed = each(endpoints, (entry, key) => (key.includes(' ') ? change(entry, key) : entry));
  return put(tree, 'endpoints', changed);
}

/** The map with every entry changed that is a map itself. */
function each(map: Mapping, change: (entry: Mapping, key: string) => Mapping): Mapping {
  const entries = [...map.entries].map(([key, entry]) => {
    const value = entry.value.kind === 'map' ? change(entry.value, key) : entry.value;
    return [key, { ...entry, value }] as const;
  });
  return { ...map, entries: new Map(entries) };
}
