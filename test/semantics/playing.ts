import { exploring } from '../../src/conformance/explore/explorer.ts';
import { contentOf } from '../../src/conformance/http.ts';
import { seeded } from '../../src/conformance/random.ts';
import { messageOf } from '../../src/conformance/requests/message.ts';
import { Pool } from '../../src/conformance/requests/pool.ts';
import { schemeNamed } from '../../src/semantics/access/credential.ts';
import { type Answer, receivedAnswer } from '../../src/semantics/judge/answer.ts';
import { judge, type Settled } from '../../src/semantics/judge/judge.ts';
import type { Difference } from '../../src/semantics/judge/judgement.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range } from '../../src/semantics/value/value.ts';
import { type OperatorCredential, World } from '../../src/semantics/world/world.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { type Served, specificationOf, start } from '../service/served.ts';
import { issuersKey, tokensFor } from './tokens.ts';

/** What came of many sequences of requests. */
export interface Tally {
  requests: number;
  /** Answers of 2xx. */
  successes: number;
  determined: number;
  undetermined: number;
  /** By operation: how many sequences ended because the change of a request was unknown. */
  readonly ends: Map<string, number>;
}

export function tally(): Tally {
  return { requests: 0, successes: 0, determined: 0, undetermined: 0, ends: new Map() };
}

/** The first request of a sequence whose answer is not what the document says. */
export interface Finding {
  readonly seed: number;
  readonly operation: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
  readonly differences: readonly Difference[];
}

/** What is seen besides the answer, once it was judged. */
type Look = (settled: Settled, service: Served) => readonly Difference[];

/** Plays a sequence of requests on a new service, and judges every answer. Null: all is as the document says. */
export async function played(
  text: string,
  seed: number,
  length: number,
  counts: Tally,
  look: Look = () => [],
): Promise<Finding | null> {
  const world = worldOf(text, false);
  const service = await start(text, { credentials: given(world) });
  try {
    return await playedAt(service.address, world, seed, length, counts, (settled) => look(settled, service));
  } finally {
    await service.close();
  }
}

/** The same on a service whose clock is moved between two requests. */
export async function playedInTime(
  text: string,
  seed: number,
  length: number,
  counts: Tally,
): Promise<Finding | null> {
  const world = worldOf(text, false);
  const clock = { ms: Date.parse('2026-11-21T12:00:00Z') };
  const { address: url, close } = await start(text, {
    credentials: given(world),
    milliseconds: () => clock.ms,
  });
  try {
    return await playedAt(url, world, seed, length, counts, undefined, clock);
  } finally {
    await close();
  }
}

/** Two sequences on one service: the first as in `played`, and another by somebody who knows nothing of the first. */
export async function playedBefore(
  text: string,
  seed: number,
  length: number,
  alone: Tally,
  among: Tally,
): Promise<Finding | null> {
  const [first, shared] = [worldOf(text, false), worldOf(text, true)];
  const { address: url, close } = await start(text, { credentials: given(first) });
  try {
    const found = await playedAt(url, first, seed, length, alone);
    return found ?? (await playedAt(url, shared, seed + 1000, length, among));
  } finally {
    await close();
  }
}

/** The world before the first request, with a credential for each scheme that is the operator's. */
export function worldOf(text: string, isShared: boolean): World {
  const world = new World(specificationOf(text), { isShared });
  world.operators = operatorsOf(world.specification);
  return world;
}

export async function playedAt(
  url: string,
  begun: World,
  seed: number,
  length: number,
  counts: Tally,
  look: (settled: Settled) => readonly Difference[] = () => [],
  clock: { ms: number } | null = null,
): Promise<Finding | null> {
  const { specification } = begun;
  const explorer = exploring(new Pool(specification, seeded(seed), begun.latest), url);
  const now = (): number => clock?.ms ?? Date.now();
  let world = begun;
  for (let place = 0; place < length; place++) {
    // Requests of one millisecond have no order that a clock of milliseconds shows.
    if (clock)
      clock.ms += 2 + Math.min(explorer.wait(world, Number.POSITIVE_INFINITY).ms, untilAttempts(world));
    const sent = now();
    const soon = { at: new Range(sent, sent + 1), offMs: 0 };
    const candidate = explorer.next(world.at(soon), soon);
    const { request } = candidate;
    const answer = await send(request, specification);
    const received = { at: new Range(sent, now() + 1), offMs: 0 };
    const settled = judge(step(world, request, received), answer);
    const { determined, undetermined, next } = settled;
    const differences = [...settled.differences, ...look(settled)];
    const { operation, path, query, content, credentials } = request;
    if (differences.length > 0)
      return {
        seed,
        operation: operation.name,
        sent: { path, query, content, credentials },
        answer,
        differences,
      };
    counts.requests += 1;
    counts.successes += answer.status < 300 ? 1 : 0;
    counts.determined += determined;
    counts.undetermined += undetermined;
    if (next === null) {
      counts.ends.set(operation.name, (counts.ends.get(operation.name) ?? 0) + 1);
      return null;
    }
    explorer.note(candidate, answer.status, world, next);
    world = next;
  }
  return null;
}

/** How long until attempts to deliver may be exhausted, in milliseconds: they take real time, whatever the clock shows. */
function untilAttempts({ timers, received }: World): number {
  const dues = timers.filter(({ kind }) => kind === 'exhausted').map(({ due }) => due.least);
  return Math.max(0, Math.min(...dues) - received.at.most - attemptsMs);
}

/** For so long before, no time is let pass at once. */
const attemptsMs = 1000;

/** A credential for each scheme that is the operator's, and tokens for each that is somebody else's. */
function operatorsOf({ authentication }: Specification): OperatorCredential[] {
  return [...(stated(stated(authentication)?.schemes) ?? [])].flatMap(([scheme, said]) => {
    const of = stated(said);
    const credentials = of && stated(of.credentials);
    if (credentials?.kind === 'foreign') return tokensFor(scheme, credentials);
    return credentials?.kind === 'operator' ? [{ scheme, name: 'main', secret: `secret-of-${scheme}` }] : [];
  });
}

/** What the operator of the service gives: its own credentials, and the key of tokens that somebody else signs. */
export function given(world: World): Record<string, Record<string, string>> {
  return Object.fromEntries(
    world.operators.map(({ scheme, name, secret }) => {
      const said = schemeNamed(scheme, world);
      const isOwn = said && stated(said.credentials)?.kind === 'operator';
      return [scheme, isOwn ? { [name]: secret } : { issuer: issuersKey }];
    }),
  );
}

export async function send(request: Request, specification: Specification): Promise<Answer> {
  const { method, path, headers, body = null, ...more } = messageOf(request, specification);
  const content = contentOf({ body, ...more });
  const answer = await fetch(`${request.url}${path}`, {
    method,
    headers,
    // Of bytes, `fetch` names no media type by itself.
    ...(content !== undefined && { body: new Uint8Array(Buffer.from(content)) }),
  });
  return receivedAnswer(
    answer.status,
    Object.fromEntries(answer.headers),
    new Uint8Array(await answer.arrayBuffer()),
  );
}
