// Measures the meaning of the language as the tester uses it: npm run bench:semantics [-- --requests N --rounds N] [DOCUMENT...]
// Walks are played on a service that is not there: it does what is stated. Nothing is sent. The figures are per second of
// CPU time, so that other work on the machine matters little: how many steps are taken, how many answers are judged, and how
// many requests walks make, of which each looks at several steps. Each figure is the best of some rounds of the same walks.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Candidate } from '../src/conformance/explore/candidate.ts';
import { exploring } from '../src/conformance/explore/explorer.ts';
import { seeded } from '../src/conformance/random.ts';
import { Pool } from '../src/conformance/requests/pool.ts';
import { begunWorld, url } from '../src/conformance/search/simulate.ts';
import type { Answer } from '../src/semantics/judge/answer.ts';
import { judge } from '../src/semantics/judge/judge.ts';
import { answerTo } from '../src/semantics/judge/permitted.ts';
import type { Request } from '../src/semantics/request/prediction.ts';
import { type Step, step } from '../src/semantics/request/request.ts';
import { Range } from '../src/semantics/value/value.ts';
import { clockOffMs, type Received } from '../src/semantics/world/received.ts';
import type { World } from '../src/semantics/world/world.ts';
import type { Specification } from '../src/specification/model/specification.ts';
import { read } from '../src/specification/read.ts';

const { values, positionals } = parseArgs({
  options: { requests: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '6' } },
  allowPositionals: true,
});
const [requests, rounds] = [Number(values.requests), Number(values.rounds)];
const trades = ['stock', 'booking', 'chat', 'ledger'].map((name) => `test/trades/${name}/${name}.md`);
const usual = [...trades, 'examples/parcel-desk.md'].map((path) =>
  fileURLToPath(new URL(`../${path}`, import.meta.url)),
);

/** How many requests a walk has at the most. */
const length = 40;

/** How many milliseconds pass from one request to the next. */
const pauseMs = 50;

/** A request of a walk, and what comes of it. */
interface Played {
  readonly world: World;
  readonly request: Request;
  readonly received: Received;
  readonly answer: Answer;
}

/** Walks of so many requests in all. The same seed makes the same walks. */
function walks(specification: Specification, seed: number, count: number): readonly Played[] {
  const explorer = exploring(new Pool(specification, seeded(seed)), url);
  const played: Played[] = [];
  let atMs = 1_700_000_000_000;
  for (let made = 0; made < count; ) {
    let world: World | null = begunWorld(specification);
    for (const last = made + length; made < last && world; made++) {
      atMs += pauseMs;
      const received = { at: new Range(atMs, atMs + 1), offMs: clockOffMs };
      const candidate: Candidate = explorer.next(world.at(received), received);
      const { request, steps } = candidate;
      const answer = answerTo((steps.at(-1) as Step).prediction);
      if (answer === null) break;
      played.push({ world, request, received, answer });
      const after: World | null = judge(steps, answer, true).world;
      if (after) explorer.note(candidate, answer.status, world, after);
      world = after;
    }
  }
  return played;
}

/** What some work gives, and how many seconds of CPU time it takes. */
function timed<T>(work: () => T): { readonly result: T; readonly seconds: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

/** Steps, judgements and requests in a second: the most of several rounds, since other work only takes away from them. */
function measured(specification: Specification): readonly number[] {
  const found = Array.from({ length: rounds }, () => {
    const all = timed(() => walks(specification, 1, requests));
    const played = all.result;
    const steps = timed(() => played.map(({ world, request, received }) => step(world, request, received)));
    const judgements = timed(() =>
      played.map(({ answer }, place) => judge(steps.result[place] as readonly Step[], answer, true)),
    );
    return [steps, judgements, all].map(({ seconds }) => Math.round(played.length / seconds));
  });
  return [0, 1, 2].map((column) => Math.max(...found.map((round) => round[column] as number)));
}

const says = (cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(' | ')} |\n`);

says(['document', 'steps/s', 'judgements/s', 'requests/s']);
says(['---', '---', '---', '---']);
for (const path of positionals.length > 0 ? positionals : usual) {
  const { specification } = read(path, readFileSync(path, 'utf8'));
  says([basename(path, '.md'), ...measured(specification)]);
}
