import type { Json } from '../../source/node.ts';
import type { Address } from '../../specification/reading/address.ts';
import { isJson, mediaKind } from '../../specification/reading/media.ts';
import { saidBy } from '../access/token.ts';
import { type Part, partsIn } from '../content/parts.ts';
import type { PromisedContent, PromisedField } from '../request/given/promised.ts';
import { fieldAs } from '../request/given/text.ts';
import { type Sharing, statusTexts } from '../request/prediction.ts';
import { failuresOf, type Schema } from '../shape/shape.ts';
import { hiddenIn } from '../value/hidden.ts';
import {
  Bytes,
  Collection,
  Forgotten,
  Item,
  isList,
  isObject,
  Links,
  Made,
  PageAddress,
  type PageQuery,
  Range,
  Shaped,
  Shifted,
  Stretch,
  seen,
  Text,
  Token,
  textOf,
  Unknown,
  unknown,
  type Value,
  type Window,
} from '../value/value.ts';
import { keptParameters, linksIn, type Read, readAddress } from './addresses.ts';
import { type Answer, shownContent, unseen } from './answer.ts';
import { mayRead, mayUse } from './cors.ts';
import { asStretch, isTold, type Match, matched } from './elements.ts';
import { isMediaType, namesIn } from './fields.ts';
import type { Difference, Judgement } from './judgement.ts';
import { escaped, isMade, isNew, isNumeral, isSameInstant, patternOf, timesOf } from './made.ts';

/** Holds values against what is expected of them. */
export class Judging {
  readonly #answer: Address;
  readonly #more: boolean;
  readonly #others: Readonly<Record<string, Address>>;
  readonly #secrets: () => ReadonlySet<string>;
  readonly #by = new Set<Address>();
  readonly differences: Difference[] = [];
  /** What the answer shows of what was forgotten. */
  readonly #recalled = new Map<Forgotten, Json | undefined>();
  /** What the service made, as this answer shows it. */
  readonly #bindings = new Map<Made, string | number>();
  /** Which items the answer shows of a page. */
  readonly #sights: (Pick<Match, 'shown' | 'hidden'> & { readonly window: Window })[] = [];
  #determined = 0;
  #undetermined = 0;

  /**
   * @param answer the address of the answer, or of the row
   * @param more whether there may be members that are not listed
   * @param secrets the texts that no such member holds
   * @param others the statements of places that neither the answer nor the row states
   */
  constructor(
    answer: Address,
    more: boolean,
    secrets: () => ReadonlySet<string> = () => new Set(),
    others: Readonly<Record<string, Address>> = {},
  ) {
    this.#answer = answer;
    this.#more = more;
    this.#others = others;
    this.#secrets = secrets;
  }

