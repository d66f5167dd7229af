import { isDeepStrictEqual } from 'node:util';
import { type Json, list, type Members, map, statementAt } from './document.ts';
import { compareText, countNames, type Due, dueValue, type Ledger, namesIn } from './due.ts';
import { defaults, type Item, shown, unmet, uuid } from './item.ts';

/**
 * Accounts for every byte of an answer that a service gives for the to-do list of `examples/`, or for what is
 * left of that document when statements are taken out. Written from the language's text; it shares no code with
 * the service, so that a mistake in one is not its own witness in the other (principles, rule 5).
 *
 * Each piece of an answer is due by a statement (its address), a row of the protocol floor (its RFC section), a
 * row of the notation or a choice (language §E, §F.1), or is what a client gave before. What is there and not
 * due is an objection; so is what is due and not there; so is whatever else was changed in what is kept.
 */

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Answer {
  readonly status: number;
  /** Header fields as they came, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** One request and what came of it. */
export interface Exchange {
  readonly document: Members;
  /** `service.url`. */
  readonly url: string;
  readonly sent: Sent;
  readonly answer: Answer;
  readonly before: readonly Item[];
  readonly after: readonly Item[];
  /** The points that the log named, where the answer is 501. */
  readonly held: readonly string[];
}

export interface Account {
  /** Each piece of the answer with what it is due by. */
  readonly pieces: readonly string[];
  readonly objections: readonly string[];
}

interface DueField {
  readonly name: string;
  readonly value: string;
  readonly by: string;
}

interface DueAnswer {
  readonly status: readonly number[];
  readonly by: string;
  readonly fields: readonly DueField[];
  readonly body: Due | null;
  readonly after: readonly Item[];
}

/** A point without which the request cannot be answered: 501. */
interface Undetermined {
  readonly open: string;
  readonly fields: readonly DueField[];
}

type Condition =
  | 'malformed'
  | 'unknown path'
  | 'method not allowed'
  | 'unsupported media'
  | 'unknown'
  | 'invalid'
  | 'not unique';

/** Language §H.4, last column. */
const floor: Readonly<Record<Condition, readonly [status: number, section: string]>> = {
  malformed: [400, 'RFC 9110 §15.5.1'],
  'unknown path': [404, 'RFC 9110 §15.5.5'],
  'method not allowed': [405, 'RFC 9110 §15.5.6'],
  'unsupported media': [415, 'RFC 9110 §15.5.16'],
  unknown: [404, 'RFC 9110 §15.5.5'],
  invalid: [400, 'RFC 9110 §15.5.1'],
  'not unique': [400, 'RFC 9110 §15.5.1'],
};

export function account(exchange: Exchange): Account {
  const pieces: string[] = [];
  const objections: string[] = [];
  const take: Ledger['take'] = (piece, by) => void pieces.push(`${piece} ← ${by}`);
  const object: Ledger['object'] = (text) => void objections.push(text);
  const { answer, sent, after, before, document, held } = exchange;
  const due = determine(exchange);

  if ('open' in due) {
    if (answer.status !== 501) object(`${answer.status} was answered although ${due.open} is open`);
    else take('501', `RFC 9110 §15.6.2, ${held.join(', ')}`);
    if (held.length === 0) object('501 names no point');
    for (const point of held)
      if (statementAt(document, point) !== undefined) object(`501 names ${point}, which is stated`);
  } else if (!due.status.includes(answer.status))
    object(`${answer.status} is not ${due.status.join(' or ')}, due by ${due.by}`);
  else take(String(answer.status), due.by);

  const body = 'open' in due ? null : due.body;
  const text = body === null ? '' : JSON.stringify(dueValue(body));
  const wantsBody = body !== null && sent.method !== 'HEAD';
  if (!wantsBody && answer.body !== '') object(`a body is there that nothing states: ${answer.body}`);
  if (wantsBody) compareText(body, answer.body, { take, object });

  const length = sent.method === 'HEAD' ? Buffer.byteLength(text) : Buffer.byteLength(answer.body);
  const fields = [
    ...due.fields,
    ...(answer.status === 204 ? [] : [field('Content-Length', String(length), 'RFC 9110 §8.6')]),
  ];
  for (const [name, value] of answer.fields) {
    const index = fields.findIndex((one) => one.name === name);
    if (name === 'Date' && /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(value))
      take(name, 'RFC 9110 §6.6.1');
    else if (index === -1) object(`the field ${name}: ${value} is due by nothing`);
    else {
      const [wanted] = fields.splice(index, 1) as [DueField];
      if (sameField(wanted.value, value)) take(`${name}: ${value}`, wanted.by);
      else object(`${name}: ${value} is not ${wanted.value}, due by ${wanted.by}`);
    }
  }
  if (answer.fields.filter(([name]) => name === 'Date').length !== 1)
    object('Date is not there once (RFC 9110 §6.6.1)');
  for (const missing of fields) object(`${missing.name}: ${missing.value} is missing, due by ${missing.by}`);

  const expected = 'open' in due ? before : due.after;
  if (!isDeepStrictEqual(after, expected))
    object(
      `what is kept is not what was to be kept: ${JSON.stringify(after)}, not ${JSON.stringify(expected)}`,
    );
  return { pieces, objections };
}

/** What the document says that this request is answered; or the first point that leaves it open. */
function determine(exchange: Exchange): DueAnswer | Undetermined {
  const { document, sent, before } = exchange;
  const [path = '', query] = sent.target.split('?', 2);
  const refuse = (condition: Condition): DueAnswer => refused(document, condition, [], before);
  const id = segment(path);
  if (id === null) return refuse('malformed');
  const endpoints = map(document['endpoints']);
  const shape = id === undefined ? undefined : id === '' ? '/' : '/{id}';
  const methods = Object.keys(endpoints).flatMap((key) =>
    key.endsWith(` ${shape}`) ? [key.split(' ')[0] as string] : [],
  );
  if (methods.length === 0) return refuse('unknown path');
  const method = sent.method === 'HEAD' && !methods.includes('HEAD') ? 'GET' : sent.method;
  if (methods.includes(method)) return operation(exchange, `${method} ${shape}`, id as string, query);
  const [asks, from] = ['Access-Control-Request-Method', 'Origin'].map((name) => sent.fields[name]);
  const fields = cors(document, true);
  if (sent.method === 'OPTIONS' && asks !== undefined && from !== undefined && fields.length > 0)
    return { status: [200, 204], by: '§F.1, endpoints.cors', fields, body: null, after: before };
  const allow = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  const answer = refuse('method not allowed');
  return { ...answer, fields: [...answer.fields, field('Allow', allow, 'RFC 9110 §15.5.6')] };
}

/** A request that reaches an operation: what holds it up, then the reasons to refuse in the order of §H.4. */
function operation(exchange: Exchange, key: string, id: string, query = ''): DueAnswer | Undetermined {
  const { document, sent, before, after, url } = exchange;
  const endpoint = map(map(document['endpoints'])[key]);
  const address = `endpoints["${key}"]`;
  const fields = cors(document, false);
  const open = (point: string): Undetermined => ({ open: point, fields });
  const withCors = (answer: DueAnswer): DueAnswer => ({ ...answer, fields: [...fields, ...answer.fields] });
  const refuse = (condition: Condition, failing: readonly string[] = []): DueAnswer =>
    withCors(refused(document, condition, failing, before));
  const todo = map(map(document['resources'])['Todo']);
  const described = map(todo['fields']);
  const does = endpoint['does'];
  const response =
    typeof endpoint['response'] === 'number' ? { status: endpoint['response'] } : map(endpoint['response']);
  const request = map(endpoint['request']);
  const others = request['others'] ?? map(document['endpoints'])['others'];
  const takesBody = request['body'] !== undefined;

  if (does === undefined) return open(`${address}.does`);
  if (response['status'] === undefined) return open(`${address}.response.status`);
  const one =
    does === 'create Todo' || does === 'read Todo' || does === 'update Todo' || does === 'delete Todo';
  if (one && todo['identifier'] === undefined) return open('resources.Todo.identifier');
  if (one && described['id'] === undefined) return open('resources.Todo.fields.id');
  const makes = map(map(described['id'])['set'])['create'] !== undefined;
  const required = list(todo['required']);
  if (does === 'create Todo' && !takesBody && required.length > 0) return open(`${address}.request.body`);

  const media = /^application\/json\s*(;\s*charset=utf-8)?$/i.test(sent.fields['Content-Type'] ?? '');
  const given = takesBody ? members(sent.body) : {};
  if (takesBody && (!sent.body || (media && given === null))) return refuse('malformed');
  if (takesBody && !media) return refuse('unsupported media');
  const item = before.find((kept) => kept.key === id);
  if (one && does !== 'create Todo' && item === undefined) return refuse('unknown');

  const writable = [...new Set([...Object.keys(described), ...required])].filter((name) => {
    const { derived, set } = map(described[name]);
    return derived === undefined && map(set)['create'] === undefined;
  });
  const unnamed = Object.keys(given ?? {}).filter((name) => !writable.includes(name));
  if (unnamed.length > 0 && others === undefined) return open(`${address}.request.others`);
  const failing = [
    ...(others === undefined
      ? []
      : query.split('&').flatMap((pair) => (pair === '' ? [] : [pair.split('=')[0] as string]))),
    ...writable.flatMap((name) => {
      const value = given?.[name];
      if (value !== undefined) return unmet(map(described[name]), value).map(() => name);
      return does === 'create Todo' && takesBody && required.includes(name) ? [name] : [];
    }),
    ...unnamed,
  ];
  if (failing.length > 0) return refuse('invalid', failing);

  const answer = (about: Item | undefined, body: Due | null, kept: readonly Item[]): DueAnswer => {
    const location = about && shown(document, about, url)['url'];
    const sendsBody = body !== null && response['body'] !== undefined;
    return withCors({
      status: [response['status'] as number],
      by: `${address}.response.status`,
      fields: [
        ...(sendsBody ? [field('Content-Type', 'application/json', '§E.5, §E.6')] : []),
        ...(map(response['headers'])['Location'] !== undefined &&
        location &&
        'value' in location &&
        location.value !== null
          ? [field('Location', String(location.value), `${address}.response.headers.Location`)]
          : []),
      ],
      body: sendsBody ? body : null,
      after: kept,
    });
  };
  const whole = (about: Item): Due => ({
    by: `${address}.response.body`,
    members: shown(document, about, url),
  });
  switch (does) {
    case 'list Todo':
      return answer(undefined, { by: `${address}.response.body`, items: before.map(whole) }, before);
    case 'read Todo':
      return answer(item, whole(item as Item), before);
    case 'delete every Todo':
      return answer(undefined, null, []);
    case 'delete Todo':
      return answer(
        item,
        null,
        before.filter((kept) => kept !== item),
      );
    case 'update Todo': {
      const changed = { key: id, members: { ...item?.members, ...given } };
      return answer(
        changed,
        whole(changed),
        before.map((kept) => (kept === item ? changed : kept)),
      );
    }
    case 'create Todo': {
      const { id: own, ...rest } = (given ?? {}) as Members;
      if (!makes && own === undefined) return open('resources.Todo.fields.id.set.create');
      if (!makes && before.some((kept) => kept.key === own)) return refuse('not unique');
      // The service's choice (language §F.1): which uuid it is, seen in what is kept, and then wherever it is shown.
      const made = after.length === before.length + 1 ? (after.at(-1)?.key ?? '') : '';
      const item: Item = {
        key: makes
          ? uuid.test(made) && before.every((kept) => kept.key !== made)
            ? made
            : '(a new uuid)'
          : String(own),
        members: { ...defaults(described), ...rest },
      };
      return answer(item, whole(item), [...before, item]);
    }
    default:
      throw new TypeError(`the accountant does not know ${JSON.stringify(does)}`);
  }
}

/** A refusal: by its row in part 7, or by the floor (language §7, §H.4). */
function refused(
  document: Members,
  condition: Condition,
  failing: readonly string[],
  before: readonly Item[],
): DueAnswer {
  const errors = map(document['errors']);
  const subject = condition === 'unknown' ? 'unknown Todo' : condition;
  const [code, row] =
    Object.entries(map(errors['codes'])).find(([, one]) => map(one)['when'] === subject) ?? [];
  const [status, section] = floor[condition];
  const silent = { status: [status], by: section, fields: [], body: null, after: before };
  if (code === undefined) return silent;
  const { status: stated, message } = map(row);
  const answer =
    stated === undefined
      ? silent
      : { ...silent, status: [stated as number], by: `errors.codes.${code}.status` };
  const payload = map(errors['payload'])['body'];
  if (payload === undefined) return answer;
  const text = message === "${error.failures.map(f, f.field).join(', ')}" ? failing.join(', ') : message;
  const sends = map(payload)['message'] !== undefined && text !== undefined;
  const by = `errors.codes.${code}.message`;
  return {
    ...answer,
    fields: [field('Content-Type', 'application/json', '§E.6')],
    body: { by: 'errors.payload.body', members: sends ? { message: { by, value: text as Json } } : {} },
  };
}

/** What pages of other origins are told (Fetch standard, CORS protocol); nothing while the origins are open. */
function cors(document: Members, preflight: boolean): DueField[] {
  const { origins, methods, headers } = map(map(document['endpoints'])['cors']);
  if (origins === undefined) return [];
  const named = (name: string, words: Json | undefined, key: string): DueField[] =>
    list(words).length === 0 ? [] : [field(name, list(words).join(', '), `endpoints.cors.${key}`)];
  return [
    field('Access-Control-Allow-Origin', '*', 'endpoints.cors.origins'),
    ...(preflight ? named('Access-Control-Allow-Methods', methods, 'methods') : []),
    ...(preflight ? named('Access-Control-Allow-Headers', headers, 'headers') : []),
  ];
}

/** The one segment of a path; '' where it has none, undefined where it has several, null where it is badly coded. */
function segment(path: string): string | null | undefined {
  try {
    const written = path.slice(1).split('/').map(decodeURIComponent);
    return written.length === 1 ? (written[0] as string) : undefined;
  } catch {
    return null;
  }
}

/** The members of a JSON object; null where the text is none, or holds a member twice (language §H.4). */
function members(text: string | null): Members | null {
  try {
    const value = JSON.parse(text ?? '') as Json;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return namesIn(text ?? '') === countNames(value) ? value : null;
  } catch {
    return null;
  }
}

/** Lists in a field's value may be spaced as one likes, and Allow's methods stand in any order (RFC 9110 §5.6.1, §10.2.1). */
function sameField(wanted: string, found: string): boolean {
  const words = (text: string): string[] =>
    text
      .split(',')
      .map((word) => word.trim())
      .sort();
  return wanted === found || isDeepStrictEqual(words(wanted), words(found));
}

function field(name: string, value: string, by: string): DueField {
  return { name, value, by };
}
