import { setMember } from '../source/node.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { compileConversion } from './evolve/convert.ts';
import { digestOf, keptFields, shapeDigest } from './evolve/fields.ts';
import { compileJudgement, ruled } from './evolve/judge.ts';
import type { KeptResource, Members } from './resource/kept.ts';
import type { Rules, WholeRow } from './store/upgrade.ts';

/** What is noted of a resource: its fields with the digests of their shapes, and a digest of all that is asked. */
interface Note {
  readonly fields: readonly (readonly [string, string])[];
  readonly rules: string;
}

/**
 * What a specification asks of the items of a resource that an earlier one kept. Nothing is lost: what is no field
 * any more, and is not kept as `others` say, is set aside, and is back when it is a field again. What was renamed,
 * or has another form, is brought over where an older version says how (language §9.3). An item that is not as it
 * is asked to be then is a reason not to start.
 */
export function rulesOf(specification: Specification, kept: KeptResource): Rules {
  const { resource } = kept;
  const note: Note = {
    fields: keptFields(resource).map((field) => [field.name, shapeDigest(field)]),
    rules: digestOf([keepsOthers(specification, resource), ruled(specification, resource)]),
  };
  return {
    note: JSON.stringify(note),
    since: (before) => {
      const were = before === null ? null : new Map((JSON.parse(before) as Note).fields);
      const convert = compileConversion(specification, kept, were);
      const admits = admitted(specification, kept);
      return {
        bring: (row) => {
          const { members, faults } = convert(JSON.parse(row.text) as Members);
          const aside = JSON.parse(row.aside ?? '{}') as Members;
          return { row: sorted(row, { ...aside, ...members }, admits), faults };
        },
        faults: compileJudgement(specification, kept),
      };
    },
  };
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
