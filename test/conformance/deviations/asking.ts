import { type Deviation, implementing } from '../../../src/conformance/deviations/deviation.ts';
import { beginsMs, begunWorld } from '../../../src/conformance/search/simulate.ts';
import type { Credential } from '../../../src/semantics/access/credential.ts';
import type { Answer } from '../../../src/semantics/judge/answer.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import { Range, type Value } from '../../../src/semantics/value/value.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';

/** Sends one request to an operation, as `METHOD /path/{id}`, so many milliseconds after the beginning. */
export type Ask = (
  key: string,
  atMs: number,
  given?: {
    readonly id?: string;
    readonly content?: Value;
    readonly query?: Readonly<Record<string, Value>>;
    readonly credentials?: readonly Credential[];
  },
) => Answer;

/** A service in memory that deviates, or, with null, does all as stated. It answers whatever is asked of it. */
export function asking(specification: Specification, deviation: Deviation | null): Ask {
  const implementation = deviation ? deviation.implementation() : implementing(specification);
  let world: World = begunWorld(specification);
  return (key, atMs, { id, content, query = {}, credentials = [] } = {}) => {
    const operation = specification.operations.find((each) => each.key === key);
    if (operation === undefined) throw new TypeError(`no operation: ${key}`);
    const path = id === undefined ? {} : { id };
    const nothing = { query, headers: {}, credentials, url: 'http://localhost' };
    const at = beginsMs + atMs;
    const before = world.at({ at: new Range(at, at), offMs: 0 });
    const steps = implementation(before, { ...nothing, operation, path, content });
    const answer = answerTo(steps.at(-1)?.prediction as never);
    if (answer === null) throw new TypeError('nothing is known of the answer');
    world = judge(steps, answer).world as World;
    return answer;
  };
}
