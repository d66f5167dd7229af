import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { essence, isAmong } from '../specification/reading/media.ts';
import { stated } from '../specification/reading/said.ts';
import { type Parameter, requestByMedia } from '../specification/vocabulary/request.ts';
import { membersOf } from './item.ts';

export const form = 'application/x-www-form-urlencoded';
export const jsonPatch = 'application/json-patch+json';

/** The media type that an operation is asked in: the first that is stated (language §4.2). */
export function mediaOf({ request }: Operation): string {
  return (request && stated(request.media)?.[0]) ?? 'application/json';
}

/** A media type in which an operation takes no content. */
export function otherMedia({ request }: Operation): string {
  const taken = (request ? requestByMedia(request) : []).flatMap(({ media }) => stated(media) ?? []);
  const among = new Set(taken.map(essence));
  return ['text/plain', form].find((one) => !isAmong(one, among)) ?? 'application/x-unstated';
}

/** A value of a parameter as its text: one JSON text, or as the usual styles write what has no parts. */
export function parameterText({ roles }: Pick<Parameter, 'roles'>, value: Json): string {
  return stated(roles.style) === 'json' ? JSON.stringify(value) : String(value);
}

export function isJson(media: string): boolean {
  return /^application\/([\w.!#$&^-]+\+)?json$/.test(media);
}

/** Members as the content of a request: under a name, as a form or as a patch, as is stated. */
export function spelled({ request }: Operation, media: string, body: Json): string {
  const under = request && stated(request.under);
  const isNested = request !== null && stated(request.nesting) === 'brackets';
  const members = media === jsonPatch ? patchOf(body) : body;
  const whole = under == null ? members : { [under]: members };
  return media === form ? formOf(whole, isNested) : JSON.stringify(whole);
}

/** Members as operations that set each of them (RFC 6902 §4.1); a list is one already. */
function patchOf(body: Json): Json {
  const members = membersOf(body);
  if (members === undefined) return body;
  return Object.entries(members).map(([name, value]) => ({ op: 'add', path: pointer(name), value }));
}

/** One member's name as a JSON pointer (RFC 6901 §3). */
export function pointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Members as a form: a list by repetition, or, in brackets, as `a[b][]=c` (language §4.2). */
export function formOf(value: Json, isNested: boolean): string {
  const pairs: [string, string][] = [];
  const add = (name: string, of: Json): void => {
    if (Array.isArray(of)) for (const one of of as Json[]) add(isNested ? `${name}[]` : name, one);
    else if (typeof of === 'object' && of !== null)
      for (const [inner, one] of Object.entries(of))
        add(name === '' ? inner : `${name}[${inner}]`, one as Json);
    else pairs.push([name, of === null ? '' : String(of)]);
  };
  add('', value);
  return new URLSearchParams(pairs).toString();
}

/** Whether a form can say this value, and does not say another one by it: everything in a form is text. */
export function inForm(value: Json, like: Json | undefined): boolean {
  if (Array.isArray(value)) {
    const [first] = Array.isArray(like) ? (like as Json[]) : [];
    return Array.isArray(like) && value.length > 0 && value.every((one: Json) => inForm(one, first));
  }
  const members = membersOf(value);
  if (members !== undefined) {
    const others = membersOf(like);
    return (
      others !== undefined &&
      Object.keys(members).every((name) => inForm(members[name] as Json, others[name]))
    );
  }
  if (typeof value !== 'string' || like === undefined || typeof like === 'string')
    return value !== null && (like === undefined || typeof value === typeof like);
  if (typeof like === 'number') return Number.isNaN(Number(value));
  return typeof like === 'boolean' && !['true', 'false'].includes(value);
}
