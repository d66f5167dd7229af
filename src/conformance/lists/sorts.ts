import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { type Check, ifReached, type Scenario, type Seen, type Statement, scenario } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { isUnique } from '../keys.ts';
import type { Item } from '../partly.ts';
import { refusing } from '../refusing.ts';
import { varied } from '../sample.ts';
import { restsOf, type Trial } from '../trial.ts';
import { asked, type Walk, walk } from '../walk.ts';
import { choices, knownOf, several, where } from './collection.ts';
import { inOrder, type Key, keyOf } from './orders.ts';

interface Ordered extends Seen {
  readonly found: Walk;
  readonly items: readonly Item[];
}

/** How many fields of a `sort` are tried. */
const fieldsTried = 4;

/** The order of a list, as `order` states it, or as the client asks for it by `sort` (language §4.2, H.2). */
export function sorts(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const said = stated(operation.does)?.qualifiers.order;
  const own = stated(said);
  const ties = Array.isArray(own) ? own.map(({ text }: { text: string }) => keyOf(text)) : [];
  const sorting = queryParameters(operation).filter((one) => stated(one.roles.sort));
  // Where nothing is asked for, the default is.
  const unasked = sorting.flatMap((one) => stated(one.default) ?? []);
  const usual = unasked.flatMap((one) => (Array.isArray(one) ? one : String(one).split(','))).map(keyOf);
  return [
    ...(said && ties.length > 0
      ? [
          ordered(trial, operation, resource, {
            says: operation.key,
            keys: [...usual, ...ties],
            query: [],
            cites: said,
          }),
        ]
      : []),
    ...sorting.flatMap((parameter) => bySort(trial, operation, resource, parameter, ties)),
  ];
}

function bySort(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  parameter: Parameter,
  ties: readonly Key[],
): Scenario[] {
  const { name, roles } = parameter;
  const fields = (stated(roles.sort) ?? []).map((one) => one.text).slice(0, fieldsTried);
  const [first, second] = fields;
  const values = [
    ...fields.flatMap((field) => [field, `-${field}`]),
    ...(first !== undefined && second !== undefined ? [`${second},-${first}`, `-${first},${second}`] : []),
  ];
  const cites = { address: roles.sort.address, at: roles.sort.at };
  const unknown = `unstated${trial.random.letters(6)}`;
  return [
    ...values.map((value) =>
      ordered(trial, operation, resource, {
        says: `${operation.key} with ${name}=${value}`,
        keys: [...value.split(',').map(keyOf), ...ties],
        query: [asked(name, value)],
        cites,
      }),
    ),
    refusing(trial, {
      says: `${operation.key} with ${name}=${unknown}, a field by which nobody may sort,`,
      operation,
      cites,
      reasons: [{ name: 'invalid', subject: `query.${name}`, failures: null }],
      must: doesJustThat(trial.of, operation),
      ...varied(trial, operation, () => ({ query: asked(name, unknown), omit: [name] })),
    }),
  ];
}

interface Asking {
  readonly says: string;
  readonly keys: readonly Key[];
  readonly query: readonly string[];
  readonly cites: Statement;
}

function ordered(trial: Trial, operation: Operation, resource: Resource, asking: Asking): Scenario {
  const { says, keys, query, cites } = asking;
  const [first] = keys;
  const field = resource.fields.get(first?.field ?? '');
  const observe = async (): Promise<Ordered> => {
    // Some alike in the first field, so that the next one decides; not in the order in which they were made.
    const values = field && !isUnique(field) ? choices(trial, resource, field.name, 2) : [];
    const pick = (index: number) => values[[1, 0, 1, 0, 0][index] ?? 0];
    const items =
      (await ifReached(() =>
        several(trial, resource, 5, (index) =>
          field && pick(index) !== undefined ? { [field.name]: pick(index) ?? null } : {},
        ),
      )) ?? [];
    const found = await walk(trial, operation, { query, attempt: where(trial, items[0]) });
    return { exchange: found.last.exchange, found, items };
  };
  const check: Check<Ordered> = {
    name: 'order.list',
    says: `${says} shows the items in that order`,
    cites: { address: cites.address, at: cites.at },
    guard: () => doesJustThat(trial.of, operation),
    claim: ({ found, items }) =>
      inOrder(
        found.entries.map((entry) => knownOf(entry, items)),
        keys,
      ),
  };
  return scenario(trial.of, restsOf(operation), observe, [check]);
}
