import type { Answer, Sent } from '../accountant.ts';
import { type Json, list, type Members, map } from '../document.ts';
import { changesNotDue } from './changes.ts';
import { failing, holding } from './conditions.ts';
import { itemsOf } from './items.ts';
import type { Kept } from './kept.ts';
import { abouts, fitting, type Met, meet, requestOf } from './operation.ts';
import { isOpen, standsAt, stated } from './said.ts';
import { fill, notDue, type Scope } from './working.ts';

export interface Seen {
  /** With its markers. */
  readonly document: Members;
  readonly url: string;
  readonly sent: Sent;
  readonly answer: Answer;
  readonly before: Kept;
  readonly after: Kept;
  readonly held: readonly string[];
  /** The first answers that were given under a key (language §4.4). */
  readonly remembered: readonly { readonly sent: Sent; readonly answer: Answer }[];
}

/** What an answer may be: its content, and its fields beside those of every answer. */
interface Possible {
  readonly by: string;
  readonly status: readonly number[];
  readonly media?: string;
  readonly body: () => unknown;
  readonly fields: Members;
  readonly scope: Scope;
}

const nothing = { body: () => undefined, fields: {}, scope: {} };

/**
 * What of an answer, and of what it changed, no statement of the document, no row of the protocol floor and
 * no choice accounts for. Shares no code with the service.
 */
export function objections(seen: Seen): string[] {
  const { sent, answer, url } = seen;
  const document = stated(seen.document) as Members;
  const floor = (status: number, by: string, fields: Members = {}): Possible => ({
    ...nothing,
    status: [status],
    by,
    fields,
  });
  const compare = (all: readonly Possible[], met: Met | null, scope: Scope = {}): string[] => {
    const items = itemsOf(document, seen.after, url, met?.subject ?? '');
    const changes = changesNotDue(document, met, seen.before, seen.after, items, scope);
    const fitting = all.filter(({ status }) => status.includes(answer.status));
    if (fitting.length === 0)
      return [`${answer.status} is stated by nothing; due is ${all.map(({ by }) => by).join(', ')}`];
    const found = fitting.map((one) => answerNotDue(one, sent, answer));
    return [...changes, ...(found.find((one) => one.length === 0) ?? (found[0] as string[]))];
  };
  const [target = ''] = sent.target.split('?');
  let paths: ReturnType<typeof fitting>;
  try {
    paths = fitting(document, target);
  } catch {
    return compare(
      rowsFor(document, [{ condition: 'malformed', subject: '', floor: 400 }], '', {}, []),
      null,
    );
  }
  const methods = paths.map(([key]) => key.split(' ')[0] as string);
  if (methods.length === 0)
    return compare(
      rowsFor(document, [{ condition: 'unknown path', subject: '', floor: 404 }], '', {}, []),
      null,
    );
  const method = sent.method === 'HEAD' && !methods.includes('HEAD') ? 'GET' : sent.method;
  const [key, path] = paths.find(([one]) => one.startsWith(`${method} `)) ?? [];
  if (key === undefined) {
    const allow = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
    const refusals = rowsFor(
      document,
      [{ condition: 'method not allowed', subject: '', floor: 405 }],
      '',
      {},
      [],
    );
    return compare(
      refusals.map((one) => ({ ...one, fields: { ...one.fields, Allow: allow } })),
      null,
    );
  }
  const met = meet(document, key, path ?? {}, sent);
  if (answer.status === 501) return [...compare([floor(501, '§F.5')], null), ...heldWrongly(seen)];

  const after = itemsOf(document, seen.after, url, met.subject);
  // What is refused changes nothing, so that it was judged of what is kept after it: what was due came before.
  const before = answer.status >= 400 ? after : itemsOf(document, seen.before, url, met.subject);
  const was = abouts(document, met, before);
  const scopeWith = (items: typeof after, self: unknown): Scope => ({
    ...items.names,
    ...abouts(document, met, items),
    self,
    request: requestOf(met),
    service: { url },
    page: pageSeen(),
  });
  const refused = scopeWith(before, was['self']);
  const { operation = key } = met.endpoint;
  const holds = holding(document, met, sent, before, refused);
  const twins = holds.filter(({ condition }) => condition === 'not unique');
  const failures = [
    ...failing(document, met, before),
    ...twins.map(({ subject }) => ({ field: subject.split('.')[1] ?? '', keyword: 'unique' })),
  ];
  const refusals = rowsFor(document, holds, String(operation), refused, failures);
  const conditional = map(met.endpoint['conditional']);
  const unchanged: Possible[] =
    conditional['ifNoneMatch'] !== undefined && sent.fields['If-None-Match'] !== undefined
      ? [{ ...nothing, status: [304], by: 'RFC 9110 §13.1.2', fields: tag(conditional) }]
      : [];
  const hasKeys = JSON.stringify(document['endpoints']).includes('"idempotency"');
  const repeats = seen.remembered
    .filter((one) => hasKeys && sameRequest(one.sent, sent))
    .map((one) => one.answer);
  if (repeats.some((one) => one.status === answer.status && one.body === answer.body))
    return compare(
      [
        {
          ...nothing,
          by: '§4.4',
          status: [answer.status],
          body: () => parsed(answer.body),
          media: fieldOf(answer, 'Content-Type') ?? '',
          fields: Object.fromEntries(answer.fields.filter(([name]) => name === 'Location')),
        },
      ],
      null,
    );
  const self = abouts(document, met, after)['self'] ?? was['self'];
  const candidates = met.verb === 'create' ? after.of(met.subject) : [self];
  const successes = candidates.flatMap((one) => {
    const scope = scopeWith(after, one);
    return answersOf(met).map((response): Possible => {
      const body = response['body'];
      const isName = typeof body === 'string' && /^[A-Z]\w*$/.test(body);
      const template = isName ? `\${${body}(this)}` : body;
      const under = response['under'];
      return {
        by: `${key} response`,
        status: [response['status']].flat().map(Number),
        scope,
        media: String(response['media'] ?? 'application/json'),
        body: () => {
          const filled = fill(template, scope);
          return under === undefined || filled === undefined ? filled : { [String(under)]: filled };
        },
        fields: { ...map(response['headers']), ...tag(conditional) },
      };
    });
  });
  const isSuccess =
    answersOf(met).some((one) => [one['status']].flat().map(Number).includes(answer.status)) &&
    answer.status < 400;
  return compare(
    [...successes, ...refusals, ...unchanged],
    isSuccess ? met : null,
    isSuccess ? scopeWith(after, was['self'] ?? self) : {},
  );
}

