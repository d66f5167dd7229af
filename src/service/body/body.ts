import { Bytes } from '../../expression/bytes.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isTextRun } from '../../specification/openness/unrun.ts';
import type { Address } from '../../specification/reading/address.ts';
import { essence, isAmong, type MediaKind, mediaKind, rangesOf } from '../../specification/reading/media.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import { mayLackContent, requestByMedia } from '../../specification/vocabulary/request.ts';
import { type JsonLimits, type ParsedJson, parseJson } from '../http/json.ts';
import { type Incoming, mediaOf } from '../message/incoming.ts';
import type { Members, Patch } from '../message/patch.ts';
import type { Checked, Failing } from '../message/refusal.ts';
import { binaryFields } from '../resource/bytes.ts';
import { type Renaming, renamingsOf, toldIn } from '../shape/renaming.ts';
import { definitions, type OthersRule, writableOnly } from '../shape/schema.ts';
import { compileSpelling, type Spelling } from '../shape/spelling.ts';
import { stripper, type Validation, Validators } from '../shape/validate.ts';
import { readForm, readMultipart } from './form.ts';
import { byJsonPatch, byMergePatch } from './given.ts';
import { type Operation as PatchOperation, readJsonPatch } from './json-patch.ts';
import { compileBarred, compileWritten, namesOnly, namesOnlyOfEach } from './names.ts';
import { readListedParts } from './parts.ts';
import { bodySchemas, othersOf } from './schema.ts';
import { readText } from './text.ts';
import { unwrap } from './under.ts';
import { isOfBytes, membersOfBytes, withoutBytes } from './without-bytes.ts';

/** How an operation reads its request's body, and what it finds wrong with it (language §4.2, §E.4). */
export interface BodyReader {
  readonly read: (incoming: Incoming, content: Buffer | 'too large' | null) => ReadBody;
  /**
   * What is wrong with the members of the item that a change leads to. What it leaves as it was need not be as an older
   * version says: it was brought by another.
   */
  readonly checkResult: (members: Members, isSame: (name: string) => boolean) => Checked | null;
  /** What becomes of members that nobody stated. */
  readonly others: OthersRule;
}

/** `oversized`: it is more than is stated that it may be; `too large`: than the host takes. */
export type ReadBody =
  | Taken
  | { readonly kind: 'unsupported media' | 'oversized' }
  | { readonly kind: 'too large'; readonly limit: 'bodyBytes' | 'jsonDepth' | 'jsonNodes' };

type Taken =
  | {
      readonly kind: 'value';
      /** What `request.body` is. */
      readonly value: unknown;
      /** What it asks of the item, where it is a patch of it. */
      readonly patch: Patch | null;
      /** What is wrong with it; of a patch, only with the names in it: the result has a shape. */
      readonly checked: Checked | null;
      /** What `request.parts` is. */
      readonly parts?: Parts;
    }
  | { readonly kind: 'malformed' };

type Parts = NonNullable<ReturnType<typeof readMultipart>['parts']>;

const malformed = { kind: 'malformed' } as const;
const unsupported = { kind: 'unsupported media' } as const;
const tooLarge = { kind: 'too large', limit: 'bodyBytes' } as const;

/**
 * Compiles what reads an operation's body: of several media types, by the most specific entry of `content` that fits
 * `Content-Type`. Undefined where no body is stated: none is looked at.
 */
export function compileBody(
  specification: Specification,
  operation: Operation,
  limits: JsonLimits,
): BodyReader | undefined {
  const requests = operation.request ? requestByMedia(operation.request) : [];
  const readers = requests.map((request) => ({
    types: new Set((stated(request.media) ?? []).map(essence)),
    read: compileReader(specification, { ...operation, request }, limits),
    body: request.body,
  }));
  const first = readers.find(({ read }) => read !== undefined)?.read;
  if (first === undefined || readers.length === 1) return first;
  // What an item becomes is called as in a body that is one.
  const ofItem = readers.find(({ body }) => stated(body)?.of?.name === operation.subject?.name)?.read;
  return {
    ...(ofItem ?? first),
    read: (incoming, content) => {
      const [type = ''] = rangesOf(mediaOf(incoming) ?? '').filter((range) =>
        readers.some(({ types }) => types.has(range)),
      );
      const fit = readers.find(({ types }) => types.has(type));
      if (fit && !fit.read) return notRead(isSaid(fit.body) ? null : fit.body.address);
      return (fit?.read ?? first).read(incoming, content);
    },
  };
}

