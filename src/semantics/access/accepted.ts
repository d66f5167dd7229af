import { once } from '../../source/once.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';

/** A scheme whose credential a rule accepts, and the scopes that the credential has to grant. */
export interface Accepted {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/** The lists of schemes of which any will do, all of a list together (language §5.5, rule 18). Default: each scheme alone. */
export const acceptedBy = once(
  (operation: Operation, { authentication }: Specification): readonly (readonly Accepted[])[] => {
    const part = stated(authentication);
    const rule = part && stated(ruleOf(part, operation));
    const lists = rule && stated(rule.schemes);
    const all = [...((part && stated(part.schemes)?.keys()) ?? [])];
    if (lists === undefined) return all.map((scheme) => [{ scheme, scopes: [] }]);
    return lists.map((list) =>
      list.map(({ text, scopes }) => ({ scheme: text, scopes: scopes.map((scope) => scope.text) })),
    );
  },
);

/** The challenges that a 401 of an operation has, as far as they are stated (language §5.1, `challenge`). */
export function challengesOf(operation: Operation, specification: Specification): readonly string[] {
  const schemes = stated(stated(specification.authentication)?.schemes);
  const names = new Set(
    acceptedBy(operation, specification)
      .flat()
      .map(({ scheme }) => scheme),
  );
  return [...names].flatMap((name) => {
    const scheme = stated(schemes?.get(name));
    return (scheme && stated(scheme.challenge)) ?? [];
  });
}
