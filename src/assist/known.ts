import { type Code, codes } from '../source/codes.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { byFile, text } from '../source/text.ts';
import type { Assumption } from '../specification/openness/ledger.ts';
import { type Reader, readOutlined, type Source } from '../specification/read.ts';
import type { Address } from '../specification/reading/address.ts';
import { upwards } from '../specification/reading/completeness.ts';
import { type Outline, outline } from '../specification/reading/document.ts';
import type { NameUse } from '../specification/reading/name-use.ts';
import { type Fix, fixesOf } from './fixes.ts';
import { type KeyPlace, keysIn } from './keys.ts';
import { type Named, namesOf } from './names.ts';
import { type Place, placeOf } from './place.ts';

/** A diagnostic as plain data, with what may be done about it. */
export interface Finding {
  readonly code: Code;
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly hint: string | null;
  /** The section of the reference. */
  readonly section: string;
  readonly at: Place;
  readonly related: readonly Place[];
  readonly fixes: readonly Fix[];
}

/** What is known of a point that is not simply stated. */
export interface PointKnown {
  readonly state: 'open' | 'assumed' | 'stated';
  /** The operations that wait for it, and those of which only some requests do. */
  readonly holds: readonly string[];
  readonly holdsSometimes?: readonly string[];
  readonly question?: string;
}

/** What an editor knows of a document that was read: plain data, which may be sent from one thread to another. */
export interface Known {
  /** The texts as they were read. */
  readonly sources: readonly Source[];
  readonly findings: readonly Finding[];
  readonly names: readonly Named[];
  readonly keys: readonly KeyPlace[];
  /** The points that are open or assumed, or hold something up. */
  readonly points: ReadonlyMap<Address, PointKnown>;
}

/** What the reader of a document does not tell by itself. */
export interface Besides {
  readonly points: Known['points'];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a document for an editor.
 *
 * @param name the name to show for the whole
 * @param sources the document, or the documents of a folder; at least one
 * @param besides what is open, and what that holds up, of the document that was read; and what else is found in it
 */
export function knownOf(
  name: string,
  sources: readonly Source[],
  assumptions: readonly Assumption[],
  besides: (reader: Reader) => Besides,
): Known {
  const texts = sources.map(({ file, content }) => text(file, content)).sort(byFile);
  const outlined = outline(texts);
  const uses: NameUse[] = [];
  const reader = readOutlined(name, outlined, assumptions, uses);
  return knownBy(reader, { sources, outlined, uses }, besides(reader));
}

/** What an editor knows of a document that was read with every use of a name. */
export function knownBy(
  { specification, diagnostics }: Reader,
  {
    sources,
    outlined,
    uses,
  }: { readonly sources: readonly Source[]; readonly outlined: Outline; readonly uses: readonly NameUse[] },
  besides: Besides,
): Known {
  const { tree, head } = outlined;
  const points = new Set([...specification.points.keys()].flatMap((address) => [...upwards(address)]));
  return {
    sources,
    findings: [...diagnostics, ...besides.diagnostics].map(finding),
    names: namesOf(specification, outlined, uses),
    keys: [...(head ? keysIn(head, head, points) : []), ...keysIn(tree, specification.tree, points)],
    points: besides.points,
  };
}

/** A diagnostic as plain data. */
export function finding(one: Diagnostic): Finding {
  const { code, severity, message, hint, span, related } = one;
  return {
    code,
    severity,
    message,
    hint,
    section: codes[code].section,
    at: placeOf(span),
    related: related.map(placeOf),
    fixes: fixesOf(one),
  };
}
