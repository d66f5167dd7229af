import { afterAll, describe, expect, it } from 'vitest';
import type { Answer, Sent } from './accountant.ts';
import { objections, type Seen } from './accounting/account.ts';
import { generated, openExample, partOf } from './accounting/documents.ts';
import { lookInto } from './accounting/kept.ts';
import { plants } from './accounting/plants.ts';
import { type Random, random } from './accounting/random.ts';
import { requestFor } from './accounting/requests.ts';
import { isOpen, standsAt, stated } from './accounting/said.ts';
import type { Document, Members } from './document.ts';
import { bench, isReadable, reader } from './running.ts';

const seed = Number(process.env['TACET_SEED'] ?? 20261121);
const documents = process.env['TACET_LONG'] === undefined ? 12 : 300;
const requests = 40;

const { serving, file, end } = bench();
afterAll(end);

/** What is kept as it is now, and when that is. */
interface Copy {
  readonly copyTo: (file: string) => void;
  readonly time: number;
}

/** Serves a document, sends requests, and gives each with what was kept before and after it. */
async function seenOf(
  full: Document,
  document: Document,
  by: Random,
  see: (seen: Seen, dumps: readonly [before: string, after: string], copy: Copy) => Promise<void>,
): Promise<void> {
  const data = file();
  const whole = stated(full) as Members;
  let time = Date.parse('2026-11-21T12:00:00Z');
  await serving(
    document,
    async ({ call, held, kept, url }) => {
      const remembered: { sent: Sent; answer: Answer }[] = [];
      for (let count = 0; count < requests; count++) {
        const before = lookInto(data, whole);
        const sent = requestFor(whole, before, remembered, by);
        const dump = kept.dump();
        const answer = await call(sent);
        const after = lookInto(data, whole);
        const seen: Seen = {
          document,
          url,
          sent,
          answer,
          before,
          after,
          held: held(),
          remembered: [...remembered],
        };
        await see(seen, [dump, kept.dump()], { copyTo: kept.copyTo, time });
        remembered.push({ sent, answer });
        time += by.pick([10, 10, 1000, 4000]);
      }
    },
    {
      data,
      milliseconds: () => time,
    },
  );
}

/** Whether the points that a 501 names are enough, and each is needed; why not, where they are not. */
async function heldRightly(full: Document, seen: Seen, { copyTo, time }: Copy): Promise<string> {
  const again = async (points: readonly string[]) => {
    const assumptions = points.map((at) => ({ at, value: standsAt(full, at) ?? null }));
    if (!isReadable(reader(seen.document, assumptions))) return null;
    const data = file();
    copyTo(data);
    return serving(
      seen.document,
      async ({ call, held }) => ({ status: (await call(seen.sent)).status, held: held() }),
      { data, assumptions, milliseconds: () => time },
    );
  };
  const assumed: string[] = [];
  for (let named = seen.held; named.length > 0; ) {
    if (named.some((point) => isOpen(standsAt(full, point)))) return 'not told';
    const twice = named.find((point) => assumed.includes(point));
    if (twice !== undefined) return `${twice} was assumed, and is named again`;
    assumed.push(...named);
    const answer = await again(assumed);
    if (answer === null) return 'not told';
    named = answer.status === 501 ? answer.held : [];
  }
  for (const point of assumed.length > 1 ? assumed : []) {
    const less = await again(assumed.filter((one) => one !== point));
    if (less && less.status !== 501) return `${point} is named and not needed: without it ${less.status}`;
  }
  return 'held rightly';
}

describe.each<[string, (by: Random) => Document]>([
  ['parcel-desk', () => openExample('parcel-desk')],
  ['broker', () => openExample('broker')],
  ['documents made by chance', generated],
])('nothing invented: %s', (_name, make) => {
  it(`accounts for every answer (${documents} documents, seed ${seed})`, {
    timeout: documents * 5000,
  }, async () => {
    const seenHow = new Map<string, number>();
    const note = (what: string): void => void seenHow.set(what, (seenHow.get(what) ?? 0) + 1);
    const seen = (what: string): number => seenHow.get(what) ?? 0;
    for (let run = seed; run < seed + documents; run++) {
      const by = random(run);
      const full = make(by);
      const document = partOf(full, by);
      if (!isReadable(reader(document))) {
        note('unreadable');
        continue;
      }
      note('served');
      const judged = new Set<string>();
      await seenOf(full, document, by, async (exchange, [before, after], copy) => {
        const { sent, answer, held } = exchange;
        const found = objections(exchange);
        note(String(answer.status));
        if (answer.status === 501) {
          if (before !== after) found.push('501 changed what is kept');
          const kind = held.join(' ');
          const judgement = judged.has(kind) ? 'judged before' : await heldRightly(full, exchange, copy);
          judged.add(kind);
          note(judgement);
          if (!['judged before', 'not told', 'held rightly'].includes(judgement)) found.push(judgement);
        }
        for (const [name, plant] of Object.entries(plants)) {
          const altered = found.length === 0 ? plant(exchange) : undefined;
          if (altered && objections(altered).length === 0) found.push(`nothing objects to ${name}`);
          if (altered) note(name);
        }
        const told = [`TACET_SEED=${run}`, ...found, JSON.stringify({ sent, answer, held })];
        if (found.length > 0) throw new Error([...told, JSON.stringify(document)].join('\n'));
      });
    }
    if (seen('served') > 4)
      expect(
        ['200', '404', '501', 'held rightly', 'a field more', 'a member more'].filter(
          (what) => seen(what) === 0,
        ),
      ).toEqual([]);
    expect(seen('unreadable')).toBeLessThan(documents * 0.75);
  });
});
