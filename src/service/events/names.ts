import type { LookupAddress, promises, RecordWithTtl } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Finds the addresses of a name; aborted, it ends at once and leaves nothing behind. Rejects where there are none.
 */
export type Resolve = (name: string, stop: AbortSignal) => Promise<readonly LookupAddress[]>;

/** How names are found. */
export interface NamesOptions {
  /** The file of names that the machine knows by itself. Default: the system's. */
  readonly hosts?: string;
  /** The file that names the servers, the search domains and their options (resolv.conf(5)). Default: the system's. */
  readonly configuration?: string;
  /** The servers, `ADDRESS` or `ADDRESS:PORT`. Default: those that the configuration names. */
  readonly servers?: readonly string[];
  /** How long a name may take to be found, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** Milliseconds, by which files are read again at most once a second. */
  readonly milliseconds?: () => number;
  /** Whether this machine has an address of IPv6 that others reach, so that others' are of use. Default: what it has. */
  readonly hasIpv6?: () => boolean;
}

/** How long addresses of the other family are waited for once there are some (RFC 8305 §3), in milliseconds. */
const delayMs = 50;

/** A name has no addresses. */
class NotFound extends Error {
  readonly code: string;

  constructor(name: string, code: string) {
    super(`${name} is not found: ${code}`);
    this.code = code;
  }
}

/** What says that a name is not there, whereas another, with a search domain, may be. */
const absent: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Finds names as getaddrinfo(3) does by `files dns`, without its thread: in the file of hosts, and by DNS with the search
 * domains of the machine. Each name that is being looked for has a channel of c-ares to itself, so that it can be called
 * off.
 */
export function systemNames(options: NamesOptions = {}): Resolve {
  const { timeoutMs = 5000, milliseconds = () => performance.now(), hasIpv6 = hasOutsideIpv6 } = options;
  const hosts = fileOf(options.hosts ?? hostsFile(), hostsOf, milliseconds);
  const configuration = fileOf(options.configuration ?? '/etc/resolv.conf', configurationOf, milliseconds);
  const records = recordsBy(channelsBy(options.servers, timeoutMs, milliseconds));
  return async (name, stop) => {
    stop.throwIfAborted();
    const plain = name.replace(/\.$/, '').toLowerCase();
    const known = hosts().get(plain) ?? (isLocalhost(plain) ? loopback : undefined);
    if (known) return known;
    return inTime(stop, timeoutMs, (late) => search(name, stop, late));
  };
  async function search(
    name: string,
    stop: AbortSignal,
    late: AbortSignal,
  ): Promise<readonly LookupAddress[]> {
    let problem = new NotFound(name, 'ENOTFOUND');
    for (const candidate of candidatesOf(name, configuration())) {
      try {
        return await records(candidate, hasIpv6() ? [4, 6] : [4], late);
      } catch (error) {
        stop.throwIfAborted();
        const { code = 'ECANCELLED' } = error as NodeJS.ErrnoException;
        problem = new NotFound(name, late.aborted ? 'no server answered in time' : code);
        if (late.aborted || !absent.has(code)) throw problem;
      }
    }
    throw problem;
  }
}

