import { isDeepStrictEqual } from 'node:util';
import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { whole } from '../../source/markdown.ts';
import { get, type Json, json, type Mapping, type Node, node } from '../../source/node.ts';
import { type Span, span, text } from '../../source/text.ts';
import { readYaml } from '../../source/yaml.ts';
import { type Address, canonical, find, replaced, steps } from '../reading/address.ts';
import { nearest } from '../reading/nearest.ts';
import { kindOf } from '../reading/reading.ts';
import { marker } from '../reading/said.ts';

/** An open point answered for the time being, apart from the document (language §A.6). */
export interface Assumption {
  readonly at: Address;
  readonly value: Json;
  readonly why?: string;
  readonly who?: string;
  /** When it was assumed: a time of RFC 3339. */
  readonly when?: string;
  /** How sure a guess is that an import made: `high`, `likely` or `stand-in`. */
  readonly confidence?: string;
  /** Where it stands in its ledger, so that messages point there; left out where it was read from none. */
  readonly placed?: { readonly at: Span; readonly value: Node };
}

/** What an entry of a ledger may say (language §A.6). */
const keys = ['at', 'value', 'why', 'who', 'when', 'confidence'] as const;

const wanted = {
  at: 'an address, as text',
  why: 'text',
  who: 'text',
  when: 'a time, as text',
  confidence: 'high, likely or stand-in',
};

/**
 * Reads a ledger (language §A.6): a list of `{ at, value, why, who, when }`, each in its place. Two entries for
 * one address are a fault, as is a key that is none of these.
 *
 * @param file the name to show in messages
 * @param content JSON, or YAML
 */
export function readLedger(
  file: string,
  content: string,
): { readonly assumptions: readonly Assumption[]; readonly diagnostics: readonly Diagnostic[] } {
  const source = text(file, content);
  const { node: tree, diagnostics } = readYaml(whole(source));
  const found = [...diagnostics];
  if (tree?.kind !== 'list') {
    const at = tree?.span ?? span(source, 0, 0);
    if (found.length === 0)
      found.push(
        diagnose('wrong-kind', at, {
          wanted: 'a list of assumptions',
          found: tree ? kindOf(tree) : 'nothing',
        }),
      );
    return { assumptions: [], diagnostics: found };
  }
  const assumptions: Assumption[] = [];
  const first = new Map<Address, Span>();
  for (const item of tree.items) {
    const assumption = readEntry(item, (one) => found.push(one));
    if (assumption?.placed === undefined) continue;
    const { at, placed } = assumption;
    const address = canonical(at) ?? at;
    const twin = first.get(address);
    if (twin) found.push(diagnose('key-twice', placed.at, { key: at }, { related: [twin] }));
    else {
      first.set(address, placed.at);
      assumptions.push(assumption);
    }
  }
  return { assumptions, diagnostics: found };
}

function readEntry(item: Node, report: (diagnostic: Diagnostic) => void): Assumption | undefined {
  const value = get(item, 'value');
  const at = get(item, 'at');
  if (item.kind !== 'map' || at === undefined || value === undefined) {
    const shape = 'an assumption, { "at": ADDRESS, "value": …, "why": … },';
    const lacks = ['at', 'value'].filter((key) => get(item, key) === undefined).join(' and ');
    const is = item.kind === 'map' ? `a map without ${lacks}` : kindOf(item);
    report(diagnose('wrong-kind', item.span, { wanted: shape, found: is }));
    return undefined;
  }
  for (const [key, entry] of item.entries) {
    if ((keys as readonly string[]).includes(key)) continue;
    const close = nearest(key, keys);
    const hint = close === undefined ? `known here: ${keys.join(', ')}` : `did you mean ${close}?`;
    report(diagnose('unknown-key', entry.key, { key, where: 'an assumption' }, { hint }));
  }
  const texts: { at?: string; why?: string; who?: string; when?: string; confidence?: string } = {};
  for (const key of ['at', 'why', 'who', 'when', 'confidence'] as const) {
    const said = get(item, key);
    if (said?.kind === 'scalar' && said.value !== null) texts[key] = said.written;
    else if (said) report(diagnose('wrong-kind', said.span, { wanted: wanted[key], found: kindOf(said) }));
  }
  if (texts.at === undefined) return undefined;
  return { ...texts, at: texts.at, value: json(value), placed: { at: at.span, value } };
}

