import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { fixedMedia } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { answerByMedia } from '../../specification/vocabulary/answer.ts';
import type { Pool } from './pool.ts';

/** The media types of an operation's answers, if there are several. */
const typesOf = once((operation: Operation): readonly string[] => {
  const answers = (stated(operation.response) ?? []).filter(({ content }) => content.kind === 'stated');
  return answers.flatMap(answerByMedia).flatMap(({ media }) => stated(fixedMedia(media)) ?? []);
});

/** The media types of rows that are sent in several. */
const typesOfRows = once(({ errors }: Specification): readonly string[] => {
  const rows = [...(stated(stated(errors)?.codes)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const several = rows.filter(({ content }) => content.kind === 'stated');
  return [...new Set(several.flatMap(answerByMedia).flatMap(({ media }) => stated(fixedMedia(media)) ?? []))];
});

/** An `Accept` field that takes one of the media types of the answer, or several by weight. Undefined: none is sent. */
export function usualAccept(operation: Operation, pool: Pool): string | undefined {
  // A version may be named there.
  if (pool.specification.versioning.kind === 'stated') return undefined;
  const types = [...typesOf(operation), ...typesOfRows(pool.specification)];
  if (types.length === 0 || pool.often(50)) return undefined;
  const { random } = pool;
  const [one, other] = [random.pick(types), random.pick(types)];
  const [range] = one.split('/');
  return random.pick([
    one,
    `${one};q=0.5, ${other}`,
    `${one}, ${other};q=0.1`,
    `${range}/*;q=0.8, ${other};q=0.9, */*;q=0.1`,
    `${one};q=0, */*`,
    '*/*',
  ]);
}

/** An `Accept` field that takes nothing that is sent; undefined: everything is sent in one media type. */
export function otherAccept(operation: Operation, pool: Pool): string | undefined {
  if (pool.specification.versioning.kind === 'stated') return undefined;
  const isOne = typesOf(operation).length + typesOfRows(pool.specification).length === 0;
  return isOne ? undefined : pool.random.pick(['image/png', 'image/*, */*;q=0', 'text/html;level=1']);
}
