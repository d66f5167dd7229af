import { children, type Syntax } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import { type Scenario, Unreached } from '../check.ts';
import { ownConditions } from '../guards.ts';
import { membersOf } from '../item.ts';
import { withReferences } from '../keys.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { refusing } from '../refusing.ts';
import { isAboutOne, requestTo } from '../request.ts';
import { itemFor } from '../sample.ts';
import { bodyOf, type Schema } from '../schema.ts';
import { workOut } from '../solve.ts';
import type { Attempt, Trial } from '../trial.ts';

/** Requests of which an expression of one's own holds (language §H.4, 15): looked for among usual ones. */
export function ownRefusals(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  return ownConditions(of, operation).map(({ code, row, condition }) => {
    const attempt = (item: Item | undefined): Attempt => {
      for (let i = 0; i < 50; i++) {
        const model = bodyOf(of, operation);
        const made = model && trial.tools.valid(model.schema, i % 2 === 0 ? 'most' : 'least');
        const usual =
          model && made !== undefined && made !== null ? withReferences(trial, model, made) : undefined;
        const body =
          model && usual !== undefined ? turned(trial, condition.template, model.schema, usual, i) : usual;
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

/** A body in which one member is a value that the expression names: where it may turn. */
function turned(trial: Trial, template: Template, schema: Schema, body: Json, index: number): Json {
  const members = membersOf(body);
  const values = expressionsIn(template).flatMap(({ syntax }) => literalsIn(syntax));
  const names = Object.keys(members ?? {});
  if (members === undefined || values.length === 0 || names.length === 0) return body;
  const name = names[Math.floor(index / values.length) % names.length] as string;
  const other = { ...members, [name]: values[index % values.length] as Json };
  return trial.tools.failures(schema, other).length === 0 ? other : body;
}

function literalsIn(syntax: Syntax): Json[] {
  const own =
    syntax.op === 'value' ? [typeof syntax.args === 'bigint' ? Number(syntax.args) : syntax.args] : [];
  return [...(own as Json[]), ...children(syntax).flatMap(literalsIn)];
}
