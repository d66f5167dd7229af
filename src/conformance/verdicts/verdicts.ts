import type { ObservedEvent } from '../../semantics/judge/event.ts';
import type { EventFinding } from '../../semantics/judge/events.ts';
import type { Settled } from '../../semantics/judge/judge.ts';
import type { Difference } from '../../semantics/judge/judgement.ts';
import { once } from '../../source/once.ts';
import { at } from '../../source/text.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, isUnder } from '../../specification/reading/address.ts';
import type { Point } from '../../specification/reading/reading.ts';
import { curl, type Exchange } from '../http.ts';
import { isAssumed, type Result, type Statement } from '../result.ts';

/** A violation, and how many exchanges show it. */
export interface Violation {
  readonly result: Result;
  times: number;
}

/** A request that an event belongs to. */
interface Emitted {
  readonly operation: Operation;
  readonly exchange: Exchange;
}

/** What is judged, and the event as a text; null: it is an answer, or nothing came. */
interface Judged {
  readonly check: 'answer.permitted' | 'event.permitted';
  readonly shows: string | null;
}

const ofAnswer: Judged = { check: 'answer.permitted', shows: null };

/**
 * The verdicts of exchanges. A statement conforms for an operation with the first answer that keeps to it. It violates with
 * the first that does not, for each place of the answer; further ones are counted.
 */
export class Verdicts {
  readonly #specification: Specification;
  readonly #conforming = new Set<string>();
  readonly #violations = new Map<string, Violation>();

  constructor(specification: Specification) {
    this.#specification = specification;
  }

  /** In the order in which they were first seen. */
  get violations(): readonly Violation[] {
    return [...this.#violations.values()];
  }

  /** Those that more than one exchange shows. */
  get repeated(): readonly { says: string; address: Address; exchanges: number }[] {
    return this.violations
      .filter(({ times }) => times > 1)
      .map(({ result: { says, statement }, times }) => ({
        says,
        address: statement.address,
        exchanges: times,
      }));
  }

  /** The verdicts that an exchange adds. */
  note(
    operation: Operation,
    exchange: Exchange,
    settled: Pick<Settled, 'differences' | 'by'>,
  ): readonly Result[] {
    if (settled.differences.length > 0)
      return settled.differences.flatMap((difference) => this.#violated(operation, exchange, difference));
    return settled.by.flatMap((address) => this.#conforms(operation, exchange, address));
  }

  /** The verdicts that an event adds. The exchange is the one that emits it, or the last one before it. */
  noteEvent({ operation, exchange }: Emitted, { differences, by, came }: EventFinding): readonly Result[] {
    const about = { check: 'event.permitted', shows: came && shownEvent(came) } as const;
    if (differences.length === 0)
      return by.flatMap((address) => this.#conforms(operation, exchange, address, about));
    return differences.flatMap((difference) => {
      const at = difference.at.startsWith('event.') ? difference.at : `event.${difference.at}`;
      return this.#violated(operation, exchange, { ...difference, at }, about);
    });
  }

  #violated(
    operation: Operation,
    exchange: Exchange,
    { by, expected, found, at: where, isAssumed: isOfList = false }: Difference,
    about: Judged = ofAnswer,
  ): Result[] {
    // As the other checks say it.
    const unit = where === 'status' ? 'status ' : '';
    const place = where.replaceAll(/\.\d+/g, '.*');
    const key = `${operation.address} ${by} ${place} ${isOfList}`;
    const known = this.#violations.get(key);
    if (known) {
      known.times += 1;
      return [];
    }
    const value = found === undefined ? 'nothing' : `${unit}${JSON.stringify(found)}`;
    const subject = this.#about(operation, by, `${operation.key}: ${place}`, about.check);
    const result: Result = {
      ...subject,
      assumed: subject.assumed || isOfList,
      place,
      verdict: 'violates',
      expected: `${unit}${expected}`,
      found: about.shows === null ? value : `${value} in ${about.shows}`,
      ...shown(exchange),
    };
    this.#violations.set(key, { result, times: 1 });
    return [result];
  }

  #conforms(
    operation: Operation,
    exchange: Exchange,
    address: Address,
    { check, shows }: Judged = ofAnswer,
  ): Result[] {
    const key = `${check} ${operation.address} ${address}`;
    if (this.#conforming.has(key)) return [];
    this.#conforming.add(key);
    const [thing, expected] =
      check === 'event.permitted' ? ['an event', 'a permitted event'] : ['an answer', 'a permitted answer'];
    const says = `${operation.key}: ${thing} is as ${address} says`;
    const found = shows ?? `status ${exchange.response?.status ?? '(none)'}`;
    return [
      {
        ...this.#about(operation, address, says, check),
        verdict: 'conforms',
        expected,
        found,
        ...shown(exchange),
      },
    ];
  }

  #about(
    operation: Operation,
    address: Address,
    says: string,
    check: Result['check'],
  ): Pick<Result, 'check' | 'says' | 'statement' | 'operation' | 'assumed'> {
    const statement = statementNear(this.#specification, address, operation.does);
    return {
      check,
      says,
      statement: { address: statement.address, at: at(statement.at) },
      operation: operation.key,
      assumed: isAssumed(this.#specification, statement.address),
    };
  }
}

/** The statement at an address, or the first that is part of it, or the nearest that it is part of. Fields have no case. */
export function statementNear(of: Specification, address: Address, otherwise: Statement): Statement {
  const folded = foldedPoints(of);
  for (let near = address; near !== ''; near = near.replace(/\.?[^.]*$/, '')) {
    const point = of.points.get(near) ?? folded.get(near.toLowerCase());
    if (point) return { address: point.address, at: point.at };
    const part = near === address && [...of.points.values()].find((each) => isStatedUnder(each, near));
    if (part) return { address, at: part.at };
  }
  return otherwise;
}

function isStatedUnder(point: Point, above: Address): boolean {
  return point.state !== 'open' && isUnder(point.address, above);
}

const foldedPoints = once(
  ({ points }: Specification) =>
    new Map([...points.values()].map((point) => [point.address.toLowerCase(), point] as const)),
);

function shown({ request, response }: Exchange): Pick<Result, 'request' | 'response' | 'curl'> {
  const { version: _, ...sent } = request;
  return { request: sent, response, curl: curl(sent) };
}

/** A longer event is cut off, in characters. */
const longestShown = 400;

/** An event as a report shows it: where it came, and what it says. */
function shownEvent({ way, url, kind, content }: ObservedEvent): string {
  const place = [kind, `by ${way}`, url && `to ${url}`].filter(Boolean).join(' ');
  const text = content.length > longestShown ? `${content.slice(0, longestShown)}…` : content;
  return `an event ${place}: ${text}`;
}
