import type { Json } from '../source/node.ts';
import type { Field } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import { type Check, type Scenario, type Statement, scenario } from './check.ts';
import { reasonOf } from './constraints.ts';
import { nothingRefuses, succeeded } from './guards.ts';
import { membersOf } from './item.ts';
import { refusing } from './refusing.ts';
import type { Failure } from './schema.ts';
import { succeeds } from './success.ts';
import type { Taking } from './taking.ts';
import { type Done, restsOf } from './trial.ts';
import { shownAs } from './unify.ts';
import { all, known, type Truth, unknown } from './verdict.ts';

/** Members that nobody stated, and members that no client may write: both are as `others` says (language §2, H.1). */
export function notTaken(taking: Taking): Scenario[] {
  const { trial, operation, resource, body } = taking;
  const stranger = `unstated${trial.random.letters(6)}`;
  const others = { address: body.others.address, at: body.others.at };
  const unwritable = [...resource.fields.values()].filter(
    (field) => stated(field.writable) === false && !body.fields.has(field.name),
  );
  const bound = [...operation.bindings.values()].map((one) => (one.kind === 'subject' ? one.field : ''));
  return [
    untaken(taking, stranger, 'a value', others, null),
    ...unwritable
      .filter((field) => !bound.includes(field.name) || stated(operation.does)?.verb !== 'create')
      .flatMap((field) => {
        const value = trial.tools.valid(schemaOf(field.shape), 'most');
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

function untaken(taking: Taking, name: string, value: Json, cites: Statement, field: Field | null): Scenario {
  const { trial, operation, body } = taking;
  const members = { ...taking.usual(), [name]: value };
  const says = `${operation.key} with ${field ? `${name}, which no client may write,` : `${name}, which nobody stated,`}`;
  const rule = stated(body.others);
  if (rule === 'refuse') {
    const failure: Failure = { path: [name], keyword: 'others', limit: null, exact: true };
    const reasons = [reasonOf(body.name, members, failure)];
    return refusing(trial, {
      says,
      operation,
      cites,
      reasons,
      members: Object.keys(members),
      ...taking.refuse(members),
    });
  }
  const silent: Truth = rule === undefined ? unknown(body.others.address) : known(true);
  const keeps = rule === 'keep' && field === null;
  const check: Check<Done> = {
    name: keeps ? 'others.keep' : 'others.ignore',
    says: `${says} ${keeps ? 'keeps it' : 'leaves it out of account'}`,
    cites,
    guard: ({ exchange }) => succeeded(exchange, operation),
    claim: ({ shown }) => {
      const found = membersOf(shown)?.[name];
      const isSame = found !== undefined && JSON.stringify(found) === JSON.stringify(value);
      return {
        truth: all(silent, known(keeps ? isSame : !isSame)),
        expected: rule === undefined ? '(open)' : keeps ? shownAs(value) : `not ${shownAs(value)}`,
        found: shownAs(found),
      };
    },
  };
  const should: Check<Done> = {
    ...succeeds(trial, operation, says, Object.keys(members), cites),
    guard: () => all(silent, nothingRefuses(trial.of, operation, Object.keys(members))),
  };
  return scenario(trial.of, restsOf(operation), async () => await taking.ask(members), [should, check]);
}
