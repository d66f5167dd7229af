import { checkEntry, checkOperation, entryNames, nameAt } from '../names.ts';
import type { Share } from '../parts/limits.ts';
import { type Reading, unknownName } from '../reading.ts';
import { type Said, stated } from '../said.ts';
import type { Specification } from '../specification.ts';
import type { Typing, Validate } from '../typing.ts';

/** What part 8 says of other parts (language §8). */
export const validate: Validate = (of, typing, reading) => {
  const limits = stated(of.limits);
  if (limits === undefined) return;
  const rates = stated(limits.rates);
  for (const said of rates?.values() ?? []) {
    const rate = stated(said);
    if (rate === undefined) continue;
    checkShare(of, rate, typing, reading);
    const headers = stated(rate.headers);
    if (headers?.kind !== 'fields') continue;
    for (const header of headers.fields.values())
      typing.text(header, { situation: 'rate', subject: null, bound: [] });
  }
  for (const [name, said] of stated(limits.concurrency) ?? []) {
    const rate = rates?.get(name);
    if (rate) reading.report('key-twice', nameAt(of, said), { key: name }, { related: [nameAt(of, rate)] });
    const share = stated(said);
    if (share) checkShare(of, share, typing, reading);
  }
  for (const [name, said] of stated(limits.sizes) ?? []) checkSize(of, name, said, reading);
  for (const [name, said] of stated(stated(limits.times)?.operations) ?? [])
    checkOperation(of, name, nameAt(of, said), reading);
};

/** Whose requests are counted, and which. */
function checkShare(of: Specification, share: Share, typing: Typing, reading: Reading): void {
  for (const { text, at } of stated(share.operations) ?? []) checkOperation(of, text, at, reading);
  const standing = { situation: 'request', subject: null, bound: [] } as const;
  if (share.when.kind === 'stated') typing.truth(share.when.value, standing);
  const per = stated(share.per);
  if (per?.kind !== 'expression') return;
  const type = typing.check(per.expression, standing);
  if (type && ['list', 'object', 'items'].includes(type.kind))
    reading.report('expression-type', share.per.at, {
      problem: 'requests are counted by one value, and this is several',
    });
}

function checkSize(of: Specification, name: string, said: Said<unknown>, reading: Reading): void {
  if (name === 'body' || name === 'page') return;
  const at = nameAt(of, said);
  if (/^[A-Z]/.test(name)) checkEntry(of, name, at, 'a resource', reading);
  else unknownName(name, at, 'a size', ['body', 'page', ...entryNames(of)], reading);
}
