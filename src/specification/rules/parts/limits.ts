import { pathsRead } from '../../../expression/expression.ts';
import { number } from '../../../expression/type.ts';
import type { Specification } from '../../model/specification.ts';
import { type Reading, within } from '../../reading/reading.ts';
import { stated } from '../../reading/said.ts';
import type { PlacedTemplate } from '../../reading/templates.ts';
import type { Quota, Share } from '../../vocabulary/parts/limits.ts';
import type { Resource } from '../../vocabulary/parts/resources.ts';
import { checkEntry, checkOperation, nameAt } from '../names.ts';
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
  for (const said of stated(limits.quotas)?.values() ?? []) {
    const quota = stated(said);
    if (quota) checkQuota(of, quota, typing, reading);
  }
  for (const operations of [stated(limits.times)?.operations, stated(limits.sizes)?.operations])
    for (const [name, said] of stated(operations) ?? []) checkOperation(of, name, nameAt(of, said), reading);
};

/** Whose requests are counted, and which. */
function checkShare(of: Specification, share: Share, typing: Typing, reading: Reading): void {
  for (const { text, at } of stated(share.operations) ?? []) checkOperation(of, text, at, reading);
  const counted = stated(share.operations)?.map(({ text }) => text);
  const among = counted && of.operations.filter(({ name }) => counted.includes(name));
  const standing = { situation: 'request', subject: null, bound: [], among } as const;
  if (share.when.kind === 'stated') typing.truth(share.when.value, standing);
  const per = stated(share.per);
  if (per?.kind !== 'expression') return;
  const type = typing.check(per.expression, standing);
  if (type && ['list', 'object', 'items'].includes(type.kind))
    reading.report('expression-type', share.per.at, {
      problem: 'requests are counted by one value, and this is several',
    });
}

/** A quota counts stored items: what it reads of them is in their own rows (language §8.4). */
function checkQuota(
  of: Specification,
  { of: about, allow, per, sum, when }: Quota,
  typing: Typing,
  reading: Reading,
): void {
  const name = stated(about);
  if (name) checkEntry(of, name.text, name.at, 'a resource', reading);
  const subject = of.resourcesByName.get(name?.text ?? '') ?? null;
  const standing = { situation: 'quota', subject, bound: [] } as const;
  const most = stated(allow);
  if (typeof most === 'object') typing.check(most, standing, number);
  typing.template(per, standing);
  typing.template(sum, standing, number);
  if (when.kind === 'stated') typing.truth(when.value, standing);
  for (const said of [per, sum, when]) {
    if (said.kind !== 'stated') continue;
    typing.storable(said.value);
    checkOwn(said.value, subject, reading);
  }
}

/** Reports an expression that follows a reference or works out a derived field: another item could change what it counts. */
function checkOwn({ template, node }: PlacedTemplate, subject: Resource | null, reading: Reading): void {
  if (template.kind !== 'expression') return;
  const { expression, from } = template;
  const foreign = pathsRead(expression.syntax).find(([root, name = '', ...more]) => {
    const field = subject?.fields.get(name);
    return root !== 'this' || stated(field?.derived) || (more.length > 0 && stated(field?.refers));
  });
  if (foreign)
    reading.report(
      'not-storable',
      within(node, from, from + expression.text.length),
      { problem: `a quota counts items by their own fields, and ${foreign.join('.')} is none` },
      { hint: 'keep the value in a field that is set when the item is created' },
    );
}