function parsed(text: string): Json | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Json);
}

function sameRequest(one: Sent, other: Sent): boolean {
  return (
    one.target === other.target &&
    one.method === other.method &&
    one.fields['Idempotency-Key'] === other.fields['Idempotency-Key'] &&
    one.fields['Idempotency-Key'] !== undefined
  );
}

function answersOf(met: Met): Members[] {
  const { response } = met.endpoint;
  return typeof response === 'number'
    ? [{ status: response }]
    : [response].flat().map((one) => map(one as Json));
}

function tag(conditional: Members): Members {
  return conditional['etag'] === undefined ? {} : { ETag: `<${String(conditional['etag'])}>` };
}

/** What a page offers: the service's own are told by their form. */
function pageSeen(): Scope {
  const cursor = { fits: (found: Json) => found === null || typeof found === 'string' };
  return { items: 'the items of the page', next: cursor, previous: cursor, total: '<sequence>' };
}

/** The refusals that the document states for the conditions that may hold, or else the floor's. */
function rowsFor(
  document: Members,
  holds: readonly { condition: string; subject: string; floor: number }[],
  operation: string,
  scope: Scope,
  failures: readonly { field: string; keyword: string }[],
): Possible[] {
  const { codes, payload, messages } = map(document['errors']);
  const rows = Object.entries(map(codes)).map(([code, row]) => ({ code, row: map(row) }));
  const own = rows.filter(
    ({ row }) => row['operations'] === undefined || list(row['operations']).includes(operation),
  );
  const isFor = (when: string, { condition, subject }: { condition: string; subject: string }): boolean => {
    if (!when.startsWith(condition)) return false;
    const narrowed = when.slice(condition.length).trim();
    return (
      narrowed === '' ||
      subject === narrowed ||
      subject.startsWith(`${narrowed}.`) ||
      subject.endsWith(`.${narrowed}`)
    );
  };
  const answered = (
    { code, row }: (typeof rows)[number],
    status: number[],
    found: typeof failures = failures,
  ): Possible => {
    const shared = map(payload);
    const told = found.map((one) => ({ ...one, message: map(messages)[one.keyword] }));
    const error: Record<string, unknown> = {
      code: row['code'] ?? code,
      status: { fits: (found: Json) => status.includes(Number(found)) },
      title: row['title'],
      operation,
      failures: told,
    };
    const filled = { ...scope, error };
    for (const name of ['message', 'title', 'field']) error[name] = attempt(row[name], filled);
    const isTold = (one: unknown): boolean => told.some((due) => notDue(due, one as Json).length === 0);
    error['failures'] = Object.assign([...told], {
      fits: (found: Json) => Array.isArray(found) && found.every(isTold),
    });
    if (String(row['message']).includes('error.failures'))
      error['message'] = {
        fits: (found: Json) =>
          String(found)
            .split(', ')
            .every((word) => word === '' || told.some(({ field }) => field === word)),
      };
    return {
      by: `errors.codes.${code}`,
      status,
      scope: filled,
      media: String(row['media'] ?? shared['media'] ?? 'application/json'),
      body: () => fill(row['body'] ?? shared['body'], filled),
      fields: map(row['headers'] ?? shared['headers']),
    };
  };
  return [
    ...holds.flatMap((one) => {
      const fits = own.filter(({ row }) => list(row['when']).some((when) => isFor(when, one)));
      if (fits.length === 0) return [{ ...nothing, by: `${one.condition}, §H.4`, status: [one.floor] }];
      // What is not unique is told of by field too (language §7.2).
      const taken = holds.filter(({ condition }) => condition === 'not unique');
      const unique = taken.map(({ subject }) => ({
        field: subject.split('.').slice(1).join('.'),
        keyword: 'unique',
      }));
      const told = one.condition === 'not unique' ? unique : failures;
      return fits.map((row) => answered(row, [row.row['status'] ?? one.floor].flat().map(Number), told));
    }),
    ...own
      .filter(({ row }) =>
        list(row['when']).some((when) => when.startsWith('${') && attempt(when, scope) === true),
      )
      .map((row) => answered(row, [row.row['status'] ?? 400].flat().map(Number))),
  ];
}

