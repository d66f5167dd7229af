import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Scenario, scenario, Unreached } from '../check.ts';
import { ofOwnShape } from '../constraints.ts';
import { succeeded } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { create, perform } from '../perform.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { type Done, operationFor, restsOf, type Trial } from '../trial.ts';
import { isFree, proofFor, proving } from './schemes.ts';

/** `authenticate`: whoever gives what matches is let in, and nobody else (language §H.2). */
export function logsIn(trial: Trial): Scenario[] {
  const { of } = trial;
  const operations = of.operations.filter(
    (one) => stated(one.does)?.verb === 'authenticate' && isFree(of, one) && one.subject !== null,
  );
  return operations.flatMap((operation) => ofOne(trial, operation));
}

function ofOne(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const name = operation.subject?.name ?? '';
  const reasons: readonly Reason[] = [{ name: 'wrong credentials', subject: name, failures: [] }];
  const cites = { address: operation.does.address, at: operation.does.at };
  const good = async (): Promise<Done> =>
    perform(trial, operation, { as: null, body: await proof(trial, operation) });
  const refused = (what: string, change: (proof: Members) => Members): Scenario =>
    refusing(trial, {
      says: `${operation.key} ${what}`,
      operation,
      cites,
      reasons,
      send: async () => {
        const body = change(await proof(trial, operation));
        return await perform(trial, operation, { as: null, body });
      },
    });
  const by = [...(stated(stated(operation.does)?.qualifiers.by)?.keys() ?? [])];
  const isSecret = (field: string): boolean =>
    stated(operation.subject?.fields.get(field)?.secret) !== undefined;
  return [
    scenario(of, restsOf(operation), good, [
      succeeds(trial, operation, `${operation.key} with what matches`, [], cites),
      ...looksAsStated(trial, operation),
    ]),
    ...ofOwnShape(trial, operation),
    ...by
      .filter(isSecret)
      .map((field) =>
        refused(`with more after the ${field}`, (given) =>
          otherwise(operation, field, given, (value) => `${value}${trial.random.letters(3)}`),
        ),
      ),
    ...by.map((field) =>
      refused(`with ${isSecret(field) ? 'a wrong' : 'an unknown'} ${field}`, (given) =>
        otherwise(operation, field, given, (value) => `${trial.random.letters(6)}${value}`),
      ),
    ),
  ];
}

/** What a new item is let in by. Throws `Unreached` where it cannot be told. */
async function proof(trial: Trial, operation: Operation): Promise<Members> {
  const { subject } = operation;
  const maker = subject && operationFor(trial.of, subject, 'create');
  if (!subject || !maker) throw new Unreached('no operation makes anybody who could log in');
  const done = await create(trial, maker, bodyFor(trial, maker, 'most'), { as: null });
  const found =
    succeeded(done.exchange, maker).value === true ? proofFor(operation, membersOf(done.given) ?? {}) : null;
  if (found === null) throw new Unreached('it cannot be told by what one logs in');
  return found;
}

/** The same with another value where this field is given. */
function otherwise(
  operation: Operation,
  field: string,
  given: Members,
  change: (value: string) => string,
): Members {
  const member = proving(operation)?.get(field);
  const value = member === undefined ? undefined : given[member];
  if (member === undefined || typeof value !== 'string')
    throw new Unreached(`no other ${field} can be given`);
  return { ...given, [member]: change(value) };
}
