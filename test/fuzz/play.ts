import './cheap-secrets.ts';

import { Agent, request } from 'node:http';
import { CannotWorkOut } from '../../src/expression/functions.ts';
import { TooManySteps } from '../../src/expression/steps.ts';
import { serve } from '../../src/service/service.ts';
import { Unshaped } from '../../src/service/shape/shown-shape.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { holds } from '../../src/specification/openness/holds.ts';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import type { Document } from '../service/document.ts';
import { chanceOf } from './chance.ts';
import { type Keys, malformed, operationsIn, type Sent, type Stated, wellFormed } from './requests.ts';

/** What came of a document. */
export interface Played {
  readonly isAccepted: boolean;
  /** What must not be: undefined where nothing of the kind happened. */
  readonly fault?: string;
  /** How many operations nothing open holds up, and how many of these answered other than 500 and 501. */
  readonly free: number;
  readonly answered: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Why expressions could not be worked out: a request that was refused as `internal` for a stated reason. */
  readonly reasons: readonly string[];
}

const nothing: Played = { isAccepted: false, free: 0, answered: 0, statuses: new Map(), reasons: [] };
/** The latest time that the service is moved on by, in milliseconds: each timer that waits is due by then. */
const muchLaterMs = 40 * 24 * 3600 * 1000;

/**
 * Reads a document and, where `check` accepts it, serves it and asks each of its operations.
 *
 * @param data where items are kept: a file that is not there yet, or a schema of PostgreSQL's
 */
export async function play(document: Document, seed: number, data: string): Promise<Played> {
  let specification: Specification;
  try {
    const found = read('generated.json', JSON.stringify(document, null, 2));
    if (found.diagnostics.some(({ severity }) => severity === 'error')) return nothing;
    specification = found.specification;
  } catch (error) {
    return { ...nothing, fault: `check throws: ${firstLines(error)}` };
  }
  const faults: unknown[] = [];
  const heldUp: number[] = [];
  let ms = Date.parse('2026-12-01T00:00:00Z');
  const options = {
    data,
    milliseconds: () => ms++,
    wake: () => () => {},
    ...operatorsOf(specification),
    onFault: (fault: unknown) => void faults.push(fault),
    onHeldUp: ({ points }: { readonly points: readonly unknown[] }) => void heldUp.push(points.length),
    resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  };
  let service: Awaited<ReturnType<typeof serve>>;
  try {
    service = await serve(specification, options);
  } catch (error) {
    return { ...nothing, isAccepted: true, fault: `serve throws: ${firstLines(error)}` };
  }
  const agent = new Agent({ keepAlive: true });
  try {
    const told = { faults, heldUp };
    const asked = await askAll(
      document,
      specification,
      seed,
      (sent) => send(agent, service.address, sent),
      told,
    );
    ms += muchLaterMs;
    await service.settle();
    const fault = asked.fault ?? faults.map(unstated).find((one) => one !== undefined);
    return { isAccepted: true, ...asked, ...(fault !== undefined && { fault }) };
  } finally {
    agent.destroy();
    await service.close();
  }
}

interface Told {
  readonly faults: unknown[];
  readonly heldUp: number[];
}

type Ask = (sent: Sent) => Promise<{ readonly status: number; readonly body: string }>;

