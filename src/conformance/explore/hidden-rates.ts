import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';

/**
 * The rates that others may use without being seen: some request that they count makes nothing that a list shows. Then it is
 * not known that nobody else uses them.
 */
export const hiddenRates = once((specification: Specification): readonly string[] => {
  const { limits, operations } = specification;
  const listed = new Set(
    operations.filter((each) => verbOf(each) === 'list').map(({ subject }) => subject?.name),
  );
  const isSeen = (operation: Operation): boolean =>
    verbOf(operation) === 'create' && listed.has(operation.subject?.name);
  return [...(stated(stated(limits)?.rates) ?? [])].flatMap(([name, said]) => {
    const rate = stated(said);
    const own = rate && stated(rate.operations);
    const counted = operations.filter((each) => own?.some(({ text }) => text === each.name) ?? true);
    return counted.every(isSeen) ? [] : [name];
  });
});

function verbOf({ does }: Operation): string | undefined {
  return stated(does)?.verb;
}
