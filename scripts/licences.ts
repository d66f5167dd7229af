import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Adds to what is built the licences of the packages that became part of it: a plugin's `generateBundle`. */
export const licences: NonNullable<Plugin['generateBundle']> = function (_options, bundle) {
  const packages = new Set(
    Object.values(bundle).flatMap((one) =>
      (one.type === 'chunk' ? one.moduleIds : []).flatMap(
        (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
      ),
    ),
  );
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} ${version} carries no licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  this.emitFile({ type: 'asset', fileName: 'LICENCES', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
};