function attempt(template: Json | undefined, scope: Scope): unknown {
  try {
    return fill(template, scope);
  } catch {
    return undefined;
  }
}

function fieldOf({ fields }: Answer, name: string): string | undefined {
  return fields.find(([one]) => one === name)?.[1];
}

/** What of one answer is not due by this. */
function answerNotDue(due: Possible, sent: Sent, answer: Answer): string[] {
  let body: unknown;
  let cannot = false;
  try {
    body = [204, 205, 304].includes(answer.status) ? undefined : due.body();
  } catch {
    cannot = true;
  }
  let found: Json | undefined;
  try {
    found = parsed(answer.body);
  } catch {
    return [`the body is not JSON: ${answer.body}`];
  }
  const isHead = sent.method === 'HEAD';
  const content = isHead
    ? answer.body === ''
      ? []
      : ['a body is there, to HEAD']
    : cannot && found === undefined
      ? []
      : notDue(body, found);
  const length = String(Buffer.byteLength(answer.body));
  const fields = answer.fields.flatMap(([name, value]) => {
    const template = due.fields[name];
    if (name === 'Date') return [];
    if (
      name === 'Content-Length' &&
      answer.status !== 204 &&
      (isHead || answer.status === 304 || value === length)
    )
      return [];
    if (name === 'Content-Type' && (body !== undefined || (isHead && cannot)) && value === due.media)
      return [];
    if (
      name === 'ETag' &&
      template !== undefined &&
      new RegExp(template === '<weak>' ? '^W/"[^"]+"$' : '^"[^"]+"$').test(value)
    )
      return [];
    if (template !== undefined && notDue(attempt(template, due.scope), value).length === 0) return [];
    return [`the field ${name}: ${value} is due by nothing`];
  });
  return [...content, ...fields];
}

/** Which of the points that a 501 names are stated. */
function heldWrongly({ held, document }: Seen): string[] {
  if (held.length === 0) return ['501 names no point'];
  return held
    .filter((point) => !isOpen(standsAt(document, point)) && standsAt(document, point) !== '(none)')
    .map((point) => `501 names ${point}, which is stated`);
}