  judgement(): Judgement {
    return {
      by: [...this.#by],
      differences: this.differences,
      determined: this.#determined,
      undetermined: this.#undetermined,
    };
  }

  place(conforms: boolean, at: string, expected: string, found: Json | undefined, statement?: Address): void {
    this.#determined += 1;
    const by = statement ?? this.#others[at] ?? `${this.#answer}.${at.startsWith('body') ? 'body' : at}`;
    this.#by.add(by);
    if (!conforms) this.differences.push({ at, expected, found, by });
  }

  /** @param because the keyword that refuses the request. A success shows that nobody looks at it */
  status(statuses: readonly number[], found: number, because?: Address): void {
    const conforms = statuses.includes(found);
    if (conforms && because !== undefined) this.#by.add(because);
    this.place(
      conforms,
      'status',
      statusTexts(statuses).join(' or '),
      found,
      found < 400 ? because : undefined,
    );
  }

  value(expected: Value, found: Json | undefined, at: string): void {
    const value = this.#seen(expected);
    if (value instanceof Shaped && found !== undefined && found !== unseen) this.#shaped(value, found, at);
    else if (value instanceof Unknown || found === unseen) {
      this.#undetermined += 1;
      if (value instanceof Forgotten && found !== unseen && at.startsWith('body'))
        this.#recalled.set(value, found);
    } else if (value instanceof Made) this.#made(value, found, at);
    else if (value instanceof Text) this.#text(value, found, at);
    else if (value instanceof Range)
      this.place(
        typeof found === 'number' && found >= value.least && found <= value.most,
        at,
        `${value.least} to ${value.most}`,
        found,
      );
    else if (value instanceof Item) this.value(value.key, found, at);
    else if (value instanceof Collection) this.#stretch(asStretch(value), false, found, at);
    else if (value instanceof Stretch) this.#stretch(value, true, found, at);
    else if (value instanceof PageAddress) this.#address(value, found, at);
    else if (value instanceof Links) this.#links(value, found, at);
    else if (isList(value)) this.#list(value, found, at);
    else if (isObject(value)) this.#members(value, found, at);
    else this.place(value === found || isSameInstant(value, found), at, JSON.stringify(value), found);
  }

  /** A field is a text. If its value is null, it is not sent (language §H.3, rule 7). */
  header(expected: Value, found: string | undefined, at: string): void {
    const value = this.#seen(expected);
    if (value === null) this.place(found === undefined, at, 'no such field', found);
    else if (isList(value)) this.#fieldOfMany(value, found, at);
    // How a text is written that no field may hold (RFC 9110 §5.5), the language does not say.
    else if (typeof value === 'string' && !/^[\t\x20-\x7e]*$/.test(value)) this.#undetermined += 1;
    else if (value instanceof Range || (value instanceof Made && value.form === 'integer'))
      this.value(value, isNumeral(found) ? Number(found) : found, at);
    else
      this.value(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value, found, at);
  }

  /** A field that lists several values may list others besides (RFC 9110 §5.3). */
  #fieldOfMany(values: readonly Value[], found: string | undefined, at: string): void {
    for (const value of values) {
      const text = String(this.#seen(value));
      const listed = new RegExp(`(^|,)\\s*${escaped(text)}\\s*(,|$)`);
      this.place(found !== undefined && listed.test(found), at, text, found);
    }
  }

  /** Content that is there fits its shape. Members that the shape does not state are kept. */
  #shaped({ schema, definitions, by: stated }: Shaped, found: Json, at: string, by = stated): void {
    const failures = failuresOf(schema as Schema, found as Value, definitions, 'keep').filter(
      ({ holds }) => holds === true,
    );
    if (failures.length === 0) this.place(true, at, 'a value of its shape', found, by);
    for (const { path, keyword, limit } of failures)
      this.place(
        false,
        [at, ...path].join('.'),
        keyword === 'required' ? 'such a member' : `${keyword}: ${JSON.stringify(limit)}`,
        within(found, path),
        by,
      );
  }

  /** Content that comes with a status looks as it is stated of that status, whatever its values are. */
  promised({ types, by }: PromisedContent, { headers, body: found }: Answer): void {
    const type = headers['content-type'];
    const fit = types.find(({ media }) => type === undefined || isMediaType(media, type));
    const expected = `the media type ${types.map(({ media }) => media).join(' or ')}`;
    if (fit === undefined) this.place(false, 'headers.content-type', expected, type, by);
    const shape = (fit ?? types[0])?.shape;
    if (found === undefined) this.place(false, 'body', 'content', undefined, by);
    else if (shape && !(found instanceof Uint8Array) && found !== unseen)
      this.#shaped(shape, found, 'body', by);
  }

  /** A header field is there if it has to be, and its text is a value of its shape. */
  field({ name, shape, isRequired, by }: PromisedField, found: string | undefined): void {
    const at = `headers.${name}`;
    if (found === undefined) {
      if (isRequired) this.place(false, at, 'a value of its shape', undefined, by);
      return;
    }
    const value = fieldAs(shape.schema as Readonly<Record<string, Json>>, found);
    if (value === undefined) this.#undetermined += 1;
    else this.#shaped(shape, value as Json, at, by);
  }

