// Measures how much of OpenAPI descriptions comes out of tacet again: npm run bench:round-trip -- [--losses N] DESCRIPTION...
//
// A description is imported, and what it states is exported as OpenAPI 3.1. The exporter sees the statements alone, and nothing
// of the description. Each leaf of the description (a text, number, boolean or null, or an empty map or list) is looked for in
// what came out:
//
// - same: the same value stands at its place.
// - spelling: other words say it: a reference to another name, or in its place what it leads to; a type `null` for `nullable`;
//   bounds for `format: int32`; the members of `allOf` in one object; one of `examples` for `example`; a number for an exclusive
//   bound; a member that says what holds without it; the parameters of a path at its operations; other white space, or no full stop at the end.
// - prose: the text of a title, summary or description stands in the `description` of the object, or of one around it; of any
//   other member, or of an object in which it stands, all is there, or in `$comment`, in lines `NAME: VALUE`.
// - lost: everything else.
//
// The place of a leaf is its path. References are followed on both sides. A schema with a name has as its counterpart the
// schema of that name, else what the first reference to it leads to; it is counted once. Parameters are found by name and
// place, elements of lists of plain values by their value, all others by their position. The version of OpenAPI is not counted.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { exportOpenApi } from '../src/interchange/openapi/export/export.ts';
import { outlined } from '../src/interchange/openapi/import.ts';
import { importedFrom } from '../src/load/descriptions.ts';
import { readOutlined } from '../src/specification/read.ts';
import { type Leaf, leavesOf } from './round-trip/compare.ts';
import type { Members, Way } from './round-trip/leaf.ts';

const { values, positionals } = parseArgs({
  options: { losses: { type: 'string', default: '10' } },
  allowPositionals: true,
});
const says = (text: string): void => void process.stdout.write(`${text}\n`);

if (positionals.length === 0) says('name some descriptions: npm run bench:round-trip -- openapi.yaml');
for (const file of positionals) {
  const { openapi: _, ...one } = parse(readFileSync(file, 'utf8'), { merge: true }) as Members;
  const imported = importedFrom([file]);
  const { specification } = readOutlined(file, outlined(imported), []);
  const { description } = exportOpenApi(specification, '3.1');
  const leaves = [...leavesOf(one, description).values()];
  says(
    `${basename(file)}: ${leaves.length} leaves, ${percent(leaves.length - of(leaves, 'lost').length, leaves)} carried`,
  );
  says(
    `  ${(['same', 'spelling', 'prose', 'lost'] as const)
      .map((way) => `${way} ${percent(of(leaves, way).length, leaves)}`)
      .join(', ')}`,
  );
  const lost = [...Map.groupBy(of(leaves, 'lost'), ({ group }) => group)];
  for (const [group, all] of lost
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, Number(values.losses)))
    says(`  ${percent(all.length, leaves).padStart(6)}  ${group} (${all.length})`);
}

function of(leaves: readonly Leaf[], way: Way): readonly Leaf[] {
  return leaves.filter((leaf) => leaf.way === way);
}

function percent(count: number, leaves: readonly Leaf[]): string {
  return `${((100 * count) / Math.max(1, leaves.length)).toFixed(1)} %`;
}
