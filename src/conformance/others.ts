import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field } from '../specification/vocabulary/parts/resources.ts';
import { type Check, type Scenario, type Statement, scenario } from './check.ts';
import { reasonOf } from './constraints.ts';
import { succeeded } from './guards.ts';
import { type Members, membersOf } from './item.ts';
import { isFew } from './keys.ts';
import { hole, isKnown } from './partly.ts';
import { refusing } from './refusing.ts';
import { type Failure, fieldSchema } from './schema.ts';
import { workOut } from './solve.ts';
import { isStateField } from './states/machines.ts';
import { before, succeeds } from './success.ts';
import type { Taking } from './taking.ts';
import { type Done, restsOf, type Trial } from './trial.ts';
import { fits, shownAs } from './unify.ts';
import { nothingRefuses } from './unrefused.ts';
import { large, merged } from './values.ts';
import { all, known, type Truth, unknown, unseen, yes } from './verdict.ts';

/** Members that nobody stated, and members that no client may write: both are as `others` says (language §2, H.1). */
export function notTaken(taking: Taking): Scenario[] {
  const { trial, operation, resource, body } = taking;
  const stranger = `unstated${trial.random.letters(6)}`;
  if (body.others === null) return [];
  const others = { address: body.others.address, at: body.others.at };
  const creates = stated(operation.does)?.verb === 'create';
  // Fields that no client may write, and those that the body leaves out; of some it is told elsewhere.
  const unwritable = [...resource.fields.values()].filter(
    (field) =>
      // A shape of its own may hold a member that a field is called like.
      body.name === resource.name &&
      !body.fields.has(field.name) &&
      !(isStateField(trial.of, resource, field.name) && stated(field.writable) === true) &&
      typeof stated(field.writable) !== 'object',
  );
  const bound = [...operation.bindings.values()].map((one) => (one.kind === 'subject' ? one.field : ''));
  return [
    untaken(taking, stranger, 'a value', others, null),
    ...unwritable
      .filter((field) => !bound.includes(field.name) || !creates)
      .flatMap((field) => {
        const value = strangeValue(trial, field);
        return value === undefined
          ? []
          : [
              untaken(
                taking,
                field.name,
                value,
                { address: field.writable.address, at: field.writable.at },
                field,
              ),
            ];
      }),
  ];
}

/** A value for a field that a service is unlikely to set by itself. */
function strangeValue({ of, tools }: Trial, field: Field): Json | undefined {
  const schema = fieldSchema(of, field);
  const { type } = schema;
  const far =
    type === 'integer' || type === 'number' ? tools.valid(merged(schema, large), 'most') : undefined;
  return far ?? tools.valid(schema, 'most');
}

function untaken(taking: Taking, name: string, value: Json, cites: Statement, field: Field | null): Scenario {
  const { trial, operation, body } = taking;
  const members = { ...taking.usual(), [name]: value };
  const says = `${operation.key} with ${field ? `${name}, which no client may write,` : `${name}, which nobody stated,`}`;
  if (stated(body.others ?? undefined) !== 'refuse') return letIn(taking, members, name, says, cites, field);
  const failure: Failure = { path: [name], keyword: 'others', limit: null, written: 0, exact: true };
  const reasons = [reasonOf(body.name, members, failure)];
  return refusing(trial, { says, operation, cites, reasons, ...taking.refuse(members, undefined) });
}

/** A member that does not make the request be refused: it is kept and shown, or left out of account. */
function letIn(
  taking: Taking,
  members: Members,
  name: string,
  says: string,
  cites: Statement,
  field: Field | null,
): Scenario {
  const { trial, operation, body } = taking;
  const rule = stated(body.others ?? undefined);
  const silent: Truth = body.others && rule === undefined ? unknown(body.others.address) : yes;
  const keeps = rule === 'keep' && field === null;
  const should: Check<Done> = {
    ...succeeds(trial, operation, says, Object.keys(members), cites),
    guard: (done) =>
      all(silent, nothingRefuses(trial.of, operation, Object.keys(members), before(done), done.exchange)),
  };
  const value = members[name] as Json;
  const told: Check<Done> = {
    name: keeps ? 'others.keep' : 'others.ignore',
    says: `${says} ${keeps ? 'keeps it' : 'leaves it out of account'}`,
    cites,
    guard: ({ exchange, shown }) =>
      all(succeeded(exchange, operation), shown === undefined ? unseen('the answer shows no item') : yes),
    claim: ({ shown, item, names }) => {
      const found = membersOf(shown)?.[name] ?? item?.known.get(name);
      const set = stated(field?.derived ?? field?.create);
      const made = set ? workOut(set.template, names) : hole();
      // What the service sets instead may happen to be what was given.
      const own = isKnown(made) ? fits(made, found) : null;
      const isSame = found !== undefined && equal(found, value);
      const mayBe = set !== undefined && typeof value === 'number' && value < large.minimum;
      const isByChance = isSame && field !== null && (mayBe || isFew(fieldSchema(trial.of, field)));
      const untold = unseen(`${name} may be so by itself`);
      return {
        truth: rule === undefined ? silent : (own?.truth ?? (isByChance ? untold : known(keeps === isSame))),
        expected: own?.expected ?? `${keeps ? '' : 'not '}${shownAs(value)}`,
        found: shownAs(found),
      };
    },
  };
  return scenario(trial.of, restsOf(operation), async () => await taking.ask(members, undefined), [
    should,
    told,
  ]);
}
