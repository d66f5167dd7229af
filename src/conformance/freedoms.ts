import { children, type Syntax } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { rest } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { closed, doesJustThat, succeeded } from './guards.ts';
import { inTurn, textsFor } from './hostile.ts';
import { type Members, membersOf } from './item.ts';
import { comesBack } from './kept.ts';
import { isUnique, keysGiven } from './keys.ts';
import type { Lens } from './lens.ts';
import { readBack } from './perform.ts';
import { freedoms } from './probes.ts';
import { isShownBy } from './shown-in.ts';
import { withLess } from './smaller.ts';
import { succeeds } from './success.ts';
import { describe, givenBack, staysAsGiven, type Taking, taken } from './taking.ts';
import { type Done, restsOf } from './trial.ts';
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
  const { trial, operation, resource, body } = taking;
  const fields = [...body.fields.values()].filter(
    (field) =>
      staysAsGiven(operation, field) &&
      isShownBy(trial.of, operation, resource, field) &&
      isFree(field) &&
      !isUnique(field) &&
      !keysGiven(operation, body).includes(field.name) &&
      trial.tools.resolve(schemaOf(field.shape))['type'],
  );
  const all = fields.map((field) => [field.name, textsFor(trial, resource, field)] as const);
  return inTurn(all).flatMap((texts) => {
    const members = { ...taking.usual(), ...texts };
    const fits = trial.tools.failures(body.schema, members).length === 0;
    return fits ? [givenTexts(taking, members, Object.keys(texts))] : [];
  });
}

/** Members of which some hold texts to try. */
function givenTexts(taking: Taking, members: Members, names: readonly string[]): Scenario {
  const { trial, operation, resource } = taking;
  const fields = names.flatMap((name) => resource.fields.get(name) ?? []);
  const [first] = fields as [Field];
  const says = `${operation.key} with ${names.map((name) => describe(members, [name], [])).join(', ')}`;
  const observe = async (): Promise<Reread> => {
    const done = await taking.ask(members, undefined);
    const { item } = done;
    const back = item ? await ifReached(() => readBack(trial, item)) : undefined;
    return { ...done, back: back?.shown, backLens: back?.lens ?? null };
  };
  const checks = [
    succeeds(trial, operation, says, Object.keys(members), { address: first.address, at: first.at }),
    ...fields.map((field) => givenBack(taking, field, says, members)),
    ...fields.map((field) => givenBackLater(taking, field, says, members)),
  ];
  return {
    ...scenario<Reread>(trial.of, restsOf(operation), observe, checks),
    smaller: function* ({ statement }) {
      const own = fields.filter(({ address }) => address === statement.address).map(({ name }) => name);
      for (const less of withLess(taking, members, own)) yield givenTexts(taking, less, own);
    },
  };
}

/** The same, as it is read afterwards. */
function givenBackLater(
  { trial: { of, tools }, operation }: Taking,
  field: Field,
  says: string,
  members: Members,
): Check<Reread> {
  return {
    name: 'given.back.later',
    says: `${says} keeps ${field.name}`,
    cites: { address: field.address, at: field.at },
    guard: ({ exchange, back, backLens }) =>
      all(
        succeeded(exchange, operation),
        back === undefined || (backLens && backLens.fields.get(field.name) !== field)
          ? unseen('nothing shows the item later')
          : closed(of, field.address),
        doesJustThat(of, operation),
      ),
    claim: ({ back, names }) =>
      comesBack(field, members[field.name] as Json, membersOf(back)?.[field.name], names, tools.resolve),
  };
}
