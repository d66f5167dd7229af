import { Bytes } from '../../expression/bytes.ts';
import { staticType } from '../../expression/check.ts';
import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { CannotWorkOut, worked, written } from '../../expression/values.ts';
import { fixedMedia, isJson, isMediaType, mediaKind } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { withVary } from '../http/vary.ts';
import { type Reply, Unsent } from '../message/reply.ts';
import { readsOf } from '../store/reads.ts';
import type { HoldFields } from './held-fields.ts';
import { compileMade, counting, counts } from './made.ts';
import { compileParts, isInParts } from './parts.ts';
import { preferred } from './preferred.ts';
import { compileRender, environmentOf, piecesMark, type Render, type Writers } from './render.ts';

type Templates = ReadonlyMap<string, Said<PlacedTemplate>>;

/** The content of an answer (language §H.3), as it is stated. */
export interface StatedContent {
  readonly media: Said<PlacedTemplate>;
  /** The one member that the body is put into. */
  readonly under: Said<string>;
  readonly body: Said<PlacedTemplate>;
  /** Holds content that is JSON against the shape that is stated for it; throws where it does not fit. */
  readonly hold?: ((json: string) => void) | undefined;
}

/** Hears of what is not sent. */
export type Failed = (unsent: Unsent) => void;

/**
 * Header fields and body of an answer (language §H.3). An expression that cannot be evaluated throws: in the answer of a
 * success it is a fault of the service. With `failed`, what hangs on it is not sent.
 */
export type Content = (frame: Frame, failed?: Failed) => Pick<Reply, 'headers' | 'body' | 'own'>;

/** @param contents by media type, of which the first is sent where the client prefers none */
export function compileContent(
  headers: Templates | undefined,
  contents: readonly StatedContent[],
  writers: Writers,
  holdFields?: HoldFields,
): Content {
  const fields = compileFields(headers, environmentOf(writers));
  const own = ownNames(headers);
  const renders = contents.map((content) => compileTyped(content, writers));
  const types = contents.map(({ media }) => stated(fixedMedia(media)) ?? '*/*');
  const isOfSeveral = contents.length > 1;
  return (frame, failed) => {
    const render = renders[isOfSeveral ? preferred(types, frame) : 0];
    const typed = (render && sent('content', () => render(frame), failed)) ?? null;
    const more = fields(frame, failed);
    holdFields?.(more);
    const { type, body } = typed ?? none;
    const together = more.length === 0 ? type : type.concat(more);
    const headers = isOfSeveral ? withVary(together, ['Vary', 'Accept']) : together;
    return own === undefined ? { headers, body } : { headers, body, own };
  };
}

const none = { type: [] as readonly string[], body: null };

/** A body, and the header field that says what it is. */
interface Typed {
  readonly type: readonly string[];
  readonly body: string | Uint8Array;
}

/** Makes a body; undefined: there is none. */
type Make = (frame: Frame) => string | Uint8Array | undefined;

/** A body in its media type; null where none is stated. Undefined: there is none. */
function compileTyped(
  { media: said, under, body, hold }: StatedContent,
  writers: Writers,
): ((frame: Frame) => Typed | undefined) | null {
  const fixed = stated(fixedMedia(said));
  if (fixed !== undefined && isInParts(fixed)) return compileTypedParts(fixed, body, writers);
  const written = compileBytes(body, writers) ?? compileWritten(body, writers);
  if (written === null) return null;
  const wrap = stated(under);
  const typed = (media: string | undefined, sent: string | Uint8Array): Typed => {
    const type = media === undefined ? [] : ['Content-Type', media];
    if (typeof sent !== 'string') return { type, body: sent };
    const isText = media !== undefined && ['text', 'form'].includes(mediaKind(media));
    const whole = isText ? asText(sent) : within(sent, wrap);
    if (hold && isJson(media ?? '') && !whole.includes(piecesMark)) hold(whole);
    return { type, body: whole };
  };
  const isFixed = said.kind !== 'stated' || fixed !== undefined;
  const media = isFixed ? null : compileMade(said.value.template, said.address, environmentOf(writers));
  return (frame) => {
    const sent = written(frame);
    return sent === undefined ? undefined : typed(media === null ? fixed : mediaIn(media(frame)), sent);
  };
}

