// Shows how far walks come: npm run bench:reach [-- --only NAME] [--requests N] [--seed N] [DOCUMENT...]
// tacet's own service of each document is started, and walks alone are played on it, as `tacet test` does. It tells how many
// operations were answered with a success, and why the others never were; how many answers were judged whole; and which walks
// ended early, because it was not known any more what the service holds.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Given, readDocument } from '../src/cli/command.ts';
import { listeningOf, trusting } from '../src/cli/test/listening.ts';
import { startOwn } from '../src/cli/test/own-service.ts';
import { listening } from '../src/conformance/events/listening.ts';
import { client } from '../src/conformance/http.ts';
import { changesAll } from '../src/conformance/play/every.ts';
import type { Judged } from '../src/conformance/play/judged-answer.ts';
import { walks } from '../src/conformance/play/play.ts';
import { sent, type Target } from '../src/conformance/play/target.ts';
import { seeded } from '../src/conformance/random.ts';
import type { Result } from '../src/conformance/result.ts';
import { Unknown } from '../src/semantics/value/value.ts';
import type { Operation } from '../src/specification/model/operation.ts';
import type { Specification } from '../src/specification/model/specification.ts';
import { holds } from '../src/specification/openness/holds.ts';

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    requests: { type: 'string', default: '640' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const folder = fileURLToPath(new URL('../examples/', import.meta.url));
const given = fileURLToPath(new URL('./reach/', import.meta.url));
const all = readdirSync(folder).filter((name) => name.endsWith('.md'));
const examples = all.filter((name) => values.only === undefined || name === `${values.only}.md`);

/** What `tacet serve` has to be told besides of some examples. Nothing listens to the broker. */
const options: Readonly<Record<string, Given['values']>> = {
  payments: { assume: `${given}payments.json`, handlers: `${given}handlers.ts` },
  translations: { handlers: `${given}handlers.ts` },
  'weather-alerts': { deliver: ['sirens=nats://127.0.0.1:9'] },
};

/** What comes of walks on the service that a document states. */
async function reached(path: string): Promise<readonly string[]> {
  const name = basename(path, '.md');
  const given: Given = { values: options[name] ?? {}, positionals: [path] };
  const { specification } = readDocument(given);
  const error = (text: string): void => void process.stderr.write(text);
  const heardBy = listeningOf(given, specification, { environment: process.env, error });
  const terminal = {
    out: () => undefined,
    error,
    environment: trusting(given, { environment: process.env }),
    colours: false,
    ended: new AbortController().signal,
  };
  const own = await startOwn(given, specification, terminal);
  const http = client();
  const now = (): number => Date.now() + own.ahead();
  const heard = listening(heardBy, now);
  const target: Target = {
    specification: { ...specification, credentials: new Set(Object.keys(own.credentials)) },
    url: own.url,
    send: (message) => sent(http, own.url, message),
    now,
    credentials: own.credentials,
    wait: own.wait,
    patienceMs: own.patienceMs,
    isClockSet: true,
    listening: heard,
    graceMs: own.graceMs,
  };
  const judged: Judged[] = [];
  const walking = { requests: Number(values.requests), random: seeded(Number(values.seed)) };
  const violations: Result[] = [];
  try {
    for await (const play of walks(target, { ...walking, onJudged: (each) => void judged.push(each) }))
      violations.push(...(await play()).filter(({ verdict }) => verdict === 'violates'));
  } finally {
    await heard.close();
    http.close();
    await own.close();
  }
  return told(name, target.specification, judged, violations);
}

/** A line of the table, and what it leaves out. */
function told(
  name: string,
  specification: Specification,
  judged: readonly Judged[],
  violations: readonly Result[],
): readonly string[] {
  const byOperation = Map.groupBy(judged, ({ operation }) => operation.name);
  const never = specification.operations.filter(
    ({ name }) => !(byOperation.get(name) ?? []).some((each) => statusOf(each) < 400),
  );
  const known = judged.filter(({ settled }) => settled !== null);
  const whole = known.filter(({ settled }) => settled?.undetermined === 0);
  const ended = judged.filter(({ world, others }) => world === null || others === 'seen');
  const stated = specification.operations.length;
  return [
    `${name}: ${stated} operations, ${stated - never.length} with a success, ${never.length} never;` +
      ` ${judged.length} requests, ${whole.length} judged whole; ${ended.length} walks ended early;` +
      ` ${violations.length} violations`,
    ...violations.map(
      ({ says, statement, place, expected, found, curl }) =>
        `  violates  ${statement.address}: ${says}; ${place}: ${expected}, not ${found}; ${curl}`,
    ),
    ...never.map(
      (operation) =>
        `  never  ${operation.name}: ${whyNever(operation, byOperation.get(operation.name) ?? [], specification)}`,
    ),
    ...tally(ended.map((each) => `${each.operation.name}: ${whyEnded(each)}`)).map(
      (line) => `  ended  ${line}`,
    ),
  ];
}

function whyNever(operation: Operation, judged: readonly Judged[], specification: Specification): string {
  const [hold] = holds(specification, operation);
  if (hold) return `open: ${hold.address}`;
  if (changesAll(operation)) return 'left out: it changes the items of everybody';
  if (judged.length === 0) return 'never sent';
  return tally(judged.map((each) => `${statusOf(each)} ${conditionOf(each)}`.trim()))
    .slice(0, 4)
    .join(', ');
}

/** The condition by which it was refused, as far as it is known. */
function conditionOf(judged: Judged): string {
  const status = statusOf(judged);
  const fitting = judged.predictions.filter(
    (each) => !(each.status instanceof Unknown) && each.status.includes(status),
  );
  return [
    ...new Set(fitting.map(({ condition, subject, code }) => [condition, subject ?? code].join(' '))),
  ].join(' or ');
}

function whyEnded(judged: Judged): string {
  const { settled, others, predictions } = judged;
  const status = statusOf(judged);
  if (settled === null) return status === 501 ? '501, because a point is open' : `no answer that can be read`;
  if (others === 'seen') return 'shows items of others';
  const [difference] = settled.differences;
  if (difference) return `${status}, ${difference.at} differs: ${difference.by}`;
  const unsure = predictions.find((each) => each.status instanceof Unknown);
  const because = unsure?.status instanceof Unknown ? [...unsure.status.because].join(', ') : '';
  if (unsure) return `${status}, nothing is known of the answer ${because}`.trim();
  return `${status}, not known what it did, one of ${predictions.length}`;
}

function statusOf({ exchange }: Judged): number {
  return exchange.response?.status ?? 999;
}

/** Each text once, with how often it is there, the most usual first. */
function tally(texts: readonly string[]): readonly string[] {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => ({
    text,
    count: same.length,
  }));
  return counts.toSorted((a, b) => b.count - a.count).map(({ text, count }) => `${count} × ${text}`);
}

for (const path of positionals.length > 0 ? positionals : examples.map((name) => `${folder}${name}`)) {
  const lines = await reached(path);
  process.stdout.write(`${lines.join('\n')}\n`);
}
