import type { Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { section, textOf } from '../reading/form.ts';
import { entry, formed, listOf, type Place, type Reading, text, word } from '../reading/reading.ts';

/** A segment of a path: a literal, or a parameter, which is never empty, with the literal text around it, if there is any. */
export type Segment = { readonly literal: string } | ParameterSegment;

export interface ParameterSegment {
  readonly parameter: string;
  readonly around?: Around;
}

/** Literal text in the segment of a parameter: `{id}.json` has `.json` after it. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** The text of a segment, with something in the place of its parameter. */
export function segmentText(segment: Segment, parameter: (name: string) => string): string {
  if ('literal' in segment) return segment.literal;
  const { before, after } = segment.around ?? { before: '', after: '' };
  return `${before}${parameter(segment.parameter)}${after}`;
}

/** A path by its literal text alone: what its parameters are called makes no difference. */
export function withoutNames(path: readonly Segment[]): string {
  return path.map((segment) => `/${segmentText(segment, () => '{}')}`).join('');
}

/** Of two texts around a parameter, which is asked first: that of more characters, then that of more before it. */
export function byLength(a: Around, b: Around): number {
  const more = b.before.length + b.after.length - a.before.length - a.after.length;
  return more === 0 ? b.before.length - a.before.length : more;
}

/** A further path of an operation (language §4.1). */
export interface FurtherPath {
  readonly text: string;
  readonly at: Span;
  readonly path: readonly Segment[];
}

/** How the path of a request is compared with the paths of an operation. */
export type Matching = 'exact' | 'caseless' | 'slash';

const about = section('4.1', 'endpoints.endpoint');

const furtherForm = textOf(
  'a path',
  /^(?:\/[^/{}?#\s]*(?:\{[^{}/\s]+\}[^/{}?#\s]*)?)+$/,
  'A path begins with a slash; a segment is literal text, with one parameter in braces at most (language §4.1).',
);

export const pathKeys = {
  paths: entry(
    listOf(formed(furtherForm, furtherPath)),
    about('Further paths of the operation.', {
      rules: '8',
      must: 'answer there in the same way',
      see: 'each path',
      open: 'none',
    }),
  ),
  matching: entry(
    listOf(word('exact', 'caseless', 'slash')),
    about('How its paths are compared: `exact`, or a list of `caseless` and `slash`.', {
      rules: '7',
      must: 'answer these paths, and no others',
      see: 'another case, a slash more',
      open: '`exact`',
    }),
  ),
};

function furtherPath(node: Node, place: Place, reading: Reading): FurtherPath | undefined {
  const written = text(node, place, reading);
  if (written === undefined) return undefined;
  if (!written.startsWith('/') || /\s/.test(written))
    return reading.report('bad-path', node.span, { segment: written });
  const path = pathOf(written, node.span, reading);
  return path && { text: written, at: node.span, path };
}

/** The segments of a path. `/` has none; `/a/` ends in an empty literal. */
export function pathOf(path: string, at: Span, reading: Reading): readonly Segment[] | undefined {
  if (path === '/') return [];
  const names = new Set<string>();
  const segments: Segment[] = [];
  for (const written of path.slice(1).split('/')) {
    const [, before = '', parameter, after = ''] = /^([^{}?#]*)\{([^{}]+)\}([^{}?#]*)$/.exec(written) ?? [];
    if (parameter === undefined && /[{}?#]/.test(written))
      return reading.report('bad-path', at, { segment: written });
    const colon = /^:([A-Za-z_]\w*)$/.exec(written)?.[1];
    if (colon !== undefined) reading.report('colon-segment', at, { name: colon });
    if (parameter === undefined) segments.push({ literal: written });
    else if (names.has(parameter)) return reading.report('parameter-twice', at, { name: parameter });
    else {
      names.add(parameter);
      segments.push({ parameter, ...(before + after !== '' && { around: { before, after } }) });
    }
  }
  return segments;
}
