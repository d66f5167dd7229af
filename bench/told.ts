// What the search tells of a document, and what it does not: npm run bench:told -- DOCUMENT [--plan SECONDS] [--seed N] [--alone]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Explorer } from '../src/conformance/explore/explorer.ts';
import { Novelty } from '../src/conformance/explore/novelty.ts';
import { seeded } from '../src/conformance/random.ts';
import { plan } from '../src/conformance/search/plan.ts';
import { begunWorld } from '../src/conformance/search/simulate.ts';
import { Suspect } from '../src/conformance/search/suspect.ts';
import { walk } from '../src/conformance/search/telling.ts';
import { read } from '../src/specification/read.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Seconds. Default: as of `tacet test` */
    plan: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Each deviation that is left is looked for once more, with few others beside it. */
    alone: { type: 'boolean', default: false },
  },
});

/** How many deviations are looked for at once, and in how many walks of how many requests. */
const [group, walks, length] = [8, 2, 140];

const [file = ''] = positionals;
const { specification } = read(file, readFileSync(file, 'utf8'));
const seed = Number(values.seed);

/** How often each operation was answered with each status, and by which row. */
const answers = new Map<string, Map<string, number>>();
const { note } = Explorer.prototype;
Explorer.prototype.note = function (candidate, status, before, after): void {
  const of = answers.get(candidate.request.operation.name) ?? new Map<string, number>();
  const code = candidate.steps.at(-1)?.prediction.code;
  const said = typeof code === 'string' ? `${status} ${code}` : String(status);
  answers.set(candidate.request.operation.name, of.set(said, (of.get(said) ?? 0) + 1));
  note.call(this, candidate, status, before, after);
};

const cpu = process.cpuUsage();
const found = plan(specification, {
  seed,
  ...(values.plan !== undefined && { budgetMs: Number(values.plan) * 1000 }),
});
for (const [name, of] of answers)
  console.log(
    name,
    [...of]
      .toSorted()
      .map(([said, times]) => `${said}×${times}`)
      .join(', '),
  );

let left = found.untold.filter(({ rule }) => rule === null);
const all = found.told.size + found.untold.length;
const proved = found.untold.length - left.length;
const share = (100 * (all - left.length)) / all;
const reasons = [...Map.groupBy(left, ({ reason }) => reason)]
  .map(([reason, of]) => `${reason} ${of.length}`)
  .join(', ');
const spent = Math.round(process.cpuUsage(cpu).user / 1000);
console.log(
  `told ${found.told.size}, proved ${proved}, neither ${left.length} (${reasons}), of ${all}: ${share.toFixed(2)} %; ${spent} ms of CPU`,
);

if (values.alone) {
  const told = new Set<unknown>();
  const looked = left.filter(({ reason }) => reason !== 'beyond');
  for (let at = 0; at < looked.length; at += group) {
    const suspects = looked.slice(at, at + group).map(({ deviation }) => new Suspect(deviation));
    for (let times = 0; times < walks; times++) {
      const random = seeded(seed * 7919 + at * walks + times);
      const rest = suspects.filter((suspect) => !told.has(suspect.deviation));
      const result = walk(begunWorld(specification), rest, random, length, { novelty: new Novelty() });
      for (const suspect of result.told.keys()) told.add(suspect.deviation);
    }
    for (const suspect of suspects)
      if (told.has(suspect.deviation))
        console.log(`alone: ${suspect.deviation.said.address} ${suspect.deviation.says}`);
  }
  left = left.filter(({ deviation }) => !told.has(deviation));
  console.log(`alone: told ${told.size} more, not ${left.length}`);
}

for (const { deviation, reason } of left) {
  const { said, says, operation } = deviation;
  const where = operation
    ? ` in ${specification.operations.find(({ address }) => address === operation)?.name}`
    : '';
  console.log(`${reason}: ${said.address}${where}: ${says}`);
}