/** A body in parts; null where none is stated. */
function compileTypedParts(
  media: string,
  body: Said<PlacedTemplate>,
  writers: Writers,
): ((frame: Frame) => Typed) | null {
  if (body.kind !== 'stated') return null;
  const run = compileMade(body.value.template, body.address, environmentOf(writers));
  const parts = compileParts(media, run, fieldValue);
  return (frame) => {
    const { type, body } = parts(frame);
    return { type: ['Content-Type', type], body };
  };
}

/** A media type that an expression gives. Throws where it is none. */
function mediaIn(value: unknown): string {
  const media = written(value);
  if (isMediaType(media)) return media;
  throw new CannotWorkOut(`this is no media type: ${JSON.stringify(media)}`);
}

/** What is made of an expression. Throws where it cannot be evaluated; with `failed`, it is undefined then. */
function sent<T>(what: string, make: () => T, failed: Failed | undefined): T | undefined {
  return failed ? worked(make, (error) => failed(new Unsent(`${what} not sent`, error))) : make();
}

/** A body that is bytes as a whole; null where it is none. Null bytes are no content. */
function compileBytes(said: Said<PlacedTemplate>, writers: Writers): Make | null {
  const template = stated(said)?.template;
  if (template?.kind !== 'expression') return null;
  if (staticType(template.expression.syntax).kind !== 'bytes') return null;
  const run = compileTemplate(template, environmentOf(writers));
  return (frame) => {
    const bytes = run(frame);
    if (bytes === null) return undefined;
    if (bytes instanceof Bytes) return bytes.content(readsOf(frame));
    throw new CannotWorkOut('these are no bytes');
  };
}

/** A body as it is written; null where none is stated. */
function compileWritten(said: Said<PlacedTemplate>, writers: Writers): Render | null {
  if (said.kind !== 'stated') return null;
  const { template } = said.value;
  const render = compileRender(template, writers);
  return counts(template) ? (frame) => render(counting(frame, said.address)) : render;
}

/** The body within an object, as the one member of it (language §H.3). */
function within(json: string, under: string | undefined): string {
  return under === undefined ? json : `{${JSON.stringify(under)}:${json}}`;
}

/** A text under a media type that is not JSON's is sent as it is. */
function asText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The fields of which an answer says itself what they are, or that there is none; undefined where it says nothing. */
function ownNames(templates: Templates | undefined): readonly string[] | undefined {
  const names = [...(templates ?? [])].flatMap(([name, { kind }]) =>
    kind === 'open' ? [] : [name.toLowerCase()],
  );
  return names.length === 0 ? undefined : names;
}

/** What the listener says of its own: how long the content is, and what becomes of the connection. */
const listeners = ['content-length', 'connection'];

/** Header fields by name; a value of null sends none (language §H.3). */
export function compileFields(
  templates: Templates | undefined,
  environment: Environment,
): (frame: Frame, failed?: Failed) => string[] {
  const runs = compileRuns(templates, environment).filter(
    ([name]) => !listeners.includes(name.toLowerCase()),
  );
  const none: string[] = [];
  if (runs.length === 0) return () => none;
  return (frame, failed) => {
    const fields: string[] = [];
    for (const [name, run] of runs) {
      const value = sent(`header field ${name}`, () => fieldValue(run(frame)), failed);
      if (value !== null && value !== undefined) fields.push(name, value);
    }
    return fields;
  };
}

/** Templates by name; those that are open or stated to be nothing are left out. */
export function compileRuns(
  templates: Templates | undefined,
  environment: Environment,
): (readonly [string, Run])[] {
  return [...(templates ?? [])].flatMap(([name, said]) =>
    said.kind === 'stated'
      ? [[name, compileMade(said.value.template, said.address, environment)] as const]
      : [],
  );
}

const isPlain = /^[\t\x20-\x7e]*$/;

/**
 * A value as it stands in a header field: characters that no field may hold are percent-encoded (RFC 9110 §5.5),
 * and a list or an object has no such form.
 */
function fieldValue(value: unknown): string | null {
  if (value === null) return null;
  const text = written(value);
  if (isPlain.test(text)) return text;
  return text.replace(/[^\t\x20-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
