import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds to what is built the licences of the packages that became part of it: a plugin's `generateBundle`. */
export function licences(_options, bundle) {
  const packages = new Set(
    Object.values(bundle).flatMap(({ moduleIds = [] }) =>
      moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
    ),
  );
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} ${version} carries no licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  this.emitFile({ type: 'asset', fileName: 'LICENCES', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
}
