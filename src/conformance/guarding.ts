import { withArticle } from '../specification/reading/article.ts';
import { stated } from '../specification/reading/said.ts';
import { type GuardedVerb, guardedVerbs } from '../specification/vocabulary/guards.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { type Scenario, unreached } from './check.ts';
import { sides } from './sides.ts';
import { operationsFor, type Trial } from './trial.ts';

/** The verbs of the operations whose change a guard judges (language §2.1). */
const verbs: Readonly<Record<GuardedVerb, readonly string[]>> = {
  create: ['create'],
  update: ['update', 'replace'],
  delete: ['delete'],
};

/** Both sides of each guard of a resource, by each operation that makes such a change (language §2.1, `guards`). */
export function guarding(trial: Trial, resource: Resource): Scenario[] {
  const guards = stated(resource.guards);
  return guardedVerbs.flatMap((change) => {
    const said = guards?.[change];
    const guard = said && stated(said);
    if (said === undefined || guard === undefined) return [];
    const cites = { address: said.address, at: said.at };
    const operations = verbs[change].flatMap((verb) => operationsFor(trial.of, resource, verb));
    const says = `the guard of ${change}, of ${withArticle(resource.name)}`;
    if (operations.length === 0)
      return [
        unreached(
          trial.of,
          [{ name: 'refused', says, cites }],
          'no operation that can be exercised makes such a change',
        ),
      ];
    return operations.flatMap((operation) =>
      sides(trial, operation, {
        guard,
        cites,
        reason: { name: 'guard refused', subject: `${resource.name}.${change}`, failures: [] },
        label: `where the guard of ${change}`,
        of: change === 'delete' ? 'before' : 'after',
        isAbout: ({ foreseen }) => foreseen.judged.some(({ address }) => address === said.address),
      }),
    );
  });
}
