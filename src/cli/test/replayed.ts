import { readFileSync } from 'node:fs';
import type { Exchange, Response } from '../../conformance/http.ts';
import type { Replayed } from '../../conformance/replay.ts';
import type { Found } from '../../conformance/sequences/sequence.ts';
import { type Paint, visible } from '../../source/diagnostic.ts';
import { count } from '../command.ts';
import { UsageError } from '../usage.ts';

/** The sequence in a file. Throws {@link UsageError} where there is none. */
export function sequenceIn(file: string): Found {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const { version, sequence } = Object(found) as Partial<Found>;
  if (version !== 1 || !Array.isArray(sequence?.steps) || !Array.isArray(sequence.values))
    throw new UsageError(`${file} holds no sequence, as --sequences writes it`);
  return found as Found;
}

/** What came of a sequence that was played again, for people. */
export function replayedText(found: Found, replayed: Replayed, paint: Paint): string {
  const { says, statement, expected, found: was, sequence } = found;
  const row = (name: string, value: string): string => `  ${paint.dim(name.padEnd(10))}${visible(value)}\n`;
  const steps = sequence.steps.map(({ request, answer }, index) => {
    const exchange = replayed.exchanges[index];
    const path = exchange?.request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') ?? request.path;
    const asked = `${String(index + 1).padStart(3)}  ${request.method} ${visible(path)}`;
    if (exchange === undefined) return `${asked}  ${paint.dim('not sent')}\n`;
    const isOther = index === replayed.other;
    const then = isOther ? `, and was ${answered(answer)}` : '';
    const told = `${answered(exchange.response, exchange)}${then}`;
    return `${asked}  ${isOther ? paint.yellow(visible(told)) : visible(told)}\n`;
  });
  return [
    `${paint.bold(visible(says))}\n`,
    row('statement', `${statement.address}  ${statement.at}`),
    row('expected', expected),
    row('found', was),
    '\n',
    ...steps,
    '\n',
    `${conclusion(replayed, sequence.steps.length, paint)}\n`,
  ].join('');
}

function answered(response: Response | null, exchange?: Exchange): string {
  if (response === null) return exchange?.failure ?? 'no answer';
  const content = response.body.replaceAll(/\s+/g, ' ');
  return `${response.status}${content === '' ? '' : ` ${content.slice(0, 120)}`}`;
}

function conclusion({ outcome, other, judged }: Replayed, steps: number, paint: Paint): string {
  if (judged === null && outcome === 'violates')
    return paint.red(`still violates: ${count(steps, 'request')} came to the same`);
  const { says = '', expected, found } = judged ?? {};
  const sentences = {
    violates: () => paint.red(`still violates: ${visible(`${says}: expected ${expected}, found ${found}`)}`),
    conforms: () => paint.green('conforms now: the answers are what is stated'),
    unknown: () =>
      paint.yellow(
        `the sequence no longer leads there: request ${(other ?? 0) + 1} went another way, and the answers say nothing of the statement`,
      ),
  };
  return sentences[outcome]();
}
