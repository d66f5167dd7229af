import type { Operation } from '../../specification/model/operation.ts';
import { mediaKind } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { bodyOf } from '../body.ts';
import { type Scenario, scenario } from '../check.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { sample, varied } from '../sample.ts';
import { mediaOf } from '../spell.ts';
import { statedOnly } from '../stated.ts';
import { succeeds } from '../success.ts';
import { heldUp, restsOf, type Trial } from '../trial.ts';
import { mostBytes, pageSizes } from './unlimited.ts';

/** The largest content that is sent, in bytes, and how many items of a resource are made to fill it. */
const mostSent = 4 << 20;

export const tooLarge = (subject: string): Reason => ({ name: 'too large', subject, failures: [] });

/** The most bytes that content may have, where more can be sent. */
export function mostContent({ of }: Trial, operation: Operation): number | undefined {
  const most = mostBytes(of, operation);
  return most <= mostSent ? most : undefined;
}

/** The sizes of part 8, at what is stated and one past it (language §8.3). */
export function sizes(trial: Trial): Scenario[] {
  const { of } = trial;
  const part = stated(of.limits);
  const runnable = of.operations.filter((operation) => heldUp(of, operation) === null);
  const sizes = part && stated(part.sizes);
  const { operations, ...shared } = sizes ?? {};
  const own = (operations && stated(operations)) ?? new Map<string, Said<number>>();
  const byOperation = [...own].flatMap(([name, said]) => {
    const operation = runnable.find((one) => one.name === name);
    const most = stated(said);
    if (most === undefined || operation === undefined) return [];
    return most > mostSent
      ? [statedOnly(of, said.address, `more than ${mostSent} bytes are not sent`)]
      : contents(trial, operation, said, most);
  });
  const general = Object.entries(shared).flatMap(([name, said]) => {
    const most = stated(said);
    if (most === undefined) return [];
    if (name === 'body' && most > mostSent)
      return [statedOnly(of, said.address, `more than ${mostSent} bytes are not sent`)];
    if (name === 'body')
      return runnable.flatMap((operation) =>
        own.has(operation.name) ? [] : contents(trial, operation, said, most),
      );
    return runnable.flatMap((operation) => pages(trial, operation, said, most));
  });
  return [...general, ...byOperation];
}

/** Content of as many bytes as there may be, and of one more: white space about JSON changes nothing of it. */
function contents(trial: Trial, operation: Operation, said: Said<number>, most: number): Scenario[] {
  const { of } = trial;
  const media = mediaOf(operation);
  if (bodyOf(of, operation) === null || media === null || ['text', 'form'].includes(mediaKind(media)))
    return [];
  const cites = { address: said.address, at: said.at };
  const within = `${operation.key} with ${most} bytes of content`;
  return [
    scenario(of, [...restsOf(operation), said.address], () => sample(trial, operation, { bytes: most }), [
      succeeds(trial, operation, within, [], cites),
    ]),
    refusing(trial, {
      says: `${operation.key} with ${most + 1} bytes of content`,
      operation,
      cites,
      reasons: [tooLarge('body')],
      ...varied(trial, operation, () => ({ bytes: most + 1 })),
    }),
  ];
}

/** A page of as many items as it may have, and of one more. */
function pages(trial: Trial, operation: Operation, said: Said<number>, most: number): Scenario[] {
  const cites = { address: said.address, at: said.at };
  return pageSizes(operation).flatMap((name) => {
    const maximum = stated(stated(operation.request?.query)?.get(name))?.shape.keywords.get('maximum');
    const highest = maximum && stated(maximum);
    const asked = (size: number) => ({ omit: [name], query: `${encodeURIComponent(name)}=${size}` });
    const admits = (size: number): boolean => typeof highest !== 'number' || size <= highest;
    const at = scenario(
      trial.of,
      [...restsOf(operation), said.address],
      () => sample(trial, operation, asked(most)),
      [succeeds(trial, operation, `${operation.key} with a page of ${most}`, [], cites)],
    );
    const past = refusing(trial, {
      says: `${operation.key} with a page of ${most + 1}`,
      operation,
      cites,
      reasons: [tooLarge('page')],
      ...varied(trial, operation, () => asked(most + 1)),
    });
    return [...(admits(most) ? [at] : []), ...(admits(most + 1) ? [past] : [])];
  });
}
