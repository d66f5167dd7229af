import { children, path, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';

/** Whether an operation changes every item of a resource, whoever made it. */
export function changesAll(operation: Operation): boolean {
  return changesOfEvery(operation).some((change) => !isOfOne(change));
}

/** Whether an operation changes many items at once: all, or those that belong to an item, or to whoever sends the request. */
export function changesMany(operation: Operation): boolean {
  return changesOfEvery(operation).length > 0;
}

function changesOfEvery({ does, endpoint }: Operation): readonly Change[] {
  const changes = [...[stated(does) ?? []].flat(), ...(stated(endpoint.also) ?? [])];
  return changes.filter(({ verb, subject }) => subject.kind === 'every' && verb !== 'list');
}

/** Whether `where` admits only what refers to an item of the request, or to whoever sends it. */
function isOfOne({ qualifiers: { where } }: Change): boolean {
  const template = where && stated(where)?.template;
  return template !== undefined && expressionsIn(template).some(({ syntax }) => refersToOne(syntax));
}

/** What a client could say of the items of others. */
const everybodys: ReadonlySet<string> = new Set(['this', 'now', 'request', 'service']);

function refersToOne(syntax: Syntax): boolean {
  if (syntax.op === '&&') return children(syntax).some(refersToOne);
  if (syntax.op !== '==') return false;
  const [left = [], right = []] = children(syntax).map((side) => path(side) ?? []);
  const isMember = (names: readonly string[]): boolean => names[0] === 'this' && names.length > 1;
  const isOne = ([root]: readonly string[]): boolean => root !== undefined && !everybodys.has(root);
  return (isMember(left) && isOne(right)) || (isMember(right) && isOne(left));
}
