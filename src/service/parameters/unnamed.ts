import { stated } from '../../specification/reading/said.ts';
import type { Request } from '../../specification/vocabulary/request.ts';
import type { Query } from '../content/style.ts';
import type { Failing, Held } from '../message/refusal.ts';
import { ruleOf } from '../shape/schema.ts';

/**
 * What becomes of query parameters that nobody stated (language §4.2): they are looked at where any parameter, or a
 * rule for them, is stated.
 *
 * @param elsewhere parameters that other parts state: the credentials of schemes (language §5.1), the version (§9.1)
 */
export function compileUnnamed(
  request: Request | null,
  stated_: readonly ((name: string) => boolean)[],
  elsewhere: ReadonlySet<string>,
) {
  const others = request ? stated(request.others) : undefined;
  const said = others?.query ?? request?.others;
  const rule = said ? ruleOf(said) : null;
  const looksAt = stated_.length > 0 || others !== undefined;
  const unnamed = (given: Query): string[] =>
    looksAt
      ? [...given.keys()].filter((name) => !elsewhere.has(name) && !stated_.some((is) => is(name)))
      : [];
  return {
    held: (given: Query): Held | null =>
      said && rule === null && unnamed(given).length > 0 ? { held: [said.address] } : null,
    failures: (given: Query): Failing[] =>
      rule === 'refuse'
        ? unnamed(given).map((name) => ({
            field: name,
            keyword: 'others',
            value: given.get(name)?.[0]?.value ?? null,
            limit: null,
            subjects: [`query.${name}.others`, 'query.others'],
          }))
        : [],
  };
}
