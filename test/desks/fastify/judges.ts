import type { Asked, Course } from './asked.ts';
import type { Clock } from './clock.ts';
import { type Items, members } from './items.ts';
import { merged } from './json.ts';
import type { Actor, Statements } from './kinds.ts';
import type { Rates } from './rates.ts';
import type { Repeats } from './repeats.ts';
import { type Failure, type Shapes, strays } from './shape.ts';
import { etagOf, matches } from './tags.ts';

/** What the judges know of the desk. */
export interface Desk {
  readonly table: Statements;
  readonly items: Items;
  readonly clock: Clock;
  readonly shapes: Shapes;
  readonly rates: Rates;
  readonly repeats: Repeats;
  /** Whether a cursor is one that the desk gave. */
  readonly position: (cursor: string) => number | null;
}

/** Whether a request is refused for the reason of this code; language of part 7: "when". */
export type Judge = (desk: Desk, asked: Asked, course: Course) => boolean;

export const judges: Readonly<Record<string, Judge>> = {
  version_unknown: ({ table }, { versionFault }) =>
    versionFault !== null && conditions(table, 'version_unknown').includes(versionFault),
  unreadable: (_desk, { isMalformed }) => isMalformed,
  key_missing: (desk, asked) => {
    const { key } = desk.table.authentication.schemes;
    if (asked.isWrong && key?.wrong !== 'ignore') return true;
    return asked.actor === null && !admits(desk, asked);
  },
  too_many: ({ rates }, asked, course) => {
    const { isRefused, rate } = rates.count(asked);
    if (rate) course.rate = rate;
    return isRefused;
  },
  too_large: ({ table }, { content, endpoint }) =>
    endpoint.request.body !== undefined &&
    content.length > (table.limits.sizes.body ?? Number.POSITIVE_INFINITY),
  parcel_unknown: (_desk, asked) => isAbout(asked, 'Parcel') && asked.item === undefined,
  hook_unknown: (_desk, asked) => isAbout(asked, 'Hook') && asked.item === undefined,
  parcel_hidden: (desk, asked) => isDenied(desk, asked, 'parcel_hidden'),
  hook_hidden: (desk, asked) => isDenied(desk, asked, 'hook_hidden'),
  not_yours: (desk, asked) => isDenied(desk, asked, 'not_yours'),
  invalid: (desk, asked, course) => {
    course.failures = [...queryFailures(desk, asked, course), ...bodyFailures(desk, asked, course)];
    return course.failures.length > 0;
  },
  key_reused: ({ repeats }, asked) => repeats.isReused(asked),
  // Requests are carried out one after the other: none is still running when the next comes.
  key_busy: () => false,
  etag_needed: (_desk, { endpoint, headers }) =>
    endpoint.conditional?.ifMatch === 'required' && headers['if-match'] === undefined,
  changed_since: (desk, asked) => {
    const given = asked.headers['if-match'];
    if (asked.endpoint.conditional?.ifMatch === undefined || given === undefined) return false;
    return !matches(given, etagOf(desk, asked) ?? '', 'strong');
  },
  too_late: ({ table }, { endpoint, scene }) => {
    const { operations, when } = table.errors.codes['too_late'] ?? {};
    return operations?.includes(endpoint.operation) === true && typeof when === 'function' && when(scene);
  },
  wrong_state: ({ table }, { endpoint, item, scene }) => {
    const move = table.states['Parcel.status'].transitions[endpoint.does?.verb ?? ''];
    const isMove = ['pickUp', 'deliver', 'cancel'].includes(endpoint.does?.verb ?? '');
    const asks = conditions(table, 'wrong_state');
    const isListed = [move?.from ?? []].flat().includes(String(item?.['status']));
    if (isMove && !isListed) return asks.includes('transition refused');
    return isMove && move?.when !== undefined && !move.when(scene) && asks.includes('guard refused');
  },
  email_taken: ({ items }, { endpoint, body }) =>
    endpoint.operation === 'registerAccount' && items.isTaken(body['email']),
};

function conditions({ errors }: Statements, code: string): readonly string[] {
  const when = errors.codes[code]?.when;
  return Array.isArray(when) ? when : [];
}

/** Whether the path singles out an item of this resource. */
function isAbout({ endpoint }: Asked, resource: 'Parcel' | 'Hook'): boolean {
  if (endpoint.request.path === undefined) return false;
  return (endpoint.operation === 'removeHook') === (resource === 'Hook');
}

/** Whether the rule lets in who asks; a list's rule is about each of its items. */
export function admits(
  { table }: Desk,
  { endpoint, scene }: Asked,
  actor: Actor | null = scene.actor,
): boolean {
  const rules = table.authentication.authorization[endpoint.operation];
  if (endpoint.operation === 'listParcels' && actor !== null) return true;
  return rules === undefined || rules.some((rule) => rule({ ...scene, actor }));
}

/** A refusal by the rule: of the rows, the one that names the operation. */
function isDenied(desk: Desk, asked: Asked, code: string): boolean {
  const { codes } = desk.table.errors;
  const { operation, request } = asked.endpoint;
  const named = ['parcel_hidden', 'hook_hidden'].find((one) => codes[one]?.operations?.includes(operation));
  if ((named ?? 'not_yours') !== code) return false;
  return !(request.path && asked.item === undefined) && !admits(desk, asked);
}

function queryFailures({ shapes, position }: Desk, { endpoint, query }: Asked, course: Course): Failure[] {
  const { query: parameters = {}, others } = endpoint.request;
  const failures: Failure[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const texts = query.get(name);
    if (texts === undefined) {
      if (parameter.default !== undefined) course.values[name] = parameter.default;
      continue;
    }
    const { failures: found, value } = shapes.ofParameter(texts, parameter, name);
    failures.push(...found);
    course.values[name] = value;
    if (parameter.page === 'cursor' && found.length === 0 && position(String(value)) === null)
      failures.push(shapes.notCursor(name));
  }
  if (others !== 'refuse') return failures;
  return [...failures, ...strays(Object.fromEntries(query), parameters).map((name) => shapes.stray(name))];
}

function bodyFailures({ items, shapes }: Desk, asked: Asked, course: Course): Failure[] {
  const { endpoint, body, version, scene, item } = asked;
  const { body: shape, others } = endpoint.request;
  if (shape === undefined) return [];
  if (!('of' in shape))
    return shapes.ofObject(body, { ...shape, ...(others === undefined && { others }) } as typeof shape);
  const isNew = endpoint.does?.verb !== 'update';
  const { others: _, ...writable } = items.writable(shape.of, version, isNew);
  const full = others === undefined ? writable : { ...writable, others };
  if (isNew || item === undefined) return shapes.ofObject(body, full);
  // What is given is merged into what is there (RFC 7396); its own identifier may come along.
  const { id, ...rest } = body;
  const current = items.shown(shape.of, item, scene, version);
  const start = Object.fromEntries(Object.keys(full.fields).map((name) => [name, current[name]]));
  const whole = members(merged(start, rest));
  const known = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  course.merged = Object.fromEntries(
    Object.entries(known).filter(([name]) => Object.hasOwn(rest, name) && Object.hasOwn(full.fields, name)),
  );
  const foreign = id !== undefined && id !== item['id'] ? { id } : {};
  // A member that nobody stated is one, also where it is null.
  const given = {
    ...known,
    ...Object.fromEntries(strays(rest, full.fields).map((name) => [name, rest[name]])),
    ...foreign,
  };
  return shapes.ofObject(given, full);
}
