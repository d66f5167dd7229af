import { mediaKind } from '../../specification/media.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Watched } from '../answered.ts';
import { bodyOf } from '../body.ts';
import { type Check, ifReached, type Scenario, scenario, Unreached } from '../check.ts';
import { allReasons, answerFound, doesJustThat, succeeded } from '../guards.ts';
import { listerOf } from '../lister.ts';
import type { Item } from '../partly.ts';
import { create, perform } from '../perform.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { sample, varied } from '../sample.ts';
import { mediaOf } from '../spell.ts';
import { statedOnly } from '../stated.ts';
import { succeeds } from '../success.ts';
import { heldUp, operationFor, restsOf, type Trial } from '../trial.ts';
import { steady } from '../unrefused.ts';
import { all, known } from '../verdict.ts';
import { walk } from '../walk.ts';
import { limitsClosed, pageSizes } from './unlimited.ts';

/** The largest content that is sent, in bytes, and how many items of a resource are made to fill it. */
const mostSent = 4 << 20;
const mostMade = 50;

export const tooLarge = (subject: string): Reason => ({ name: 'too large', subject, failures: [] });

/** The most bytes that content may have, where more can be sent. */
export function mostContent({ of }: Trial): number | undefined {
  const most = stated(stated(stated(of.limits)?.sizes)?.get('body'));
  return most !== undefined && most <= mostSent ? most : undefined;
}

/** The sizes of part 8, at what is stated and one past it (language §8.3). */
export function sizes(trial: Trial): Scenario[] {
  const { of } = trial;
  const part = stated(of.limits);
  const runnable = of.operations.filter((operation) => heldUp(of, operation) === null);
  return [...((part && stated(part.sizes)) ?? [])].flatMap(([name, said]) => {
    const most = stated(said);
    if (most === undefined) return [];
    if (name === 'body' && most > mostSent)
      return [statedOnly(of, said.address, `more than ${mostSent} bytes are not sent`)];
    if (name === 'body') return runnable.flatMap((operation) => contents(trial, operation, said, most));
    if (name === 'page') return runnable.flatMap((operation) => pages(trial, operation, said, most));
    const resource = of.resourcesByName.get(name);
    return resource ? filled(trial, resource, said, most) : [];
  });
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

/** One item more than there may be, counting those that are there: what was made for it goes again, where it can. */
function filled(trial: Trial, resource: Resource, said: Said<number>, most: number): Scenario[] {
  const { of } = trial;
  const operation = operationFor(of, resource, 'create');
  const lister = listerOf(trial, resource);
  if (operation === null || lister === null)
    return [statedOnly(of, said.address, `nothing that can be exercised makes, and lists, ${resource.name}`)];
  const remover = operationFor(of, resource, 'delete');
  const cites = { address: said.address, at: said.at };
  let count = 0;
  const room: Check<Watched> = {
    name: 'size.room',
    says: `${operation.key} succeeds while there are less than ${most}, and no longer`,
    cites,
    guard: ({ names }) => all(steady(of, resource), allReasons(of, operation, names), limitsClosed(of)),
    claim: ({ exchange }) => ({
      truth: known(count === most),
      expected: `${most} that are there`,
      found: `${count}, then ${answerFound(exchange)}`,
    }),
  };
  return [
    refusing(trial, {
      says: `${operation.key} of one more than ${most}`,
      operation,
      cites,
      reasons: [tooLarge(resource.name)],
      must: all(doesJustThat(of, operation), steady(of, resource)),
      more: [room],
      send: async () => {
        count = (await walk(trial, lister)).entries.length;
        if (most - count > mostMade)
          throw new Unreached(`more than ${mostMade} items are not made to fill it`);
        const made: Item[] = [];
        try {
          for (;;) {
            const done = await create(trial, operation, bodyFor(trial, operation, 'most'));
            if (done.item) made.push(done.item);
            if (succeeded(done.exchange, operation).value !== true || count >= most) return done;
            count += 1;
          }
        } finally {
          if (remover) for (const item of made) await ifReached(() => perform(trial, remover, { item }));
        }
      },
    }),
  ];
}
