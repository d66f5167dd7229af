import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from './client.ts';
import { type Contest, type Contestant, names, type Place } from './contestants.ts';
import { creates, empty, loadOf, type Slice } from './load.ts';
import { type Server, start } from './server.ts';
import type { Extent, Measured } from './works.ts';

const document = fileURLToPath(new URL('contestants/notes.md', import.meta.url));

/** What `bench/contestants/notes.md` states: all of it, or without who may ask, what is told and how often. */
function stated(isWhole: boolean): string {
  const whole = readFileSync(document, 'utf8');
  if (isWhole) return whole;
  const none = (text: string, part: string): string =>
    text.replace(new RegExp(`(## ${part}\\n).*?\`\`\`yaml\\n.*?\`\`\``, 's'), '$1\n```yaml\n(none)\n```');
  const without = ['Authentication', 'Events', 'Limits'].reduce(none, whole);
  // Nothing brings these about any more.
  return without
    .replace(/^GET \/events:\n(?: .*\n)*/m, '')
    .replace(/^ {2}(?:stranger|forbidden|too_many):.*\n/gm, '');
}

/** How many times as long as others these are warmed up: Node compiles what runs often as it goes, and here that is more. */
const warmUps = 3;

/**
 * The same creates with a credential, a rule, a rate and an event in the transaction, and without any of them, in
 * alternate slices.
 */
export async function costOfParts(
  contest: Contest,
  { rounds, sliceSeconds, warmUpSeconds }: Extent,
  place: Place,
): Promise<Measured> {
  const servers: Server[] = [];
  const ready = async (isWhole: boolean): Promise<(seconds: number) => Promise<Slice>> => {
    const folder = place(contest.tacet);
    const file = join(folder, 'notes.md');
    writeFileSync(file, stated(isWhole));
    const contestant: Contestant = { ...contest.serving(file), list: '/notes' };
    const server = await start(contestant, folder);
    servers.push(server);
    const entered = await ask(server.url, {
      method: 'POST',
      path: '/accounts',
      content: JSON.stringify({ role: 'writer' }),
    });
    const { key } = entered.body as { readonly key: string };
    const put = loadOf(server, folder, creates(contestant, 1000), { 'X-Key': key });
    const [program = '', , , , , ...data] = contestant.args(server.port, folder);
    const forget = [program, 'events', file, ...data, '--remove', '--until', '9999-12-31T00:00:00Z'];
    const load = async (seconds: number): Promise<Slice> => {
      await empty(server, contestant);
      // What is told of them goes as well, so that the next slice begins as the first did.
      if (isWhole) execFileSync(process.execPath, forget);
      return put(seconds);
    };
    await load(warmUps * warmUpSeconds);
    return load;
  };
  try {
    const [ours, theirs] = [await ready(true), await ready(false)];
    const slices: { ours: Slice; theirs: Slice }[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = round % 2 === 0 ? await theirs(sliceSeconds) : null;
      const our = await ours(sliceSeconds);
      slices.push({ ours: our, theirs: before ?? (await theirs(sliceSeconds)) });
    }
    const title = 'durable create by whoever has a key and may, counted by a rate, with an event';
    return { work: { name: 'parts', title }, pairs: [{ other: names.withoutParts, slices }], faults: [] };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
