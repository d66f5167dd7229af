import { children, type Syntax } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { rest } from '../specification/address.ts';
import type { Field } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { closed, doesJustThat, succeeded } from './guards.ts';
import { isReadable, membersOf } from './item.ts';
import { comesBack } from './kept.ts';
import { isUnique, keysGiven } from './keys.ts';
import type { Lens } from './lens.ts';
import { readBack } from './perform.ts';
import { freedoms, hostile } from './probes.ts';
import { isShownBy } from './shown-in.ts';
import { succeeds } from './success.ts';
import { givenBack, type Taking, taken } from './taking.ts';
import { type Done, restsOf } from './trial.ts';
import { shownAs } from './unify.ts';
import { all, unseen } from './verdict.ts';

/** Values that no keyword rules out; a bound that is nowhere stated shows here (language §D.2). */
export function unbounded(taking: Taking): Scenario[] {
  const { trial, resource, body } = taking;
  return [...body.fields.values()].filter(isFree).flatMap((field) => {
    const list = rest(field.address);
    const cites = { address: list, at: trial.of.completeness.closed(field.address) ?? field.at };
    return [...freedoms(schemaOf(field.shape), trial.tools), ...turning(taking, field)].map((value) =>
      taken({ ...taking, resource }, { ...taking.usual(), [field.name]: value }, [field.name], cites),
    );
  });
}

interface Reread extends Done {
  readonly back: Json | undefined;
  readonly backLens: Lens | null;
}

/** Values that an expression about what is given names: where it may turn (language §2, `taken`). */
function turning({ trial }: Taking, field: Field): readonly Json[] {
  const template = stated(field.taken)?.template;
  const named = (syntax: Syntax): Json[] => [
    ...(syntax.op === 'value' && typeof syntax.args === 'string' ? [syntax.args] : []),
    ...children(syntax).flatMap(named),
  ];
  const values = template ? expressionsIn(template).flatMap(({ syntax }) => named(syntax)) : [];
  return values.filter((value) => trial.tools.failures(schemaOf(field.shape), value).length === 0);
}

/** Whether a field takes any value that its keywords admit. */
function isFree({ refers, holds }: Field): boolean {
  return refers.kind === 'open' && holds.kind === 'open';
}

/** Text is text: what means something to a database, a shell or a page is given back, at once and later. */
export function asGiven(taking: Taking): Scenario[] {
  const { trial, operation, body } = taking;
  const { of, tools } = trial;
  return hostile.flatMap((text) => {
    const fields = [...body.fields.values()].filter(
      (field) =>
        isReadable(field) &&
        isShownBy(of, operation, taking.resource, field) &&
        isFree(field) &&
        !isUnique(field) &&
        !keysGiven(operation, body).includes(field.name) &&
        tools.failures(schemaOf(field.shape), text).length === 0,
    );
    const [first] = fields;
    if (first === undefined || !tools.resolve(schemaOf(first.shape))['type']) return [];
    const members = { ...taking.usual(), ...Object.fromEntries(fields.map((field) => [field.name, text])) };
    if (tools.failures(body.schema, members).length > 0) return [];
    const says = `${operation.key} with the text ${shownAs(text)}`;
    const later: Check<Reread> = {
      name: 'given.back.later',
      says: `${says} keeps it`,
      cites: { address: first.address, at: first.at },
      guard: ({ exchange, back, backLens }) =>
        all(
          succeeded(exchange, operation),
          back === undefined || (backLens && backLens.fields.get(first.name) !== first)
            ? unseen('nothing shows the item later')
            : closed(of, first.address),
          doesJustThat(of, operation),
        ),
      claim: ({ back, names }) => comesBack(first, text, membersOf(back)?.[first.name], names, tools.resolve),
    };
    const observe = async (): Promise<Reread> => {
      const done = await taking.ask(members, undefined);
      const { item } = done;
      const back = item ? await ifReached(() => readBack(trial, item)) : undefined;
      return { ...done, back: back?.shown, backLens: back?.lens ?? null };
    };
    const checks = [
      succeeds(trial, operation, says, Object.keys(members), { address: first.address, at: first.at }),
      ...fields.map((field) => givenBack(taking, field, says, members)),
      later,
    ];
    return [scenario<Reread>(of, restsOf(operation), observe, checks)];
  });
}
