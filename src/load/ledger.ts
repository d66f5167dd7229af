import { existsSync } from 'node:fs';
import { normalize, resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { whole } from '../source/markdown.ts';
import { json, node } from '../source/node.ts';
import { span, text } from '../source/text.ts';
import { readYaml } from '../source/yaml.ts';
import { type Assumption, ledgerText, readLedger } from '../specification/openness/ledger.ts';
import type { Reader } from '../specification/read.ts';
import { canonical } from '../specification/reading/address.ts';
import { readSpecification } from './document.ts';
import { readText } from './files.ts';
import { Refused } from './refused.ts';
import { writeWhole } from './writing.ts';

/** A ledger of assumptions as a file; one that is not there holds none. */
export interface Ledger {
  readonly file: string;
  readonly assumptions: readonly Assumption[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where the assumptions about a document are kept, unless somebody says otherwise: beside it (language §A.6). */
export function ledgerBeside(document: string): string {
  const given = normalize(document).replace(/(?<=.)[\\/]+$/, '');
  // A folder that is named by dots alone has a name all the same.
  const name = /(^|[\\/])\.{1,2}$/.test(given) ? resolve(given) : given;
  return `${name.replace(/(?<=[^\\/])\.(md|markdown|ya?ml|json)$/i, '')}.assumptions.json`;
}

export function openLedger(file: string): Ledger {
  return existsSync(file)
    ? { file, ...readLedger(file, readText(file)) }
    : { file, assumptions: [], diagnostics: [] };
}

/** Writes the ledger whole or not at all. */
export function saveLedger(file: string, assumptions: readonly Assumption[]): void {
  if (existsSync(file)) refuseYaml(file);
  writeWhole(file, ledgerText(assumptions));
}

/** A ledger that somebody wrote in YAML may hold comments, which would be lost. */
function refuseYaml(file: string): void {
  try {
    JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`${file} is no JSON, and what is not JSON in it would be lost; edit it by hand`);
  }
}

/** What somebody wants to assume, as it was typed. */
export interface Wanted {
  readonly address: string;
  /** YAML or JSON. */
  readonly value: string;
  readonly why: string;
  readonly who?: string;
}

/** A document with what is assumed about it. */
export interface Assumed extends Reader {
  readonly ledger: Ledger;
}

export function readAssumed(document: string, ledger: Ledger): Assumed {
  return { ...readSpecification(document, ledger.assumptions), ledger };
}

/**
 * Adds an assumption, if the document can be read with it; nothing is written yet. What speaks against it points
 * into what was typed.
 */
export function added(
  document: string,
  before: Assumed,
  wanted: Wanted,
  now: number,
): Assumed | { readonly refused: readonly Diagnostic[] } {
  const { ledger } = before;
  const typed = text('ADDRESS', wanted.address);
  const at = canonical(wanted.address) ?? wanted.address;
  if (ledger.assumptions.some((one) => canonical(one.at) === at))
    throw new Refused(`${at} is assumed already; take that out with --remove first`);
  const place = text('VALUE', wanted.value);
  const read = readYaml(whole(place));
  if (read.diagnostics.length > 0) return { refused: read.diagnostics };
  const everywhere = span(place, 0, wanted.value.length);
  if (read.node === undefined)
    return { refused: [diagnose('wrong-kind', everywhere, { wanted: 'a value', found: 'nothing' })] };
  // What is written to the ledger is what is read here: the JSON, without the spelling of the YAML.
  const value = json(read.node);
  const assumption: Assumption = {
    at,
    value,
    why: wanted.why,
    ...(wanted.who !== undefined && { who: wanted.who }),
    when: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    placed: { at: span(typed, 0, wanted.address.length), value: node(value, everywhere) },
  };
  const assumptions = [...ledger.assumptions, assumption];
  const after = readSpecification(document, assumptions);
  const refused = after.diagnostics.filter(
    (one) =>
      (one.severity === 'error' || one.code === 'assumption-stated') &&
      !before.diagnostics.some((known) => isSame(known, one)),
  );
  if (refused.length > 0) return { refused };
  const state = (reader: Reader, address: string) => reader.specification.points.get(address)?.state;
  const isTaken = [...after.specification.points.keys()].some(
    (address) => state(after, address) === 'assumed' && state(before, address) !== 'assumed',
  );
  const lists = [before, after].map(({ specification }) => specification.completeness.assumedLists.length);
  if (!isTaken && lists[0] === lists[1])
    throw new Refused(`${at} would stay open: nothing is assumed by ${wanted.value}`);
  return { ...after, ledger: { ...ledger, assumptions } };
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return (
    one.code === other.code &&
    one.message === other.message &&
    one.span.start === other.span.start &&
    one.span.text.file === other.span.text.file
  );
}
