import { leastOfPage } from '../../../semantics/request/given/query.ts';
import { once } from '../../../source/once.ts';
import { changesIn } from '../../../specification/model/changes.ts';
import { queryParameters } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { isUnder } from '../../../specification/reading/address.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Change } from '../../../specification/vocabulary/change.ts';
import type { Field } from '../../../specification/vocabulary/resource/field.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { bodyOf } from '../../body.ts';
import { changed, statementsOf } from '../../deviations/changed.ts';
import { keyOf, operationOf } from '../../deviations/deviation.ts';
import { membersOf } from '../../deviations/ignored.ts';
import { type Schema, schemas } from '../../schema.ts';
import { fieldOf, isGivenIn, type Rule } from './same-meaning.ts';
import { isInEveryVersion, versionsOf } from './versions.ts';
import { isReadSomewhere, isRefusalTold, isResourceShown, isSetSomewhere } from './visible.ts';

/** The type of what an expression gives is that of the field: `check` refuses any other (language §G). */
const typedByExpressions: Rule = {
  name: 'no request gives the value, and all that expressions give are of the type',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const field = keyOf(said) === 'type' ? fieldOf(said, specification) : undefined;
    if (field === undefined || isInPath(field, specification) || isGivenIn(field, specification))
      return false;
    const mayBeNull = isSetSomewhere(field, specification) || field.refers.kind === 'stated';
    return /^it is (left out|number)$/.test(says) || (/,null$/.test(says) && !mayBeNull);
  },
};

/** Only the values of `enum` fit, whatever else the shape says of them (JSON Schema, validation §6.1.2). */
const listedValues: Rule = {
  name: 'only the listed values fit',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    // A refusal may name the keyword, and the type of a parameter says how its text is read.
    const isNamed = ['keyword', 'limit'].some((name) => isReadSomewhere(name, specification));
    if (keyOf(said) !== 'type' || isNamed || /\.request\.(query|path|headers)\./.test(said.address))
      return false;
    const sibling = said.address.replace(/type$/, 'enum');
    const listed = statementsOf(specification).find(({ address }) => address === sibling);
    const values = listed?.kind === 'stated' && Array.isArray(listed.value) ? listed.value : [null];
    return /^it is (left out|number|.*,null)/.test(says) && !values.includes(null);
  },
};

/** Without a default, a list is in its own order, which also breaks the ties of the default (language §4.5, rule 3). */
const usualOrder: Rule = {
  name: 'the list has the same order without the statement',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const operation = operationOf(said, specification);
    const change = operation && stated(operation.does);
    const sorting = operation
      ? queryParameters(operation).filter(({ roles }) => roles.sort.kind === 'stated')
      : [];
    // Beside another one that sorts, it decides only part of the order.
    if (sorting.length !== 1 || sorting[0]?.default !== said || !change) return false;
    const order = stated(change.qualifiers.order) as unknown;
    const [first] = Array.isArray(order) ? order : [];
    return says === 'it is left out' && said.kind === 'stated' && first?.text === said.value;
  },
};

/** What a page is asked for is never less, whatever the shape says (language §4.5). */
const usualLeast: Rule = {
  name: 'a page is refused below that anyway',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const operation = keyOf(said) === 'minimum' ? operationOf(said, specification) : undefined;
    const parameter =
      operation && queryParameters(operation).find(({ shape }) => shape.keywords.get('minimum') === said);
    const least = leastOfPage[(parameter && stated(parameter.roles.page)) ?? ''];
    return says === 'it is left out' && said.kind === 'stated' && said.value === least;
  },
};

/** A path gives numbers as texts, so that the type decides how they are read. */
function isInPath({ resource, name, shape }: Field, { operations }: Specification): boolean {
  const { type } = schemaOf(shape) as { readonly type?: unknown };
  return (
    type !== 'string' &&
    operations.some(({ bindings, subject }) =>
      [...bindings.values()].some(
        (binding) =>
          (binding.kind === 'subject' && subject?.name === resource && binding.field === name) ||
          (binding.kind === 'other' && binding.resource === resource && binding.field === name),
      ),
    )
  );
}