/** The text of a ledger: the same assumptions, the same bytes. */
export function ledgerText(assumptions: readonly Assumption[]): string {
  const entries = assumptions.map(({ at, value, why, who, when, confidence }) => ({
    ...{ at, value, why, who, when, confidence },
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/**
 * The tree with the assumptions laid into its open points, each marked as assumed. A point that the document
 * states stays as it is stated; that the assumption agrees with it, or does not, goes to `report`.
 *
 * @param ledger the name to show for a ledger whose assumptions were read from none
 */
export function assume(
  tree: Mapping,
  ledger: string,
  assumptions: readonly Assumption[],
  report: (diagnostic: Diagnostic) => void = () => undefined,
): Mapping {
  const source = text(ledger, assumptions.map(line).join(''));
  let result = tree;
  const own = new WeakSet<Node>();
  for (const [index, { at, value, placed }] of assumptions.entries()) {
    const start = (source.lineStarts[index] as number) + '{"at":'.length;
    const where = placed?.at ?? span(source, start, start + JSON.stringify(at).length);
    // It is no point of a part: see `listsAssumed`.
    if (at === complete) continue;
    const path = steps(at);
    if (path === undefined || at.endsWith('.*')) {
      report(diagnose('bad-address', where, { address: at }, at.endsWith('.*') ? { hint: ofRest } : {}));
      continue;
    }
    const statement = statedOn(result, path);
    if (statement === undefined) {
      const laid = placed ? asAssumed(placed.value) : node(value, where, true);
      result = replaced(result, path, laid, where, own) as Mapping;
      continue;
    }
    const agrees = statement === find(result, path) && isDeepStrictEqual(json(statement), value);
    const more = { related: [statement.span] };
    report(
      agrees
        ? diagnose('assumption-stated', where, { address: at }, more)
        : diagnose('assumption-differs', where, { address: at }, more),
    );
  }
  return result;
}

/** The address at which a ledger takes lists for complete, as the head of a document does (language §A.6, §D). */
const complete = 'complete';

/** What a ledger takes for complete, as the head would say it; undefined: nothing. */
export function listsAssumed(assumptions: readonly Assumption[]): Node | undefined {
  const found = assumptions.find(({ at }) => at === complete);
  if (found === undefined || found.placed) return found?.placed?.value;
  const place = text('assumptions', line(found));
  return node(found.value, span(place, 0, place.content.length), true);
}

const ofRest = 'a rest (.*) cannot be assumed: assume each entry that the list does not name, by its address';

function line({ at, value, why, who, when }: Assumption): string {
  return `${JSON.stringify({ at, value, why, who, when })}\n`;
}

/** The same value in the same place, marked as one that comes from the ledger, and not from the document. */
function asAssumed(value: Node): Node {
  switch (value.kind) {
    case 'scalar':
      return { ...value, assumed: true };
    case 'list':
      return { ...value, items: value.items.map(asAssumed), assumed: true };
    case 'map': {
      const entries = [...value.entries].map(
        ([name, entry]) => [name, { ...entry, value: asAssumed(entry.value) }] as const,
      );
      return { ...value, entries: new Map(entries), assumed: true };
    }
  }
}

/** What the document says at these steps, or on the way to them where it leaves no room; undefined: it is open. */
function statedOn(tree: Node, path: readonly (string | number)[]): Node | undefined {
  let here: Node = tree;
  for (const name of path) {
    const next = find(here, [name]);
    if (next === undefined) return here.kind === 'map' && typeof name === 'string' ? undefined : here;
    here = next;
    if (here.kind === 'scalar') return marker(here.value)?.kind === 'open' ? undefined : here;
  }
  return here;
}