/** Runs something with a signal that is aborted once it is told to stop, or it is late. */
async function inTime<T>(
  stop: AbortSignal,
  timeoutMs: number,
  run: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  stop.addEventListener('abort', end);
  try {
    return await run(ending.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
}

type Resolver = promises.Resolver;

/** Channels of c-ares, each for one name at a time. */
interface Channels {
  readonly take: () => Resolver;
  readonly give: (channel: Resolver) => void;
}

/** How long a channel is used, in milliseconds: it knows the servers of the machine as they were when it was made. */
const channelMs = 10_000;

/** How often a server may be asked: a channel that has seen quick answers asks again early, after 250 ms and twice that. */
const mostTries = 6;

/**
 * Keeps channels for the next names. Only a garbage collection frees one that was dropped, and V8 does not know of its
 * 7 kB.
 */
function channelsBy(
  servers: readonly string[] | undefined,
  timeoutMs: number,
  milliseconds: () => number,
): Channels {
  const timeout = Math.max(1, Math.floor(timeoutMs / 3));
  const madeAt = new WeakMap<Resolver, number>();
  const free: Resolver[] = [];
  const make = (): Resolver => {
    const { Resolver } = process.getBuiltinModule('node:dns').promises;
    const channel = new Resolver({ timeout, tries: mostTries });
    if (servers) channel.setServers(servers);
    madeAt.set(channel, milliseconds());
    return channel;
  };
  const isFresh = (channel: Resolver): boolean =>
    Math.abs(milliseconds() - (madeAt.get(channel) as number)) < channelMs;
  return {
    take: () => {
      for (let channel = free.pop(); channel; channel = free.pop()) if (isFresh(channel)) return channel;
      return make();
    },
    give: (channel) => void free.push(channel),
  };
}

type Records = (
  name: string,
  families: readonly (4 | 6)[],
  stop: AbortSignal,
) => Promise<readonly LookupAddress[]>;

/** Asks servers of DNS for the addresses of a name as it is. */
function recordsBy(channels: Channels): Records {
  return async (name, families, stop) => {
    const channel = channels.take();
    const cancel = (): void => channel.cancel();
    stop.addEventListener('abort', cancel, { once: true });
    const ask = async (family: 4 | 6): Promise<readonly LookupAddress[]> => {
      const found: readonly RecordWithTtl[] =
        family === 4
          ? await channel.resolve4(name, { ttl: true })
          : await channel.resolve6(name, { ttl: true });
      return found.map(({ address }) => ({ address, family }));
    };
    try {
      return await firstOf(families.map(ask));
    } finally {
      stop.removeEventListener('abort', cancel);
      channel.cancel();
      channels.give(channel);
    }
  };
}

/** What the families come to: all of them, or, once one has addresses, what the other has within a moment. */
async function firstOf(
  asked: readonly Promise<readonly LookupAddress[]>[],
): Promise<readonly LookupAddress[]> {
  const found: (readonly LookupAddress[])[] = [];
  const all = Promise.allSettled(
    asked.map(async (one, index) => {
      found[index] = await one;
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  const enough = Promise.any(asked).then(
    () =>
      new Promise((resolve) => {
        timer = setTimeout(resolve, delayMs);
      }),
    () => undefined,
  );
  await Promise.race([all, enough]);
  clearTimeout(timer);
  const addresses = found.flat();
  if (addresses.length > 0) return addresses;
  const failures = (await Promise.allSettled(asked)).flatMap((one) =>
    one.status === 'rejected' ? [one.reason as NodeJS.ErrnoException] : [],
  );
  // Where one server failed it is not known that the name is not there.
  throw failures.find(({ code }) => !absent.has(code ?? '')) ?? failures[0] ?? new NotFound('it', 'ENODATA');
}

/** The names to ask for, in order (resolv.conf(5), `search` and `ndots`). */
function candidatesOf(name: string, { search, ndots }: Configuration): readonly string[] {
  if (name.endsWith('.')) return [name];
  const within = search.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...within] : [...within, name];
}

interface Configuration {
  readonly search: readonly string[];
  readonly ndots: number;
}

/** The last of `domain` and `search` counts; a domain is the one that is searched. */
function configurationOf(text: string): Configuration {
  let search: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [key, ...words] = line.trim().split(/\s+/);
    if (key === 'domain' || key === 'search')
      search = words.map((word) => word.replace(/\.$/, '')).filter((word) => word !== '');
    const dots = key === 'options' ? words.findLast((word) => /^ndots:\d+$/.test(word)) : undefined;
    if (dots !== undefined) ndots = Math.min(15, Number(dots.slice('ndots:'.length)));
  }
  return { search: search.slice(0, 6), ndots };
}

type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

/** hosts(5): an address, and the names that stand for it. */
function hostsOf(text: string): Hosts {
  const found = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#')[0] as string).trim().split(/\s+/);
    const family = isIP(address.split('%')[0] as string);
    if (family === 0) continue;
    for (const name of names.map((one) => one.replace(/\.$/, '').toLowerCase()))
      found.set(name, [...(found.get(name) ?? []), { address, family }]);
  }
  return found;
}

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Names that stand for this machine wherever they are asked (RFC 6761 §6.3). */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function hostsFile(): string {
  if (process.platform !== 'win32') return '/etc/hosts';
  return `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`;
}

function hasOutsideIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return addresses.some(
    ({ family, internal, address }) => family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address),
  );
}

/** How long what a file says is taken for known, in milliseconds. */
const freshMs = 1000;

/** What a small file of the system's says, read again once it has changed; one that is not there says nothing. */
function fileOf<T>(path: string, parse: (text: string) => T, milliseconds: () => number): () => T {
  let known = parse('');
  let looked = Number.NEGATIVE_INFINITY;
  let version = '';
  return () => {
    const now = milliseconds();
    if (Math.abs(now - looked) < freshMs) return known;
    looked = now;
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const next = `${mtimeMs} ${size} ${ino}`;
      if (next !== version) [known, version] = [parse(readFileSync(path, 'utf8')), next];
    } catch {
      [known, version] = [parse(''), ''];
    }
    return known;
  };
}
