import { type Place, textIn } from './place.ts';

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

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