async function askAll(
  document: Document,
  specification: Specification,
  seed: number,
  ask: Ask,
  { faults, heldUp }: Told,
): Promise<Omit<Played, 'isAccepted'>> {
  const chance = chanceOf(seed);
  const keys: Keys = new Map([['Account', ['ann', 'bob']]]);
  const statuses = new Map<number, number>();
  const answers = new Map<string, number[]>();
  const reasons: string[] = [];
  const operations = operationsIn(document);
  /** Keys of requests that were answered 500: that answer is repeated (language §4.4). */
  const failed = new Set<string | undefined>();
  const keyOf = ({ fields }: Sent): string | undefined => fields['Idempotency-Key'];
  let fault: string | undefined;
  const once = async (stated: Stated, sent: Sent, isWell: boolean): Promise<void> => {
    faults.length = 0;
    heldUp.length = 0;
    let status = 0;
    try {
      const answer = await ask(sent);
      status = answer.status;
      learn(answer.body, stated, keys);
    } catch (error) {
      // A method that Node knows no request of, or a failure while a list was being sent.
      fault ??=
        faults.length > 0 && faults.every((one) => unstated(one) === undefined)
          ? undefined
          : `no answer to ${shown(sent)}: ${firstLines(error)}`;
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (isWell) answers.set(stated.key, [...(answers.get(stated.key) ?? []), status]);
    const why = faults.map(unstated).find((one) => one !== undefined);
    if (why !== undefined) fault ??= `${status} to ${shown(sent)}: ${why}`;
    else if (status === 500 && faults.length === 0 && !failed.has(keyOf(sent)))
      fault ??= `500 without a reason to ${shown(sent)}`;
    else if (status === 501 && heldUp[0] === undefined) fault ??= `501 without a point to ${shown(sent)}`;
    else if (faults.length > 0) reasons.push(`${stated.key}: ${(faults[0] as Error).message}`);
    if (status === 500 && keyOf(sent) !== undefined) failed.add(keyOf(sent));
  };
  for (const round of [0, 1])
    for (const stated of operations) {
      const count = stated.verb === 'create' && round === 0 ? 4 : 2;
      for (let index = 0; index < count; index++) {
        const sent = wellFormed(document, stated, keys, chance);
        await once(stated, sent, true);
        if (index === 0) await once(stated, malformed(sent, chance), false);
      }
    }
  const free = specification.operations.filter((one) => holds(specification, one).length === 0);
  const isAnswered = (key: string): boolean =>
    (answers.get(key) ?? []).some((one) => one !== 500 && one !== 501);
  return {
    free: free.length,
    answered: free.filter(({ endpoint }) => isAnswered(endpoint.key)).length,
    statuses,
    reasons,
    ...(fault !== undefined && { fault }),
  };
}

/** Notes the identifiers that an answer shows. */
function learn(body: string, { resource }: Stated, keys: Keys): void {
  const found = [...body.matchAll(/"id":("(?:[^"\\]|\\.)*"|-?\d+)/g)].map(([, id]) =>
    String(JSON.parse(id as string)),
  );
  const known = keys.get(resource) ?? [];
  if (found.length > 0) keys.set(resource, [...new Set([...known, ...found])].slice(-6));
}

/** What a fault is where no statement tells that the request is refused as `internal`. */
function unstated(fault: unknown): string | undefined {
  const isStated = (error: unknown): boolean =>
    [CannotWorkOut, TooManySteps, Unshaped].some((one) => error instanceof one) ||
    // What names the expression has the reason for its cause.
    (error instanceof Error && error.cause !== undefined && isStated(error.cause));
  return isStated(fault) ? undefined : firstLines(fault);
}

function firstLines(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const cause = error instanceof Error && error.cause ? `\n  because of ${firstLines(error.cause)}` : '';
  return text.split('\n').slice(0, 7).join('\n') + cause;
}

function shown({ method, target, fields, body }: Sent): string {
  return `${method} ${target} ${JSON.stringify(fields)} ${body ?? ''}`;
}

/** What the operator has to say, where the document leaves it to the operator. */
export function operatorsOf(of: Specification) {
  const moves = [...(stated(of.states) ?? [])].flatMap(([name, said]) =>
    [...(stated(stated(said)?.transitions) ?? [])].flatMap(([move, one]) =>
      stated(stated(one)?.after)?.kind === 'operator' ? [`${name.split('.')[0]}.${move}`] : [],
    ),
  );
  const schemes = [...(stated(stated(of.authentication)?.schemes) ?? [])];
  const given = schemes.filter(([, said]) => stated(stated(said)?.credentials)?.kind === 'operator');
  const deliveries = [...(stated(stated(of.events)?.delivery) ?? [])].filter(([, said]) => {
    const way = stated(said);
    return way?.kind === 'webhook' && stated(way.webhook)?.kind === 'operator';
  });
  return {
    after: Object.fromEntries(moves.map((one) => [one, 'P1D'])),
    credentials: Object.fromEntries(given.map(([name]) => [name, { office: 'secret' }])),
    deliver: Object.fromEntries(deliveries.map(([name]) => [name, 'https://ours.invalid/'])),
  };
}

function send(agent: Agent, address: string, { method, target, fields, body }: Sent): ReturnType<Ask> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      { agent, hostname, port, method, path: target, headers: { ...fields, ...length } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}
