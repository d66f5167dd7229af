import type { Asked } from './client.ts';
import { type Contestant, names, type Place } from './contestants.ts';
import { creates, empty, fill, loadOf, type Slice } from './load.ts';
import { type Server, start } from './server.ts';

/** A work that is put on every contestant. */
export interface Work {
  readonly name: 'create' | 'read' | 'list';
  readonly title: string;
  /** How many to-dos are there at the beginning of every slice. */
  readonly stored: number;
  /** Whether it can be put on one that gives examples: not where that would be another work. */
  readonly ofExamples: boolean;
  /** Whether it writes: where it does not, there is nothing to commit together, and one Fastify stands for both. */
  readonly writes: boolean;
  readonly requests: (contestant: Contestant, paths: readonly string[]) => readonly Asked[];
}

const get = (path: string): Asked => ({ method: 'GET', path });

export const works: readonly Work[] = [
  {
    name: 'create',
    title: 'durable create (POST)',
    stored: 0,
    ofExamples: true,
    writes: true,
    requests: (contestant) => creates(contestant, 1000),
  },
  {
    name: 'read',
    title: 'read by id, of 1,000 stored',
    stored: 1000,
    ofExamples: true,
    writes: false,
    requests: (_contestant, paths) => paths.map(get),
  },
  {
    name: 'list',
    title: 'list of 20',
    stored: 20,
    ofExamples: false,
    writes: false,
    requests: ({ list }) => [get(list)],
  },
];

/** What was read of a work: tacet's slice and another's, next to each other in time, again and again. */
interface Pairs {
  readonly other: string;
  readonly slices: { readonly ours: Slice; readonly theirs: Slice }[];
}

export interface Measured {
  readonly work: Pick<Work, 'title'> & { readonly name: Work['name'] | 'parts' };
  readonly pairs: readonly Pairs[];
  /** Who was left out, and why. */
  readonly faults: readonly { readonly name: string; readonly fault: string }[];
}

/** How long all of it takes. */
export interface Extent {
  readonly rounds: number;
  readonly sliceSeconds: number;
  readonly warmUpSeconds: number;
}

type Load = (seconds: number) => Promise<Slice>;

interface Ready {
  readonly name: string;
  readonly load: Load;
  readonly server: Server;
}

/** Puts one work on tacet and the others in alternate slices. Rejects where tacet itself fails. */
export async function measure(
  work: Work,
  tacet: Contestant,
  others: readonly Contestant[],
  extent: Extent,
  place: Place,
): Promise<Measured> {
  const faults: { name: string; fault: string }[] = [];
  const servers: Server[] = [];
  const ready = async (contestant: Contestant): Promise<Ready> => {
    const folder = place(contestant);
    const server = await start(contestant, folder);
    servers.push(server);
    const paths = await fill(server, contestant, work.stored);
    const put = loadOf(server, folder, work.requests(contestant, paths));
    const load: Load = async (seconds) => {
      if (work.stored === 0) await empty(server, contestant);
      return put(seconds);
    };
    await load(extent.warmUpSeconds);
    return { name: contestant.name, load, server };
  };
  try {
    const ours = await ready(tacet);
    const theirs: Ready[] = [];
    for (const contestant of others) {
      if (contestant.serves === 'examples' && !work.ofExamples) continue;
      if (contestant.name === names.transactions && !work.writes) continue;
      try {
        theirs.push(await ready(contestant));
      } catch (error) {
        faults.push({ name: contestant.name, fault: (error as Error).message });
      }
    }
    const pairs = await alternate(ours, theirs, extent, faults);
    return { work, pairs, faults };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * Two others share a slice of tacet's between them, so that both are next to it in time, and change places in
 * every round. One that fails once is left out altogether.
 */
async function alternate(
  ours: Ready,
  theirs: readonly Ready[],
  { rounds, sliceSeconds }: Extent,
  faults: { name: string; fault: string }[],
): Promise<Pairs[]> {
  const pairs = theirs.map(({ name }): Pairs => ({ other: name, slices: [] }));
  const failed = new Set<number>();
  const slice = async (index: number | undefined): Promise<Slice | null> => {
    const other = index === undefined ? undefined : theirs[index];
    if (index === undefined || other === undefined || failed.has(index)) return null;
    try {
      return await other.load(sliceSeconds);
    } catch (error) {
      failed.add(index);
      faults.push({ name: other.name, fault: (error as Error).message });
      return null;
    }
  };
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < theirs.length; index += 2) {
      const couple = round % 2 === 0 ? [index, index + 1] : [index + 1, index];
      const before = await slice(couple[0]);
      const our = await ours.load(sliceSeconds);
      const after = await slice(couple[1]);
      for (const [place, their] of [before, after].entries())
        if (their !== null) pairs[couple[place] as number]?.slices.push({ ours: our, theirs: their });
    }
  }
  return pairs.filter((_, index) => !failed.has(index));
}
