import { bodiesOf, type Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Judge } from '../judge/judge.ts';
import type { FrameOf } from '../message/frame.ts';
import { type Refusal, refuse } from '../message/refusal.ts';

/** What is to be known of a request to judge its sizes. */
interface Sized {
  readonly oversized: boolean;
  readonly frame: FrameOf;
}

const no: readonly Refusal[] = [];
const simple = { condition: 'too large', code: null, kept: false, byChange: false } as const;

/** A size that part 8 states; undefined: none is. */
export function sizeOf({ limits }: Specification, name: 'body' | 'page'): number | undefined {
  const sizes = stated(stated(limits)?.sizes);
  return sizes && stated(sizes[name]);
}

/** How many bytes of content a request may have; undefined: it is the host's to say (language §8.3). */
export function mostBytes(specification: Specification, { name }: Operation): number | undefined {
  const own = stated(stated(stated(specification.limits)?.sizes)?.operations)?.get(name);
  return stated(own) ?? sizeOf(specification, 'body');
}

/** What judges the sizes that a request tells before anything is done (language §8.3). */
export function sizeJudges(specification: Specification, operation: Operation): readonly Judge<Sized>[] {
  const judges: Judge<Sized>[] = [];
  if (mostBytes(specification, operation) !== undefined && bodiesOf(operation).length > 0)
    judges.push({
      ...simple,
      subject: 'body',
      refuses: ({ oversized }) => (oversized ? [refuse('too large', 'body')] : no),
    });
  const most = sizeOf(specification, 'page');
  const sizes = [...(stated(operation.request?.query) ?? [])].flatMap(([name, said]) =>
    stated(stated(said)?.roles.page) === 'size' ? [name] : [],
  );
  if (most !== undefined && sizes.length > 0)
    judges.push({
      ...simple,
      subject: 'page',
      refuses: ({ frame }) => {
        const { query: given } = frame({}).names['request'] as { query: Readonly<Record<string, unknown>> };
        const isLarger = sizes.some((name) => typeof given[name] === 'number' && given[name] > most);
        return isLarger ? [refuse('too large', 'page')] : no;
      },
    });
  return judges;
}
