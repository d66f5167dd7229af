import { get, type Json, json } from '../../source/node.ts';
import { oneLine } from '../wording/line.ts';
import { type Place, type Places, raw, textIn } from './place.ts';

/** The first line of what people read about something, to ask with: at most so many characters; `''`: nothing is said. */
export function firstLine(said: string | undefined, most: number): string {
  const [line = ''] = (said ?? '').split('\n');
  return line
    .replaceAll(/[`"${}]/g, '')
    .trim()
    .slice(0, most)
    .replace(/[.?]$/, '');
}

/** All that people read about something, on one line. */
export function proseOf(place: Place): string {
  const said = ['title', 'summary', 'description'].map((name) => oneLine(textIn(place, name) ?? ''));
  const sentences = said.filter((text, index) => text !== '' && said.indexOf(text) === index);
  return sentences.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`)).join(' ');
}

/**
 * What people read about something, as a `description` says it (language §E.18): paragraphs, and then a line `NAME: VALUE` for
 * each member that the language has no word for. Undefined: nothing is said.
 *
 * @param noted the names of such members; extensions are among them anyway
 * @param known a summary that tells nothing, since it follows from a name. Default: there is none
 */
export function descriptionOf(
  place: Place,
  noted: readonly string[] = [],
  known?: string,
): string | undefined {
  const told = ['summary', 'description'].map((name) => (textIn(place, name) ?? '').trim());
  const paragraphs = told.map((text, index) => (index === 0 && text === known ? '' : text));
  return paragraphsOf([...paragraphs, ...[notesOf(place, noted) ?? '']]);
}

/** What people read about something that has content, with the examples of the content. */
export function descriptionWith(
  place: Place,
  content: Place | undefined,
  places: Places,
): string | undefined {
  return paragraphsOf([
    descriptionOf(place) ?? '',
    (content && notesOf(content, ['example', 'encoding'])) ?? '',
    mapNote('examples', content, places),
    mapNote('links', place, places),
  ]);
}

/** A note of a map of names, with what they refer to; `''`: there is none. */
function mapNote(name: string, place: Place | undefined, places: Places): string {
  const map = place && raw(place, name);
  if (map === undefined) return '';
  const all = places.members(map).map(([key, each]) => [key, json(each.node)] as const);
  return notesFor(name, Object.fromEntries(all)).join('\n');
}

/** Texts as paragraphs, each once; undefined: there are none. */
export function paragraphsOf(texts: readonly string[]): string | undefined {
  const said = [...new Set(texts)].filter((text) => text !== '').join('\n\n');
  // A text of this form would be a marker (language §B).
  return said === '' ? undefined : said.replace(/^\((?=open\b)/, '( ');
}

/** Members that the language has no word for, a line each; undefined: there are none. */
export function notesOf(place: Place, noted: readonly string[]): string | undefined {
  if (place.node.kind !== 'map') return undefined;
  const extensions = [...place.node.entries.keys()].filter(
    (name) => name.startsWith('x-') && !name.startsWith('x-tacet-'),
  );
  const lines = [...noted, ...extensions].flatMap((name) => {
    const said = get(place.node, name);
    return said ? notesFor(name, json(said)) : [];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** A member on one line, `NAME: VALUE`; a list of maps on several. */
export function notesFor(name: string, value: Json): readonly string[] {
  const isOfMaps = Array.isArray(value) && value.some((each) => !isPlain(each));
  const values = isOfMaps ? (value as readonly Json[]) : [value];
  return values.map((each) => `${name}: ${oneLineOf(each)}`);
}

/** The values of a list, or the members of a map, one after another; JSON, if others stand in them. */
function oneLineOf(value: Json): string {
  if (isPlain(value)) return plain(value);
  const members = Object.entries(value as object) as (readonly [string, Json])[];
  if (members.length === 0 || !members.every(([, each]) => isPlain(each))) return JSON.stringify(value);
  return members
    .map(([name, each]) => (Array.isArray(value) ? plain(each) : `${name} ${plain(each)}`))
    .join(', ');
}

function isPlain(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function plain(value: Json): string {
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
}