/** Whether clients may write a field matters where a body may have it (language §2.2, §4.2). */
const inNoBody: Rule = {
  name: 'no body has the field',
  reason: 'equal',
  holds: ({ said, other }, specification) => {
    const field = keyOf(said) === 'writable' ? fieldOf(said, specification) : undefined;
    if (field === undefined || other === undefined) return false;
    const membersIn = (version: Specification): string =>
      JSON.stringify(version.operations.map((each) => membersOf(each, version).map(([name]) => name)));
    return isInEveryVersion(
      field,
      specification,
      (own, version) => membersIn(changed(version, new Map([[own.writable, other]]))) === membersIn(version),
    );
  },
};

/** What a resource says of its items judges those that a request makes or changes, and those that an answer shows. */
const restingResource: Rule = {
  name: 'no request makes, changes or is shown an item of the resource',
  reason: 'equal',
  holds: ({ said }, specification) => {
    const isOfShape =
      keyOf(said) === 'required' || fieldOf(said, specification)?.shape.keywords.has(keyOf(said)) === true;
    const resource = isOfShape ? resourceOf(said, specification) : undefined;
    if (resource === undefined) return false;
    return versionsOf(specification).every(
      (version) => !isChanged(resource, version) && !isResourceShown(resource, version),
    );
  },
};

/** `readable` says which fields an item shows that an answer shows as a whole (language §2.2). */
const neverWhole: Rule = {
  name: 'no answer shows an item of the resource as a whole',
  reason: 'equal',
  holds: ({ said }, specification) => {
    const resource = keyOf(said) === 'readable' ? resourceOf(said, specification) : undefined;
    if (resource === undefined) return false;
    return versionsOf(specification).every((version) => !isResourceShown(resource, version));
  },
};

/** The name of the resource of which a statement is. */
function resourceOf({ address }: Said<unknown>, { resourcesByName }: Specification): string | undefined {
  return [...resourcesByName.keys()].find((name) => isUnder(address, `resources.${name}`));
}

/** Whether a request or a transition may make or change an item of a resource. If that is not sure, it may. */
function isChanged(resource: string, specification: Specification): boolean {
  const machines = [...(stated(specification.states)?.keys() ?? [])];
  const isMachine = machines.some((name) => name.startsWith(`${resource}.`));
  // A transition is of a resource with states.
  const isOf = ({ verb, subject }: Change): boolean =>
    ['handled', 'run'].includes(verb) ||
    (['create', 'update', 'replace', 'delete'].includes(verb) &&
      (subject.name === resource || subject.kind === 'expression'));
  return isMachine || changesIn(specification).some(isOf);
}

/** Transitions say between which states an item moves; the list of states judges what a request gives (language §3.1). */
const movedByTransitions: Rule = {
  name: 'no request gives the state, and transitions name their own',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, resource = '', name = ''] = /^states\["(\w+)\.(\w+)"\]\.states$/.exec(said.address) ?? [];
    const field = specification.resourcesByName.get(resource)?.fields.get(name);
    return field !== undefined && says.endsWith('is left out') && !isGivenIn(field, specification);
  },
};

const toolsOf = once(schemas);

/** A member that has to be there is refused whether it does not fit or is left out (language §H.4, `invalid`). */
const neverSuchValue: Rule = {
  name: 'the shape refuses the value as it does none',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, kind, name] = /^nothing is stored for (?:an (empty)|a zero) (\S+)$/.exec(says) ?? [];
    const operation = operationOf(said, specification);
    if (name === undefined || operation === undefined) return false;
    const [, shape] = membersOf(operation, specification).find(([member]) => member === name) ?? [];
    const required: unknown = bodyOf(specification, operation)?.schema['required'];
    const isRequired = Array.isArray(required) && required.includes(name);
    if (shape === undefined || !isRequired || isRefusalTold(specification)) return false;
    const { failures } = toolsOf(specification);
    const isRefused = (value: string | number | readonly never[]): boolean =>
      failures(schemaOf(shape) as Schema, value).length > 0;
    return kind === 'empty' ? isRefused('') && isRefused([]) : isRefused(0);
  },
};

/** Rules about values that no request gives. */
export const untaken: readonly Rule[] = [
  typedByExpressions,
  listedValues,
  usualOrder,
  usualLeast,
  inNoBody,
  restingResource,
  neverWhole,
  movedByTransitions,
  neverSuchValue,
];
