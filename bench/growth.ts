import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contest, example, type Place } from './contestants.ts';
import { fill, loadOf, type Slice } from './load.ts';
import { type Server, start } from './server.ts';
import { ratio, type Spread, spread } from './statistics.ts';
import type { Extent } from './works.ts';

/** What a request costs where there is little, and where there is much. */
export interface Growth {
  readonly of: string;
  readonly few: number;
  readonly many: number;
  /** CPU time of a request, in microseconds. */
  readonly cpuOfFew: Spread;
  readonly cpuOfMany: Spread;
  /** That of many over that of few, pair by pair. */
  readonly ratio: Spread;
}

const read = 1000;
const ownEndpoints = 6;
const fewEndpoints = 10;
const manyEndpoints = 1000;
const fewRows = 1000;

type Load = (seconds: number) => Promise<Slice>;

/** Reading by id through one of 10 endpoints that do so, and of 1,000. */
export function growthOfEndpoints(contest: Contest, extent: Extent, place: Place): Promise<Growth> {
  const ready = async (count: number, servers: Server[]): Promise<Load> => {
    const folder = place(contest.tacet);
    const document = join(folder, 'todo.md');
    writeFileSync(document, withCopies(readFileSync(example, 'utf8'), count - ownEndpoints));
    const server = await start(contest.serving(document), folder);
    servers.push(server);
    const paths = await fill(server, contest.tacet, read);
    const middle = pathOfCopy(Math.floor((count - ownEndpoints) / 2));
    return loadOf(
      server,
      folder,
      paths.map((path) => ({ method: 'GET', path: middle + path })),
    );
  };
  return compare('stated endpoints', fewEndpoints, manyEndpoints, ready, extent);
}

/** Reading by id, of 1,000 to-dos and of many more. */
export function growthOfRows(contest: Contest, many: number, extent: Extent, place: Place): Promise<Growth> {
  const ready = async (count: number, servers: Server[]): Promise<Load> => {
    const folder = place(contest.tacet);
    const server = await start(contest.tacet, folder);
    servers.push(server);
    const paths = await fill(server, contest.tacet, count);
    const some = paths.filter((_, index) => index % (count / read) === 0);
    return loadOf(
      server,
      folder,
      some.map((path) => ({ method: 'GET', path })),
    );
  };
  return compare('stored rows', fewRows, many, ready, extent);
}

/** All of one length, so that nothing but their number differs. */
const pathOfCopy = (index: number): string => `/copy-${String(index).padStart(3, '0')}`;

/** The example with so many more endpoints that read a to-do, each at a path of its own. */
function withCopies(document: string, count: number): string {
  const copies = Array.from(
    { length: count },
    (_, index) =>
      `GET ${pathOfCopy(index)}/{id}:\n  operation: readCopy${index}\n  does: read Todo\n  response: { status: 200, body: Todo }\n\n`,
  );
  const first = 'GET /:\n';
  if (!document.includes(first)) throw new Error('the example has no list to put endpoints before');
  return document.replace(first, copies.join('') + first);
}

async function compare(
  of: string,
  few: number,
  many: number,
  ready: (count: number, servers: Server[]) => Promise<Load>,
  { rounds, sliceSeconds, warmUpSeconds }: Extent,
): Promise<Growth> {
  const servers: Server[] = [];
  try {
    const loads = [await ready(few, servers), await ready(many, servers)] as const;
    for (const load of loads) await load(warmUpSeconds);
    const cpu: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        cpu[which].push(microseconds(await loads[which](sliceSeconds)));
    return {
      of,
      few,
      many,
      cpuOfFew: spread(cpu[0]),
      cpuOfMany: spread(cpu[1]),
      ratio: ratio(cpu[1], cpu[0]),
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** CPU time of a request of a slice. */
export function microseconds({ cpuSeconds, requests }: Slice): number {
  return (cpuSeconds / requests) * 1e6;
}
