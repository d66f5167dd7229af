import type { Environment, Frame, Run } from '../expression/compile.ts';
import { written } from '../expression/functions.ts';
import { worked } from '../expression/values.ts';
import { mediaKind } from '../specification/reading/media.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import { compileRender, environmentOf, type Render, type Writers } from './render.ts';
import { type Reply, Unsent } from './reply.ts';
import { compileMade, counting, counts } from './resource/makers.ts';

type Templates = ReadonlyMap<string, Said<PlacedTemplate>>;

/** What an answer carries besides its status (language §H.3), as it is stated. */
export interface StatedContent {
  readonly headers: Said<Templates>;
  readonly media: Said<string>;
  /** The one member that the body is put into. */
  readonly under: Said<string>;
  readonly body: Said<PlacedTemplate>;
}

/** Hears of what is not sent. */
export type Failed = (unsent: Unsent) => void;

/**
 * Header fields and body of an answer (language §H.3). An expression that cannot be evaluated throws: in the answer of a
 * success it is a fault of the service. With `failed`, what hangs on it is not sent.
 */
export type Content = (frame: Frame, failed?: Failed) => Pick<Reply, 'headers' | 'body' | 'own'>;

export function compileContent(stated_: StatedContent, writers: Writers): Content {
  const fields = compileFields(stated(stated_.headers), environmentOf(writers));
  const own = ownNames(stated(stated_.headers));
  const media = stated(stated_.media);
  const written = compileWritten(stated_.body, writers);
  const isText = media !== undefined && ['text', 'form'].includes(mediaKind(media));
  const render = written && (isText ? asText(written) : within(written, stated(stated_.under)));
  const type = media === undefined ? [] : ['Content-Type', media];
  return (frame, failed) => {
    const body = (render && sent('content', () => render(frame), failed)) ?? null;
    const more = fields(frame, failed);
    const headers = body === null ? more : more.length === 0 ? type : type.concat(more);
    return own === undefined ? { headers, body } : { headers, body, own };
  };
}

/** What is made of an expression. Throws where it cannot be evaluated; with `failed`, it is undefined then. */
function sent<T>(what: string, make: () => T, failed: Failed | undefined): T | undefined {
  return failed ? worked(make, (error) => failed(new Unsent(`${what} not sent`, error))) : make();
}

/** A body as it is written; null where none is stated. */
function compileWritten(said: Said<PlacedTemplate>, writers: Writers): Render | null {
  if (said.kind !== 'stated') return null;
  const { template } = said.value;
  const render = compileRender(template, writers);
  return counts(template) ? (frame) => render(counting(frame, said.address)) : render;
}

/** The body within an object, as the one member of it (language §H.3). */
function within(render: Render, under: string | undefined): Render {
  if (under === undefined) return render;
  const name = JSON.stringify(under);
  return (frame) => {
    const body = render(frame);
    return body === undefined ? body : `{${name}:${body}}`;
  };
}

/** A text under a media type that is not JSON's is sent as it is. */
function asText(render: Render): Render {
  return (frame) => {
    const json = render(frame);
    return json?.startsWith('"') ? (JSON.parse(json) as string) : json;
  };
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
