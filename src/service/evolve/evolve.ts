import type { Environment } from '../../expression/compile.ts';
import { setMember } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { CompiledMachine } from '../change/machines.ts';
import { renamedBytes } from '../resource/bytes.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import type { RowFault, Rules, WholeRow } from '../store/upgrade.ts';
import { beginningsOf } from './begin.ts';
import { compileConversion } from './convert.ts';
import { keptFields, shapeDigest } from './fields.ts';
import { checksOf, looking } from './judge.ts';

/** What is noted of a resource: its fields with the digests of their shapes, and the checks that its items met. */
interface Note {
  readonly fields: readonly (readonly [string, string])[];
  readonly checks: readonly string[];
  /** Whether members that are no fields are kept. */
  readonly others: boolean;
}

/**
 * What a specification asks of the items of a resource that an earlier one kept. Nothing is lost: what is no field
 * any more, and is not kept as `others` say, is set aside, and is back when it is a field again. What was renamed,
 * or has another form, is brought over where an older version says how (language §9.3). An item that does not meet
 * what is newly asked is a reason not to start. What is newly kept beside the items begins with them.
 *
 * @param now when it is: from then on timers run that were not stated before
 */
export function rulesOf(
  specification: Specification,
  kept: KeptResource,
  environment: Environment,
  machines: readonly CompiledMachine[],
  now: () => string,
): Rules {
  const { resource } = kept;
  const checks = [
    ...checksOf(specification, kept, environment),
    ...beginningsOf(specification, kept, machines, now),
  ];
  const note: Note = {
    fields: keptFields(resource).map((field) => [field.name, shapeDigest(field)]),
    checks: checks.map(({ name }) => name),
    others: keepsOthers(specification, resource),
  };
  return {
    note: JSON.stringify(note),
    since: (text) => {
      const before = text === null ? null : (JSON.parse(text) as Note);
      const convert = compileConversion(specification, kept, before && new Map(before.fields));
      const admits = admitted(specification, kept);
      const looked = looking(
        kept,
        checks.filter(({ name }) => before?.checks.includes(name) !== true),
      );
      const renamed =
        before &&
        renamedBytes(
          resource,
          before.fields.map(([name]) => name),
        );
      return {
        bring: (row) => {
          const { members, faults } = convert(JSON.parse(row.text) as Members);
          const aside = JSON.parse(row.aside ?? '{}') as Members;
          return { row: sorted(row, { ...aside, ...members }, admits), faults };
        },
        ...looked,
        faults: (row, reads) => looked.faults(row, reads).map((fault) => told(fault, before)),
        ...(renamed && {
          adds: (row, reads) => [...(looked.adds?.(row, reads) ?? []), ...renamed(row, reads)],
        }),
      };
    },
  };
}

/** What no request could mend: the items were stored before they had the field. */
function told(fault: RowFault, before: Note | null): RowFault {
  const isLacking = fault.keyword === 'required' || fault.keyword === 'states';
  const isKnown = before === null || before.fields.some(([name]) => name === fault.field);
  return isLacking && !isKnown ? { ...fault, isNew: true } : fault;
}

/** Which members stand with an item; the others are set aside. */
function admitted(specification: Specification, { resource }: KeptResource): (name: string) => boolean {
  if (keepsOthers(specification, resource)) return () => true;
  const fields = keptFields(resource).map((field) => field.name);
  // A field that `required` alone names is a field all the same (language §H.1).
  const required = (stated(resource.required) ?? []).map((use) => use.name);
  const names = new Set([...fields, ...required]);
  return (name) => names.has(name);
}

/** Whether members that are no fields are kept, by what the resource says or a request for it (language §H.1). */
function keepsOthers(specification: Specification, resource: Resource): boolean {
  const own = stated(resource.others);
  if (own !== undefined) return own === 'keep';
  return specification.operations.some(({ subject, request }) => {
    const others = subject?.name === resource.name && request ? stated(request.others) : undefined;
    return others !== undefined && stated(others.body) === 'keep';
  });
}

/** The row with each member where it belongs; the same one where they all are there already. */
function sorted(row: WholeRow, all: Members, admits: (name: string) => boolean): WholeRow {
  const members: Members = {};
  const aside: Members = {};
  for (const [name, value] of Object.entries(all)) setMember(admits(name) ? members : aside, name, value);
  const text = JSON.stringify(members);
  const rest = Object.keys(aside).length === 0 ? null : JSON.stringify(aside);
  return text === row.text && rest === row.aside ? row : { key: row.key, text, aside: rest };
}
