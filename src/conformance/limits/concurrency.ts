import type { Counting } from '../../specification/model/counted.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { admits } from '../access/admits.ts';
import { type Check, type Scenario, type Seen, scenario, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { type Exchange, mediaType } from '../http.ts';
import { askedOf, perform } from '../perform.ts';
import { isAboutOne } from '../request.ts';
import { workOut } from '../solve.ts';
import { unchecked } from '../stated.ts';
import { before } from '../success.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { known } from '../verdict.ts';
import { letsIn } from './lets-in.ts';
import { countedBy } from './pace.ts';

/** The most requests that are sent at once. */
const most = 64;

/** Requests that were sent at once. */
interface Crowd extends Seen {
  readonly first: Done;
  readonly refused: number;
}

/** As many at once as there may be are let in, and again once they were answered (language §8.2). */
export function concurrency(trial: Trial): Scenario[] {
  const { of } = trial;
  const part = stated(of.limits);
  return [...((part && stated(part.concurrency)) ?? [])].flatMap(([, said]) => {
    const bound = stated(said);
    const allow = stated(bound?.allow);
    if (bound === undefined || allow === undefined || bound.per.kind === 'open')
      return [unchecked(of, said.address, 'it is open how many, or whose are counted together')];
    if (allow > most) return [unchecked(of, said.address, `more than ${most} requests are not sent at once`)];
    const asked = of.operations.find((operation) => isCounted(trial, bound, operation));
    // A request runs while its answer is made: an upload that is slow does not run yet, nor a stream any more.
    const why = 'of no request is it known from outside when it runs, so that one more need not be refused';
    const scenarios = asked ? [letIn(trial, said, asked, allow), ends(trial, said, asked, allow)] : [];
    return [...scenarios, unchecked(of, said.address, why)];
  });
}

/** Whether a bound surely counts what the usual one asks of an operation, which changes nothing. */
function isCounted(trial: Trial, { operations, when }: Counting, operation: Operation): boolean {
  const named = stated(operations);
  if (named && !named.some(({ text }) => text === operation.name)) return false;
  if (operation.method !== 'GET' || isAboutOne(operation) || heldUp(trial.of, operation) !== null)
    return false;
  const { names } = askedOf(trial, operation, {}, null);
  const condition = stated(when);
  return (
    (!condition || workOut(condition.template, names) === true) &&
    admits(trial.of, operation, names).value === true
  );
}

/** As many as there may be are let in. */
function letIn(trial: Trial, said: Said<unknown>, operation: Operation, allow: number): Scenario {
  const says = `${operation.key}, ${allow} times at once, is let in`;
  return crowd(trial, said, operation, allow, { name: 'concurrency.allows', says, beforehand: 0 });
}

/** A request runs until its answer is made, whatever that is: once more than there may be were answered, none runs. */
function ends(trial: Trial, said: Said<unknown>, operation: Operation, allow: number): Scenario {
  const beforehand = Math.min(2 * allow, most);
  const says = `${operation.key}, ${allow} times at once, is let in once ${beforehand} at once were answered`;
  return crowd(trial, said, operation, allow, { name: 'concurrency.ends', says, beforehand });
}

/** How long after its answer a request may still be taken for one that runs, in milliseconds. */
const settlingMs = 50;

function crowd(
  trial: Trial,
  said: Said<unknown>,
  operation: Operation,
  allow: number,
  { name, says, beforehand }: Pick<Check<Crowd>, 'name' | 'says'> & { readonly beforehand: number },
): Scenario {
  const check: Check<Crowd> = {
    name,
    says,
    cites: { address: said.address, at: said.at },
    guard: ({ first }) => letsIn(trial.of, operation, before(first)),
    claim: ({ exchange, refused }) => ({
      truth: known(refused === 0),
      expected: `${allow} that are let in`,
      found: refused === 0 ? 'these' : `${refused} that are not: ${answerFound(exchange)}`,
    }),
  };
  const observe = async (): Promise<Crowd> => {
    const first = await perform(trial, operation);
    const counting = countedBy(trial, { operation, as: trial.persona, names: first.names });
    if ([...counting.values()].some(({ left }) => left < beforehand + allow))
      throw new Unreached('a rate does not let in as many');
    const { request, response } = first.exchange;
    if (beforehand > 0 && mediaType(response) === 'text/event-stream')
      throw new Unreached('a stream of events has no end, so that it is not known when it runs no more');
    const atOnce = (length: number): Promise<Exchange[]> =>
      Promise.all(Array.from({ length }, () => trial.client.send(request)));
    if (beforehand > 0) {
      await atOnce(beforehand);
      await trial.wait(settlingMs, 'what runs at once to end');
    }
    const all = await atOnce(allow);
    const refused = all.filter((one) => succeeded(one, operation).value !== true);
    return { exchange: refused[0] ?? (all[0] as Exchange), first, refused: refused.length };
  };
  return scenario(trial.of, [...restsOf(operation), said.address], observe, [check]);
}
