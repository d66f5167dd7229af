import { get, json, type Mapping, type Node } from '../../source/node.ts';
import { canonical, type Part, parts, steps } from '../reading/address.ts';
import { Completeness, type OpenedList, type Rule } from '../reading/completeness.ts';
import { headKeys, type Outline } from '../reading/document.ts';
import type { NameUse } from '../reading/name-use.ts';
import { kindOf, Reading, unknownKeys } from '../reading/reading.ts';
import { marker } from '../reading/said.ts';

/** The version of the language that this reader reads. */
export const languageVersion = 1;

/** Begins a reading: what the head says about the document and its lists (language §A.3, §D). `uses` takes where names are used. */
export function begin(of: Outline, uses: NameUse[] | null = null): Reading {
  const faults = new Reading(new Completeness([], []));
  const reading = new Reading(readHead(of.head, of, faults), uses);
  reading.diagnostics.push(...of.diagnostics, ...faults.diagnostics);
  return reading;
}

function readHead(head: Mapping | undefined, of: Outline, faults: Reading): Completeness {
  if (head === undefined) return new Completeness(closed(undefined, of, faults), []);
  if (head.kind !== 'map') {
    faults.report('not-statements', (head as Node).span, { part: 'the head' });
    return new Completeness([], []);
  }
  unknownKeys(head, headKeys, { address: 'the head', at: head.span }, faults);
  const version = get(head, 'tacet');
  if (version && json(version) !== languageVersion)
    faults.report('unknown-version', version.span, {
      found: version.kind === 'scalar' ? version.written : kindOf(version),
      known: languageVersion,
    });
  return new Completeness(closed(get(head, 'complete'), of, faults), opened(get(head, 'open'), faults));
}

function closed(complete: Node | undefined, of: Outline, faults: Reading): readonly Rule[] {
  const said = parts.filter((part) => isSaid(get(of.tree, part)));
  const nothing = said.flatMap((part) => {
    const node = get(of.tree, part) as Node;
    return node.kind === 'scalar' ? [{ above: part as string, at: node.span }] : [];
  });
  if (complete === undefined) return nothing;
  return [...nothing, ...closedBy(complete, of, faults)];
}

/** The lists that `complete` closes: all, or those at and under some addresses. */
export function closedBy(complete: Node, of: Outline, faults: Reading): readonly Rule[] {
  const said = parts.filter((part) => isSaid(get(of.tree, part)));
  if (complete.kind === 'scalar' && complete.value === true)
    return said.map((part) => ({ above: part as string, at: complete.span }));
  if (complete.kind === 'scalar' && complete.value === false) return [];
  if (complete.kind !== 'list') {
    faults.report('wrong-kind', complete.span, {
      wanted: 'true, or a list of addresses',
      found: kindOf(complete),
    });
    return [];
  }
  return complete.items.flatMap((item) => {
    const written = item.kind === 'scalar' ? item.written : kindOf(item);
    const above = listAt(written);
    if (above === undefined) {
      faults.report('bad-address', item.span, { address: written });
      return [];
    }
    return said.includes(steps(above)?.[0] as Part) ? [{ above, at: item.span }] : [];
  });
}

/** A part in which nothing is stated is not closed (language §D.4). */
function isSaid(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind === 'scalar') return marker(node.value)?.kind === 'none';
  return node.kind !== 'map' || node.entries.size > 0;
}

/** The list that is meant by its own address, or by that of its rest. */
function listAt(written: string): string | undefined {
  return canonical(written)?.replace(/\.\*$/, '');
}

function opened(open: Node | undefined, faults: Reading): OpenedList[] {
  if (open === undefined) return [];
  if (open.kind !== 'map') {
    faults.report('wrong-kind', open.span, {
      wanted: 'a map from addresses to questions',
      found: kindOf(open),
    });
    return [];
  }
  return [...open.entries].flatMap(([written, entry]) => {
    const above = listAt(written);
    if (above === undefined) {
      faults.report('bad-address', entry.key, { address: written });
      return [];
    }
    const { value } = entry;
    if (value.kind !== 'scalar')
      faults.report('wrong-kind', value.span, { wanted: 'a question', found: kindOf(value) });
    const question = value.kind === 'scalar' && value.value !== null ? value.written : null;
    return [{ above, at: entry.key, question }];
  });
}