/** A body of which nothing is stated; of one that is open, nothing can be made. */
function notRead(open: Address | null): Taken {
  const checked = open === null ? null : { failures: [], held: { held: [open] } };
  return { kind: 'value', value: null, patch: null, checked };
}

/** The same of a body of one media type, or of several that are read alike. */
function compileReader(
  specification: Specification,
  operation: Operation,
  limits: JsonLimits,
): BodyReader | undefined {
  const { request, subject } = operation;
  const body = request && stated(request.body);
  if (!request || !body) return undefined;
  const rule = othersOf(request, subject?.others);
  const known = definitions(specification, rule);
  const schemas = bodySchemas(specification, operation, body, rule);
  const under = stated(request.under);
  const renamings = renamingsOf(specification);
  const resource = body.of && specification.resourcesByName.get(body.of.name);
  const names = renamings && (resource ? renamings.named(resource.name) : renamings.ofShape(body.shape));
  const spelled = names ? names.schema(schemas.spelled) : schemas.spelled;
  const wrapped = under === undefined ? spelled : { properties: { [under]: spelled } };
  const decode = compileDecode(
    compileSpelling(wrapped, known),
    stated(request.nesting) !== undefined,
    limits,
  );
  const types = request.media.kind === 'any' ? ['*/*'] : (stated(request.media) ?? ['application/json']);
  const taken = new Set(types.map(essence));
  const isText = isTextRun(request);
  const notRun: Checked = { failures: [], held: { held: [request.media.address] } };
  const given = writableOnly(schemas.given) as typeof schemas.given;
  const whole = { ...schemas, given };
  const takeParts = compileTake(operation, whole, known, limits, names);
  const binary = membersOfBytes(whole);
  const takeOther =
    binary.length === 0 ? takeParts : compileTake(operation, withoutBytes(whole), known, limits, names);
  const take = (kind: MediaKind, came: unknown): Taken => {
    if (kind === 'multipart') return takeParts(kind, came);
    const found = takeOther(kind, came);
    if (found.kind === 'value') leaveOut(binary, found.value);
    return found;
  };
  const isBytes = isOfBytes(given);
  const isOptional = mayLackContent(request);
  const outer = othersOf(request, undefined);
  const result = schemas.result && new Validators(known).compile(schemas.result);
  return {
    read: (incoming, content) => {
      const field = incoming.headers['content-type'];
      const kind = typeof field === 'string' && isAmong(field, taken) ? mediaKind(field) : undefined;
      if (content === 'too large') return tooLarge;
      const isMissing = content === null || content.length === 0;
      if (isMissing && isOptional) return take('json', {});
      if (content === null || (isMissing && !isBytes)) return malformed;
      if (isBytes && kind !== undefined && incoming.headers['content-encoding'] === undefined)
        return take('text', Bytes.of(content));
      if (kind === undefined || !saysUtf8(field as string)) return unsupported;
      if (incoming.headers['content-encoding'] !== undefined) return unsupported;
      if (kind === 'text' && !isText) return { kind: 'value', value: null, patch: null, checked: notRun };
      const parsed = decode(kind, content, field as string);
      if (parsed.kind !== 'value') return parsed;
      const parts = 'parts' in parsed ? parsed.parts : undefined;
      if (under === undefined || kind === 'text' || kind === 'parts')
        return { ...take(kind, parsed.value), ...(parts && { parts }) };
      const inner = unwrap(parsed.value, under, outer);
      if (inner.kind === 'malformed') return malformed;
      if (!inner.isThere) return { kind: 'value', value: null, patch: null, checked: inner.wrong };
      const within = take(kind, inner.value);
      return within.kind === 'value'
        ? { ...within, checked: both(inner.wrong, within.checked), ...(parts && { parts }) }
        : within;
    },
    checkResult: (members, isSame) => {
      const found = result?.(members) ?? null;
      const named = subject?.name ?? schemas.name;
      if (found === null || specification.was === undefined) return checked(found, named, names);
      const failures = found.failures.filter(({ field }) => !isSame(field.split('.')[0] as string));
      return failures.length + found.unnamed.length > 0
        ? checked({ ...found, failures }, named, names)
        : null;
    },
    others: rule,
  };
}

type Decoded = (ParsedJson & { readonly parts?: Parts }) | ReturnType<typeof readListedParts>;