  /** What pages of other origins may do with the answer. */
  sharing(sharing: Sharing, headers: Answer['headers']): void {
    const { origin, isAllowed, hasCredentials, uses, by } = sharing;
    const told = (field: string, may: boolean, is: boolean, what: string): void => {
      this.#determined += 1;
      this.#by.add(by);
      const expected = `${what}${is ? '' : ' not'} allowed`;
      if (may !== is) this.differences.push({ at: `headers.${field}`, expected, found: headers[field], by });
    };
    told('access-control-allow-origin', mayRead(headers, sharing), isAllowed, origin);
    for (const { field, name, isAllowed: is } of uses)
      told(field, mayUse(headers, field, name, hasCredentials), is, name);
  }

  /** The names that a field lists at least. */
  names(expected: readonly string[], found: string | undefined, name: string): void {
    const named = namesIn(found);
    const isThere = named.includes('*') || expected.every((each) => named.includes(each));
    this.place(isThere, `headers.${name}`, expected.join(', '), found);
  }

  /** The media type of content that came. */
  media(expected: Value, found: string | undefined): void {
    const type = this.#seen(expected);
    if (typeof type !== 'string') this.#undetermined += 1;
    else
      this.place(
        found !== undefined && isMediaType(type, found),
        'headers.content-type',
        `the media type ${type}`,
        found,
      );
  }

  /** Content, as its media type says how it is written (language §H.3). */
  content(
    expected: Value,
    media: Value | undefined,
    { body: found, bytes, headers }: Omit<Answer, 'status'>,
  ): void {
    const body = this.#seen(expected);
    const type = media === undefined ? undefined : this.#seen(media);
    const kind = typeof type === 'string' ? mediaKind(type) : undefined;
    const isOther = kind === 'text' || kind === 'form';
    if (body instanceof Bytes) this.#bytes(body, bytes ?? found);
    else if (body instanceof Shaped && !(found instanceof Uint8Array)) this.value(body, found, 'body');
    else if (body instanceof Unknown || kind === 'multipart') this.#undetermined += 1;
    else if (kind === 'parts') this.#parts(body, found, headers['content-type'] ?? '');
    else if (found instanceof Uint8Array && (isOther || kind === undefined)) this.#plain(body, found);
    else if (isOther) this.#plain(body, found);
    else if (found instanceof Uint8Array) this.place(false, 'body', 'JSON', shownContent(found));
    else this.value(body, found, 'body');
  }

