import type { Overview } from '../../overview.ts';
import type { Recorded } from '../../requests.ts';
import { enter, query, Told } from '../server.ts';
import { stir } from './live.svelte.ts';
import { go } from './route.svelte.ts';

/** What all screens show. */
interface Shared {
  readonly overview: Overview | null;
  readonly requests: readonly Recorded[];
  /** Why nothing can be shown. */
  trouble: { readonly status: number; readonly message: string } | null;
  /** Counts how often a run of the tester went on. */
  tested: number;
  /** Whether the server is there. */
  isConnected: boolean;
  /** What was done last, for people who do not see it. */
  said: string;
}

/** They are replaced, never changed: of a long document, to follow each member would take long. */
let overview = $state.raw<Overview | null>(null);
let requests = $state.raw<readonly Recorded[]>([]);

export const shared: Shared = $state({
  get overview() {
    return overview;
  },
  get requests() {
    return requests;
  },
  trouble: null,
  tested: 0,
  isConnected: true,
  said: '',
});

/** So many requests are listed. */
const mostRequests = 1000;

/** Requests that come within so many milliseconds are shown together: a tester sends hundreds in a second. */
const togetherMs = 100;

/** Enters with the token of the address if there is one, and follows the document and the requests from then on. */
export async function begin(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  try {
    if (token !== undefined) {
      go('#/map', true);
      // Somebody who comes back with an address that was used may be known already.
      await enter(token).catch((error: unknown) => error);
    }
    await refresh();
    follow();
  } catch (error) {
    shared.trouble = error instanceof Told ? error : { status: 0, message: String(error) };
  }
}

/** Reads what all screens show. */
export async function refresh(): Promise<void> {
  const found = await query('overview');
  overview = found;
  document.title = `${found.name} · tacet`;
  // The first screen does not wait for them.
  requests = await query('requests');
}

function follow(): void {
  const changes = new EventSource('/api/changes');
  let wasAway = false;
  changes.addEventListener('document', () => void refresh());
  let coming: Recorded[] = [];
  const flush = (): void => {
    if (coming.some(({ wrote = [] }) => wrote.length > 0)) stir();
    requests = [...coming.toReversed(), ...requests].slice(0, mostRequests);
    coming = [];
  };
  changes.addEventListener('request', (event) => {
    coming.push(JSON.parse(event.data as string) as Recorded);
    if (coming.length === 1) setTimeout(flush, togetherMs);
  });
  changes.addEventListener('test', () => {
    shared.tested += 1;
  });
  changes.onopen = () => {
    shared.isConnected = true;
    if (wasAway) void refresh();
  };
  changes.onerror = () => {
    wasAway = true;
    shared.isConnected = false;
  };
}

/** Says something to people who do not see it. */
export function say(text: string): void {
  shared.said = text;
}

/** What the clock of the service shows, in milliseconds since 1970. */
export function serviceNow(): number {
  return Date.now() + (shared.overview?.service?.aheadMs ?? 0);
}
