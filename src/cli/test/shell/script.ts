import { curl, quoted } from '../../../conformance/http.ts';
import type { Bound, Found, Sequence } from '../../../conformance/sequences/sequence.ts';
import { type Templated, templated } from './requests.ts';
import { anew, randomly, taking } from './values.ts';
import { type About, service, Words } from './words.ts';

/** A violation, and the requests that lead to it. */
export type Shown = Pick<Found, 'says' | 'expected' | 'found' | 'sequence'> & {
  /** Whether the sequence was played again by itself. Default: true */
  readonly isPlayed?: boolean;
};

/** Writes the command line of a step. */
type Line = (step: number, isWhole: boolean) => string;

/** A value that a later request needs, with the variable that it is put in. */
interface Taken {
  readonly name: string;
  readonly value: Bound;
}

/**
 * The requests that lead to a violation as commands of a POSIX shell, to be pasted as often as one likes. What the
 * implementation made, such as identifiers and tokens, is taken from its answers each time. What the tester made up is made
 * up anew. What these values were in the run is shown beside. Nothing in it is a comment: not every shell takes one that is
 * typed.
 */
export function script(shown: Shown, about: About): string {
  const { sequence } = shown;
  const words = new Words(sequence, about);
  const requests = templated(sequence);
  const line: Line = (step, isWhole) => lineOf(requests[step] as Templated, words, service, isWhole);
  // Which values stand in requests is known once these are written.
  for (const step of requests.keys()) line(step, true);
  const taken = [...words.used]
    .sort((a, b) => a - b)
    .map((index): Taken => ({ name: words.names[index] ?? '', value: sequence.values[index] as Bound }));
  const [first] = requests;
  if (first && requests.length === 1 && words.givens().length === 1 && taken.length === 0)
    return `${lineOf(first, words, about.url, true)}\n`;
  const made = taken.filter(({ value }) => value.from === undefined);
  const groups = groupsOf(sequence);
  return [
    ...head(shown, about.url),
    ...words.givens(),
    ...(made.length > 0 ? [randomly] : []),
    ...made.flatMap(({ name, value: { was } }) => [`${name}=${anew(was) ?? quoted(was)}`, told(name, was)]),
    ...(groups.some((group) => group.length > 1) ? ['answers=$(mktemp -d)'] : []),
    ...groups.flatMap((group) => {
      const own = taken.filter(({ value }) => group.includes(value.from?.step ?? -1));
      return group.length > 1 ? together(group, own, line) : alone(group[0] as number, own, line);
    }),
    '',
  ].join('\n');
}

/** What the requests lead to. */
function head(
  { says, expected, found, sequence: { confirmed }, isPlayed = true }: Shown,
  url: string,
): readonly string[] {
  const about = `expected ${expected}; found ${found}`.replaceAll(service, url);
  return [
    `: ${quoted(says)}`,
    `: ${quoted(about.length > 300 ? `${about.slice(0, 297)}...` : about)}`,
    ...(isPlayed ? [] : [": 'this was not played again by itself'"]),
    ...(isPlayed && !confirmed ? [": 'played again by itself, this did not come to the same'"] : []),
  ];
}

function lineOf(
  { method, path, user, hasBrackets, ...content }: Templated,
  { quote }: Words,
  url: string,
  isWhole: boolean,
): string {
  const line = curl({ method, url: `${url}${path}`, ...content }, { quote, isWhole, isGlob: !hasBrackets });
  return user === null ? line : `${line} -u ${quote(user)}`;
}

/** The steps; those that are sent together, together. */
function groupsOf({ steps }: Sequence): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const [index, step] of steps.entries())
    if (step.together) groups.at(-1)?.push(index);
    else groups.push([index]);
  return groups;
}

/** One request, with what is taken from its answer. */
function alone(step: number, taken: readonly Taken[], line: Line): readonly string[] {
  const [first] = taken;
  // The next answer begins on a line of its own.
  if (first === undefined) return [`${line(step, true)} -w '\\n'`];
  if (taken.length === 1) {
    const isWhole = first.value.from?.at.header !== undefined;
    return takenFrom(line(step, isWhole), first, isWhole);
  }
  const answer = `answer_${step + 1}`;
  return [
    `${answer}=$(${line(step, true)})`,
    ...taken.flatMap((each) => takenFrom(`printf '%s\\n' "$${answer}"`, each, true)),
  ];
}

/** Requests that are under way at once, with what is taken from their answers. */
function together(steps: readonly number[], taken: readonly Taken[], line: Line): readonly string[] {
  const fileOf = (step: number): string => `"$answers/${step + 1}"`;
  const sent = steps.map((step) => `${line(step, true)} -w '\\n' > ${fileOf(step)} &`);
  return [
    `( ${sent.join(' ')} wait )`,
    `cat ${steps.map(fileOf).join(' ')}`,
    ...taken.flatMap((each) => takenFrom(`cat ${fileOf(each.value.from?.step ?? 0)}`, each, true)),
  ];
}

function takenFrom(
  answer: string,
  { name, value: { was, from } }: Taken,
  isWhole: boolean,
): readonly string[] {
  return [`${name}=$(${answer} | ${taking(from?.at ?? {}, isWhole)})`, told(name, was)];
}

/** Shows a value, and what it was in the run. */
function told(name: string, was: string): string {
  return `echo "${name} is $${name}, and was" ${quoted(was)}`;
}
