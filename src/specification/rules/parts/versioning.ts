import type { Span } from '../../../source/text.ts';
import { type Reading, unknownName } from '../../reading/reading.ts';
import { type Said, stated } from '../../reading/said.ts';
import { isNewer, rank, type VersionScheme } from '../../reading/version.ts';
import type { Version } from '../../vocabulary/parts/versioning.ts';
import { nameAt } from '../names.ts';
import type { Validate } from '../typing.ts';

/** What part 9 says of itself (language §9.1, §9.2); what its differences say of other parts, `versions.ts` looks at. */
export const validate: Validate = (of, _typing, reading) => {
  const versioning = stated(of.versioning);
  if (versioning === undefined) return;
  const names = new Map<string, Span>();
  const versions = [...(stated(versioning.versions) ?? [])];
  for (const [name, said] of versions) names.set(name, nameAt(of, said));
  const scheme = stated(versioning.scheme);
  if (scheme) order(names, scheme, reading);
  for (const [, said] of versions) {
    const version = stated(said);
    if (version === undefined) continue;
    dates(version, reading);
    for (const alias of stated(version.alias) ?? []) {
      const twin = names.get(alias.text);
      if (twin) reading.report('key-twice', alias.at, { key: alias.text }, { related: [twin] });
      else names.set(alias.text, alias.at);
    }
  }
  const usual = stated(versioning.default);
  const isClosed = versions.length > 0 || of.completeness.closed('versioning.versions') !== undefined;
  if (usual) reading.use('version', usual.text, usual.at);
  if (usual && isClosed && !names.has(usual.text))
    unknownName(usual.text, usual.at, 'a version', [...names.keys()], reading);
};

/** Names that the scheme can order, the newest first. */
function order(names: ReadonlyMap<string, Span>, scheme: VersionScheme, reading: Reading): void {
  let before: { readonly name: string; readonly at: Span; readonly rank: readonly number[] } | undefined;
  for (const [name, at] of names) {
    const own = rank(name, scheme);
    if (own === undefined) {
      reading.report('bad-version', at, { name, scheme });
      continue;
    }
    if (before && !isNewer(before.rank, own))
      reading.report('version-order', at, { name, before: before.name }, { related: [before.at] });
    before = { name, at, rank: own };
  }
}

/** A version is deprecated first, then its sunset comes, then it is retired. */
function dates(version: Version, reading: Reading): void {
  let before: { readonly word: string; readonly text: string; readonly at: Span } | undefined;
  for (const word of ['deprecated', 'sunset', 'retired'] as const) {
    const said: Said<{ readonly text: string }> = version[word];
    if (said.kind !== 'stated') continue;
    const { text } = said.value;
    if (before && text < before.text)
      reading.report(
        'dates-order',
        said.at,
        { later: `${word} ${text}`, earlier: `${before.word} ${before.text}` },
        { related: [before.at] },
      );
    before = { word, text, at: said.at };
  }
}
