import type { Operation } from '../../specification/operation.ts';
import { type Scenario, Unreached } from '../check.ts';
import { ownConditions } from '../guards.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { refusing } from '../refusing.ts';
import { isAboutOne, requestTo } from '../request.ts';
import { itemFor } from '../sample.ts';
import { bodyOf } from '../schema.ts';
import { workOut } from '../solve.ts';
import type { Attempt, Trial } from '../trial.ts';

/** Requests of which an expression of one's own holds (language §H.4, 15): looked for among usual ones. */
export function ownRefusals(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  return ownConditions(of, operation).map(({ code, row, condition }) => {
    const attempt = (item: Item | undefined): Attempt => {
      for (let i = 0; i < 50; i++) {
        const schema = bodyOf(of, operation)?.schema;
        const body = schema && trial.tools.valid(schema, i % 2 === 0 ? 'most' : 'least');
        const tried: Attempt = { ...(item && { item }), ...(body !== undefined && { body }) };
        const asking = {
          operation,
          request: requestTo(trial, operation, tried),
          given: body,
          ...(item && { item }),
        };
        if (workOut(condition.template, namesFor(of, trial.url, asking)) === true) return tried;
      }
      throw new Unreached(`no request was found of which ${code} holds`);
    };
    return refusing(trial, {
      says: `${operation.key}, where ${code} holds,`,
      operation,
      cites: { address: row.when.address, at: row.when.at },
      reasons: [{ name: 'expression', subject: '', failures: [], code }],
      ...(isAboutOne(operation) ? { item: async () => (await itemFor(trial, operation)) as Item } : {}),
      send: (item) => perform(trial, operation, attempt(item)),
    });
  });
}
