import type { Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { section, textOf } from '../reading/form.ts';
import { entry, formed, listOf, type Place, type Reading, text, word } from '../reading/reading.ts';

/** A segment of a path: a literal, or a parameter, which is never empty. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

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
  /^(?:\/(?:[^/{}?#\s]*|\{[^{}/\s]+\}))+$/,
  'A path begins with a slash; a segment is literal text, or one parameter in braces (language §4.1).',
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
    const parameter = /^\{([^{}]+)\}$/.exec(written)?.[1];
    if (parameter === undefined && /[{}?#]/.test(written))
      return reading.report('bad-path', at, { segment: written });
    const colon = /^:([A-Za-z_]\w*)$/.exec(written)?.[1];
    if (colon !== undefined) reading.report('colon-segment', at, { name: colon });
    if (parameter === undefined) segments.push({ literal: written });
    else if (names.has(parameter)) return reading.report('parameter-twice', at, { name: parameter });
    else {
      names.add(parameter);
      segments.push({ parameter });
    }
  }
  return segments;
}