/** How content becomes a value, by the kind of its media type. */
function compileDecode(spelling: Spelling, nests: boolean, limits: JsonLimits) {
  return (kind: MediaKind, bytes: Buffer, contentType: string): Decoded => {
    if (kind === 'form') return readForm(bytes, spelling, nests, limits);
    if (kind === 'multipart') return readMultipart(bytes, contentType, spelling, nests, limits);
    if (kind === 'parts') return readListedParts(bytes, contentType, spelling, limits);
    return kind === 'text' ? readText(bytes) : parseJson(bytes, limits);
  };
}

/** JSON has no members that are bytes: they are such as nobody stated (language §E.4). */
function leaveOut(names: readonly string[], value: unknown): void {
  if (typeof value === 'object' && value !== null) for (const name of names) delete (value as Members)[name];
}

/** What becomes of a value that is the body: whether it can be one, what is wrong with it, and what it asks. */
function compileTake(
  operation: Operation,
  { given: schema, isObject, name: named }: ReturnType<typeof bodySchemas>,
  readable: ReturnType<typeof definitions>,
  limits: JsonLimits,
  renaming: Renaming | null,
): (kind: MediaKind, value: unknown) => Taken {
  const known = writableOnly(readable) as typeof readable;
  const validators = new Validators(known);
  const given = validators.compile(schema);
  const names = new Validators(namesOnlyOfEach(known)).compile({ type: 'object', ...namesOnly(schema) });
  const written = compileWritten(names);
  const strip = stripper(schema, known);
  const { subject } = operation;
  // A patch is one where it says what is to be set; elsewhere it is JSON as any other (language §H.2).
  const patches = stated(operation.does)?.verb === 'update';
  const bytes = subject ? binaryFields(subject) : [];
  const isBarred = compileBarred(subject, readable, names);
  return (kind, came) => {
    if (patches && kind === 'json patch') {
      const operations = readJsonPatch(came)?.map((one) => renamed(one, renaming));
      if (operations === undefined) return malformed;
      const applied = byJsonPatch(operations, { isBarred, most: limits.nodes, named, strip });
      // JSON holds no bytes, so a patch of it neither reads nor changes them.
      const asked: Patch = (before) =>
        applied(Object.fromEntries(Object.entries(before).filter(([name]) => !bytes.includes(name))));
      const patch: Patch = (before) => {
        const found = asked(before);
        return renaming && 'keyword' in found ? toldIn(renaming, found) : found;
      };
      return { kind: 'value', value: came, patch, checked: checked(written(operations), named, renaming) };
    }
    const value = renaming ? renaming.takenIn(came) : came;
    if (isObject && (typeof value !== 'object' || value === null || Array.isArray(value))) return malformed;
    const merges = patches && kind === 'merge patch';
    const wrong = (merges ? names : given)(value);
    const found = checked(wrong, named, renaming);
    if (found === null) strip?.(value);
    return { kind: 'value', value, patch: merges ? byMergePatch(value) : null, checked: found };
  };
}

/** An operation of a patch in the names of the newest version. */
function renamed(operation: PatchOperation, renaming: Renaming | null): PatchOperation {
  if (renaming === null) return operation;
  const { path, from, value } = operation;
  return {
    ...operation,
    path: renaming.wayIn(path),
    from: from && renaming.wayIn(from),
    value: renaming.at(path).takenIn(value),
  };
}

function checked(validation: Validation | null, named: string, renaming: Renaming | null): Checked | null {
  if (validation === null) return null;
  const { unnamed, failures } = validation;
  if (unnamed.length > 0)
    return { failures: [], held: { held: [...new Set(unnamed.map((one) => one.address))] } };
  const found = failures.map((one) => ({ ...one, subjects: subjects(named, one) }));
  return { held: null, failures: renaming ? found.map((one) => toldIn(renaming, one)) : found };
}

/** By which names a row may list a failure, the narrowest first (language §H.4). */
function subjects(named: string, { field, keyword }: { field: string; keyword: string }): string[] {
  if (field === '') return [`${named}.$.${keyword}`];
  return keyword === 'others'
    ? [`${named}.${field}.others`, `${named}.others`]
    : [`${named}.${field}.${keyword}`];
}

function both(one: Checked | null, other: Checked | null): Checked | null {
  if (one === null || other === null) return one ?? other;
  const failures: readonly Failing[] = [...one.failures, ...other.failures];
  return { failures, held: one.held ?? other.held };
}

/** Content is read as UTF-8 (RFC 8259 §8.1); a charset that says otherwise is another coding. */
function saysUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)"?/i.exec(contentType)?.[1];
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
}