  /** A list of `{ headers, body }` (language §H.3, rule 20). A part may have header fields that nobody stated. */
  #parts(expected: Value, found: Json | Uint8Array | undefined, type: string): void {
    if (!isList(expected) || found === unseen) {
      this.#undetermined += 1;
      return;
    }
    const parts = found instanceof Uint8Array ? partsIn(found, type) : null;
    this.place(parts?.length === expected.length, 'body', `${expected.length} parts`, shownContent(found));
    if (parts?.length !== expected.length) return;
    for (const [place, part] of parts.entries())
      this.#part(this.#seen(expected[place] as Value), part, place);
  }

  #part(expected: Value, { headers, content }: Part, place: number): void {
    if (!isObject(expected)) {
      this.#undetermined += 1;
      return;
    }
    const fields = this.#seen(expected['headers'] ?? null);
    for (const [name, value] of Object.entries(isObject(fields) ? fields : {}))
      this.header(inField(this.#seen(value)), headers[name.toLowerCase()], `body.${place}.headers.${name}`);
    const body = this.#seen(expected['body'] ?? null);
    const at = `body.${place}.body`;
    if (body instanceof Bytes || body === null) {
      const bytes = body === null ? new Uint8Array() : body.content;
      this.place(
        Buffer.compare(bytes, content) === 0,
        at,
        String(shownContent(bytes)),
        shownContent(content),
      );
    } else if (isJson(headers['content-type'] ?? '')) this.value(body, parsed(content), at);
    else this.value(body, shownContent(content), at);
  }

  #bytes({ content }: Bytes, found: Json | Uint8Array | undefined): void {
    // Of what came as JSON, the bytes may not be known.
    const came = found === undefined ? new Uint8Array() : found;
    if (!(came instanceof Uint8Array)) this.#undetermined += 1;
    else
      this.place(
        Buffer.compare(content, came) === 0,
        'body',
        String(shownContent(content)),
        shownContent(came),
      );
  }

  /** A text is sent as it is. How another value is written, the language does not say. */
  #plain(expected: Value, found: Json | Uint8Array | undefined): void {
    const came = found === undefined ? '' : shownContent(found);
    const isText = typeof expected === 'string' || expected instanceof Text || expected instanceof Made;
    if (isText && (found === undefined || found instanceof Uint8Array)) this.value(expected, came, 'body');
    else this.#undetermined += 1;
  }

  #list(expected: readonly Value[], found: Json | undefined, at: string): void {
    const isAlike = Array.isArray(found) && found.length === expected.length;
    this.place(isAlike, at, `a list of ${expected.length}`, found);
    if (isAlike)
      for (const [place, item] of expected.entries()) this.value(item, found[place], `${at}.${place}`);
  }

  #members(expected: { readonly [name: string]: Value }, found: Json | undefined, at: string): void {
    const isObjectFound = typeof found === 'object' && found !== null && !Array.isArray(found);
    this.place(isObjectFound, at, 'an object', found);
    if (!isObjectFound) return;
    const members = found as { readonly [name: string]: Json };
    for (const [name, value] of Object.entries(expected)) this.value(value, members[name], `${at}.${name}`);
    const more = Object.keys(members).filter((name) => !Object.hasOwn(expected, name));
    const hidden = more.length > 0 ? hiddenIn(expected) : undefined;
    for (const name of more) {
      const by = hidden?.get(name);
      if (by !== undefined) this.#leaked(`${at}.${name}`, 'no such member', members[name], by);
      else if (this.#more) this.further(members[name], `${at}.${name}`);
      else this.place(false, `${at}.${name}`, 'no such member', members[name]);
    }
  }

  /** What nobody listed may be anything, and holds no secret (language §2.2, `secret`). */
  further(found: Json | Uint8Array | undefined, at: string): void {
    if (found instanceof Uint8Array || typeof found === 'number' || typeof found === 'boolean') return;
    if (typeof found === 'string') {
      if (this.#secrets().has(found)) this.#leaked(at, 'no secret', found, `${this.#answer}.body`);
    } else
      for (const [name, each] of Object.entries(found ?? {})) this.further(each as Json, `${at}.${name}`);
  }

  #leaked(at: string, expected: string, found: Json | undefined, by: Address): void {
    this.#determined += 1;
    this.#by.add(by);
    this.differences.push({ at, expected, found, by });
  }

  /** What was shown of a made value; undefined: nothing. */
  shown(made: Made): string | number | undefined {
    if (!(made instanceof Shifted)) return this.#bindings.get(made) ?? made.bound;
    const base = this.shown(made.base);
    return typeof base === 'number' ? base + made.by : undefined;
  }

  #bind(made: Made, value: string | number): void {
    if (made instanceof Shifted) this.#bind(made.base, Number(value) - made.by);
    else this.#bindings.set(made, value);
  }

  /** Keeps what the answer shows of made values, and of pages. */
  bind(): ReadonlyMap<Made, string | number> {
    for (const [made, value] of this.#bindings) made.bound = value;
    for (const [forgotten, value] of this.#recalled) recall(forgotten, value);
    for (const { window, shown, hidden } of this.#sights) {
      window.sight.shown = new Set([...window.sight.shown, ...shown]);
      window.sight.hidden = new Set([...window.sight.hidden, ...hidden]);
    }
    return this.#bindings;
  }

  /** Keeps what the answer shows of made values whichever of several things came of the request. */
  bindWith(others: readonly Judging[]): ReadonlyMap<Made, string | number> {
    const bound = [...this.#bindings].filter(([made, value]) =>
      others.every((other) => other.#shows(made, value)),
    );
    for (const [made, value] of bound) made.bound = value;
    for (const [forgotten, value] of this.#recalled)
      if (others.every((other) => other.#recalls(forgotten, value))) recall(forgotten, value);
    return new Map(bound);
  }

  /** Whether the answer shows a made value as this, or another one that was made in its place. */
  #shows({ form, series }: Made, value: string | number): boolean {
    return [...this.#bindings].some(
      ([made, other]) => other === value && made.form === form && made.series === series,
    );
  }

  #recalls(forgotten: Forgotten, value: Json | undefined): boolean {
    return this.#recalled.has(forgotten) && this.#recalled.get(forgotten) === value;
  }

  #seen(value: Value): Value {
    const shown = (piece: string | Made): string | Made =>
      piece instanceof Made ? String(this.shown(piece) ?? '') || piece : piece;
    if (value instanceof Text) return textOf(value.pieces.map(shown));
    return (value instanceof Made ? this.shown(value) : undefined) ?? value;
  }

  /** A made value is bound to what is seen, if that has the form of one. */
  #made(made: Made, found: Json | undefined, at: string): void {
    const isOne = isMade(made, found);
    this.place(isOne, at, `a value that the service makes (${made.series})${timesOf(made)}`, found);
    if (isOne) this.#bind(made, found as string | number);
    if (isOne && made instanceof Token) this.#token(made, String(found), at);
  }

  /** What a token says: further claims are its own (language §5.6, rule 24). */
  #token({ algorithm, claims, lifeMs }: Token, found: string, at: string): void {
    const token = saidBy(found);
    this.place(token?.algorithm === algorithm, `${at}.alg`, algorithm, token?.algorithm);
    if (token === null) return;
    for (const [name, value] of Object.entries(claims)) {
      const place = `${at}.claims.${name}`;
      const isLeftOut = seen(value) === null;
      if (isLeftOut) this.place(token.claims[name] === undefined, place, 'no such claim', token.claims[name]);
      else this.value(value, token.claims[name], place);
    }
    const { iat, exp } = token.claims;
    this.place(Number.isSafeInteger(iat), `${at}.claims.iat`, 'whole seconds', iat);
    const seconds = Number(exp) - Number(iat);
    const isInTime = lifeMs !== null && seconds >= lifeMs / 1000 && seconds < lifeMs / 1000 + 2;
    if (lifeMs === null) this.place(exp === undefined, `${at}.claims.exp`, 'no such claim', exp);
    else this.place(isInTime, `${at}.claims.exp`, `iat + ${lifeMs / 1000}`, exp);
  }

  /** A made value within a text is bound, if it is the only one. */
  #text({ pieces }: Text, found: Json | undefined, at: string): void {
    const match = typeof found === 'string' ? patternOf(pieces).exec(found) : null;
    const expected = pieces.map((piece) => (piece instanceof Made ? `(${piece.series})` : piece)).join('');
    const [made, ...others] = pieces.filter((piece) => piece instanceof Made);
    const text = match && made && others.length === 0 ? (match[1] as string) : undefined;
    const shown = text !== undefined && made?.form === 'integer' ? Number(text) : text;
    const isOne = match !== null && (shown === undefined || isNew(made as Made, shown));
    this.place(isOne, at, expected, found);
    if (isOne && shown !== undefined) this.#bind(made as Made, shown);
  }

  /** Each element that came is one of the items, or another's. What is surely an item is judged in full. */
  #stretch({ items, rest, window }: Stretch, judgesRest: boolean, found: Json | undefined, at: string): void {
    const { least, most } = window;
    const isLong = Array.isArray(found) && found.length >= least && found.length <= most;
    const expected = least === most ? `${least}` : `${least} to ${most}`;
    this.place(isLong, at, `a list of ${expected}`, found);
    if (!isLong) return;
    const match = matched({
      window,
      options: found.map((element) =>
        [...items.keys()].filter((place) => mayBe(items[place] as Value, element, this.#more)),
      ),
      others: found.map((element) => rest !== undefined && (!judgesRest || mayBe(rest, element, this.#more))),
      told: items.map(isTold),
    });
    if (match === undefined) {
      this.#undetermined += 1;
      return;
    }
    this.place(match !== null, at, 'these elements', found);
    if (match === null) return;
    this.#sights.push({ window, ...match });
    for (const [item, place] of match.pairs) this.value(items[item] as Value, found[place], `${at}.${place}`);
    const open = found.length - match.pairs.length;
    this.#undetermined += open;
  }

  /** An address leads to a page, and keeps every other parameter (language §4.5, rule 8). */
  #address(address: PageAddress, found: Json | undefined, at: string): void {
    if (found === null && address.isOptional) {
      this.place(true, at, 'the address of a page, or null', found);
      return;
    }
    const read = typeof found === 'string' ? readAddress(address, found) : null;
    if (read === undefined) {
      this.#undetermined += 1;
      return;
    }
    this.place(read !== null && read.isPath !== false, at, 'the address of a page', found);
    if (read === null) return;
    for (const [name, value] of keptParameters(address))
      this.value(value, (read.query[name] ?? null) as Json, `${at}?${name}`);
    if (address.page) this.#page(address.page, read, at);
  }

  /** A new cursor stands for the page; otherwise what is counted, or the item beside it, tells the page. */
  #page(page: PageQuery, { asked }: Read, at: string): void {
    this.value(page.size ?? null, asked.size ?? null, `${at}?size`);
    const { cursor, after, before, skip } = asked;
    if (cursor !== undefined) {
      if (page.cursor) this.#made(page.cursor, cursor as Json, at);
    } else if (after !== undefined && page.after !== undefined)
      this.place(
        String(seen(page.after)) === String(after),
        at,
        `after ${String(seen(page.after))}`,
        after as Json,
      );
    else if (before !== undefined && page.before !== undefined)
      this.place(
        String(seen(page.before)) === String(before),
        at,
        `before ${String(seen(page.before))}`,
        before as Json,
      );
    else if (after === undefined && before === undefined && page.from !== undefined)
      this.#from(page.from, skip, at);
    else this.#undetermined += 1;
  }

  #from(expected: number | Range, skip: number, at: string): void {
    const { least, most } = expected instanceof Range ? expected : { least: expected, most: expected };
    const many = least === most ? `${least}` : `${least} or more`;
    this.place(skip >= least && skip <= most, at, `a page after ${many} items`, skip);
  }

  #links({ relations }: Links, found: Json | undefined, at: string): void {
    const links = typeof found === 'string' ? linksIn(found) : {};
    for (const [relation, address] of Object.entries(relations))
      this.value(address, links[relation] ?? null, `${at}.${relation}`);
  }
}

