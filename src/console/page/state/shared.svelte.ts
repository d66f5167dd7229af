import type { Overview } from '../../overview.ts';
import type { Recorded } from '../../requests.ts';
import { enter, query, Told } from '../server.ts';
import { stir } from './live.svelte.ts';
import { go } from './route.svelte.ts';

/** What all screens show. */
interface Shared {
  overview: Overview | null;
  requests: readonly Recorded[];
  /** Why nothing can be shown. */
  trouble: { readonly status: number; readonly message: string } | null;
  /** Counts how often a run of the tester went on. */
  tested: number;
  /** Whether the server is there. */
  isConnected: boolean;
  /** What was done last, for people who do not see it. */
  said: string;
}

export const shared: Shared = $state({
  overview: null,
  requests: [],
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
  const [overview, requests] = await Promise.all([query('overview'), query('requests')]);
  shared.overview = overview;
  shared.requests = requests;
  document.title = `${overview.name} · tacet`;
}

function follow(): void {
  const changes = new EventSource('/api/changes');
  let wasAway = false;
  changes.addEventListener('document', () => void refresh());
  let coming: Recorded[] = [];
  const flush = (): void => {
    if (coming.some(({ wrote = [] }) => wrote.length > 0)) stir();
    shared.requests = [...coming.toReversed(), ...shared.requests].slice(0, mostRequests);
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
