import { children, pathsRead, type Syntax } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { stated } from '../specification/reading/said.ts';
import { type Scenario, scenario } from './check.ts';
import { fieldSchema } from './schema.ts';
import { showsAsStated } from './shows.ts';
import type { Taking } from './taking.ts';
import { restsOf } from './trial.ts';

/** What is derived, on both sides of the numbers that its expression names (language §2, `derived`). */
export function turns(taking: Taking): Scenario[] {
  const { trial, operation, resource, body } = taking;
  const derived = showsAsStated(trial, operation, resource).filter(({ name }) => name === 'shown.derived');
  return [...resource.fields.values()].flatMap((field) => {
    const expressions = expressionsIn(stated(field.derived)?.template ?? { kind: 'literal', value: null });
    const read = expressions
      .flatMap(({ syntax }) => pathsRead(syntax))
      .flatMap(([first, name]) =>
        first === 'this' && name !== undefined ? (body.fields.get(name) ?? []) : [],
      );
    const values = expressions
      .flatMap(({ syntax }) => numbersIn(syntax))
      .flatMap((one) => [one - 1, one, one + 1]);
    const checks = derived.filter(({ cites }) => cites.address === field.derived.address);
    return [...new Set(read)].flatMap((one) => {
      const schema = fieldSchema(trial.of, one);
      const fitting = values.filter((value) => trial.tools.failures(schema, value).length === 0);
      const isCounted = ['integer', 'number'].includes(String(schema['type']));
      return (isCounted ? fitting : []).map((value) =>
        scenario(
          trial.of,
          restsOf(operation),
          async () => await taking.ask({ ...taking.usual(), [one.name]: value as Json }, one.name),
          checks.map((check) => ({ ...check, says: `${check.says}, where ${one.name} is ${value}` })),
        ),
      );
    });
  });
}

function numbersIn(syntax: Syntax): number[] {
  const own =
    syntax.op === 'value' && ['bigint', 'number'].includes(typeof syntax.args) ? [Number(syntax.args)] : [];
  return [...own, ...children(syntax).flatMap(numbersIn)];
}