function recall(forgotten: Forgotten, shown: Json | undefined): void {
  forgotten.shown = shown === undefined ? {} : { value: shown as Value };
}

/** Whether a value may be what is expected. Nothing is bound. */
function mayBe(expected: Value, found: Json | undefined, more: boolean): boolean {
  const value = seen(expected);
  if (value instanceof Unknown) return !value.not.some((each) => mayBe(each, found, true));
  if (found === unseen) return true;
  if (value instanceof Made) return isMade(value, found);
  if (value instanceof Text) return typeof found === 'string' && patternOf(value.pieces).test(found);
  if (isList(value))
    return (
      Array.isArray(found) &&
      value.length === found.length &&
      value.every((item, place) => mayBe(item, found[place], more))
    );
  if (!isObject(value)) {
    const judging = new Judging('', more);
    judging.value(value, found, '');
    return judging.differences.length === 0;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return false;
  const members = found as { readonly [name: string]: Json };
  return (
    (more || Object.keys(members).every((name) => Object.hasOwn(value, name))) &&
    Object.entries(value).every(([name, member]) => mayBe(member, members[name], more))
  );
}

/** What is at a path of JSON; undefined: nothing. */
function within(found: Json, path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Readonly<Record<string, Json>>)[name]
        : undefined,
    found,
  );
}

/** A text as a field of a part carries it: without spaces around it. How other characters than those of ASCII are written, nobody says. */
function inField(value: Value): Value {
  if (typeof value !== 'string') return value;
  return /^[\x20-\x7e]*$/.test(value) ? value.trim() : unknown([]);
}

/** JSON that was received, or its text where it cannot be read. */
function parsed(content: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(content).toString('utf8')) as Json;
  } catch {
    return shownContent(content);
  }
}
