import type { Source } from '../specification/read.ts';
import { isUnder } from '../specification/reading/address.ts';
import { saidOf } from './completion.ts';
import { nameHere } from './definition.ts';
import { addressOf, type KeyPlace } from './keys.ts';
import type { Known, PointKnown } from './known.ts';
import type { Named } from './names.ts';
import { kindNamed } from './rename.ts';
import { keysNamed } from './vocabulary.ts';

/** What the reference says of the key at an offset. */
export interface Hover {
  /** Where the key stands (UTF-16 code units), the second exclusive. */
  readonly start: number;
  readonly end: number;
  readonly title: string;
  /** In paragraphs. */
  readonly says: readonly string[];
}

/**
 * What the reference says of the key of the language at an offset of one of the texts, with the state of the point at
 * that key, what waits for it, and what is known of a name of the author's that stands there. Null: nothing is.
 */
export function hover(known: Known, file: string, offset: number): Hover | null {
  const key = keyAt(known.keys, known.sources, file, offset);
  const said = key && ofReference(key);
  const name = nameHere(known.names, file, offset);
  const place = name?.at ?? key;
  if (!place) return null;
  const titles = [...(said ? [said.title] : []), ...(name ? [nameTitle(name.named)] : [])];
  if (titles.length === 0 && key) titles.push(String(key.path.at(-1)));
  const says = [
    ...(said?.says ?? []),
    ...(name ? [usesSaid(name.named)] : []),
    ...(key ? pointSaid(known.points, key) : []),
  ];
  return says.length === 0 ? null : { start: place.start, end: place.end, title: titles.join(' · '), says };
}

function keyAt(
  keys: readonly KeyPlace[],
  sources: readonly Source[],
  file: string,
  offset: number,
): KeyPlace | null {
  const key = keys.find((one) => one.file === file && one.start <= offset && offset < one.end);
  if (key === undefined) return null;
  const content = sources.find((one) => one.file === file)?.content ?? '';
  // The key of a part in Markdown is its heading, of which the prose says enough.
  return content.slice(key.start, key.end).includes(String(key.path.at(-1))) ? key : null;
}

function ofReference({ path, start, end }: KeyPlace): Hover | null {
  const about = keysNamed(path).find((key) => key.about)?.about;
  if (about === undefined) return null;
  return { start, end, title: `${path.at(-1)} (§${about.section})`, says: saidOf(about) };
}

function nameTitle({ kind, name }: Named): string {
  return `${kindNamed[kind]} ${name}`;
}

function usesSaid({ uses, declared }: Named): string {
  const used =
    uses.length === 0 ? 'used nowhere else' : `used ${uses.length === 1 ? 'once' : `${uses.length} times`}`;
  return declared ? `It is ${used}.` : 'It is declared nowhere.';
}

/** So many open points, and so many operations, are named. */
const most = 5;

function pointSaid(points: Known['points'], key: KeyPlace): readonly string[] {
  const address = addressOf(key.path);
  const point = points.get(address);
  const under = [...points].filter(([one, { state }]) => state === 'open' && isUnder(one, address));
  // What waits for a part of an open point waits for it.
  if (point) {
    const holds = [...new Set([point, ...under.map(([, one]) => one)].flatMap((one) => one.holds))];
    return [stateSaid({ ...point, holds })];
  }
  const stated = key.isPoint ? ['Stated.'] : [];
  if (under.length === 0) return stated;
  const held = [...new Set(under.flatMap(([, { holds }]) => holds))];
  const names = some(under.map(([one]) => one.slice(address.length).replace(/^\./, '')));
  return [...stated, `Open within: ${names}${held.length > 0 ? `; holds up ${some(held)}` : ''}.`];
}

function stateSaid({ state, holds, holdsSometimes = [], question }: PointKnown): string {
  const held = [
    ...(holds.length > 0 ? [`holds up ${some(holds)}`] : []),
    ...(holdsSometimes.length > 0 ? [`holds up some requests of ${some(holdsSometimes)}`] : []),
  ];
  const asked = question === undefined ? '' : ` It asks: ${question}`;
  const said = { open: 'Open', assumed: 'Assumed, in the ledger', stated: 'Stated' }[state];
  return `${[said, ...held].join('; ')}.${asked}`;
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
