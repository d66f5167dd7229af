import { renaming } from '../../../conformance/sequences/playing.ts';
import type { Bound, Sequence, Step } from '../../../conformance/sequences/sequence.ts';
import { spelledAs, standIn } from './names.ts';

type StepRequest = Step['request'];

/** A request in which variables stand for the values that are others each time, and the name and password that it gives. */
export interface Templated extends StepRequest {
  readonly user: string | null;
  /** Whether its path has brackets, which curl would read as patterns. */
  readonly hasBrackets: boolean;
}

/** The requests of a sequence, each with variables for the values that are known when it is sent. */
export function templated({ steps, values }: Sequence): readonly Templated[] {
  let first = 0;
  return steps.map(({ request, together }, step) => {
    if (!together) first = step;
    const known = new Map(
      values.flatMap((value, index): [Bound, string][] =>
        value.from === undefined || value.from.step < first ? [[value, standIn(index)]] : [],
      ),
    );
    return placed(renamed(request, known), known, step);
  });
}

/** Values whose text means them wherever it stands. */
function renamed(request: StepRequest, known: ReadonlyMap<Bound, string>): Templated {
  const change = renaming(known);
  const asUri = (value: string): string =>
    isStandIn(value) ? spelledAs(value, 'uri') : encodeURIComponent(value);
  const asJson = (value: string): string =>
    isStandIn(value) ? spelledAs(value, 'json') : JSON.stringify(value).slice(1, -1);
  const own = request.headers.find(([, value]) => {
    const basic = nameAndPassword(value);
    return basic !== null && isTemplate(change(basic));
  });
  return {
    method: request.method,
    path: change(request.path, asUri),
    headers: request.headers
      .filter((header) => header !== own)
      .map(([name, value]) => [name, change(value)] as const),
    body: request.body && change(change(request.body, asJson), asUri),
    ...(request.base64 !== undefined && { base64: request.base64 }),
    hasBrackets: /[[\]{}]/.test(request.path),
    user: own ? change(nameAndPassword(own[1]) ?? '') : null,
  };
}

/** Values that are meant in some places alone, since their text is short. */
function placed(request: Templated, known: ReadonlyMap<Bound, string>, step: number): Templated {
  const uses = [...known].flatMap(([value, is]) =>
    (value.uses ?? []).filter((use) => use.step === step).map((use) => ({ ...use, is })),
  );
  let { path, body } = request;
  for (const { segment, around, body: pointer, is } of uses) {
    const value = `${around?.before ?? ''}${spelledAs(is, 'uri')}${around?.after ?? ''}`;
    if (segment !== undefined) path = inPath(path, segment, value);
    if (pointer !== undefined && body !== null) body = inJson(body, pointer, is);
  }
  return { ...request, path, body };
}

function inPath(path: string, segment: number, is: string): string {
  const [own = '', ...query] = path.split('?');
  const segments = own.split('/');
  segments[segment + 1] = is;
  return [segments.join('/'), ...query].join('?');
}

/** A body with a variable at a place; where a number stands, one comes, without quotation marks. */
function inJson(body: string, pointer: string, is: string): string {
  const json: unknown = JSON.parse(body);
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = json as { [name: string]: unknown };
  for (const name of names.slice(0, -1)) at = at[name] as typeof at;
  const last = names.at(-1) ?? '';
  const number = spelledAs(is, 'number');
  const isNumber = typeof at[last] === 'number';
  at[last] = isNumber ? number : spelledAs(is, 'json');
  const text = JSON.stringify(json);
  return isNumber ? text.replace(`"${number}"`, number) : text;
}

/** A name and a password as they stand in a header field (RFC 7617); null: none do. */
function nameAndPassword(field: string): string | null {
  const [, coded] = /^Basic ([\w+/=]+)$/.exec(field) ?? [];
  return coded === undefined ? null : Buffer.from(coded, 'base64').toString();
}

const isTemplate = (text: string): boolean => text.includes('\ue000');
const isStandIn = (text: string): boolean => text.startsWith('\ue000') && text.endsWith('\ue001');
