import { compileTemplate, type Environment } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import { ownMember, setMember } from '../../source/node.ts';
import { type Operation, queryFields } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { findsNoItem, isAboutResource } from '../../specification/vocabulary/change.ts';
import type { Gone } from '../change/gone.ts';
import type { CompileSelect } from '../change/select.ts';
import type { Judge } from '../judge/judge.ts';
import type { Refusals } from '../judge/refusals.ts';
import type { FindTold } from '../list/showing.ts';
import type { RequestView } from '../message/frame.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource, Members, RowItem } from '../resource/kept.ts';
import type { Key, Row } from '../store/store.ts';
import { type Doing, itemOf, naming } from '../transaction/doing.ts';
import { type Found, unsought } from '../transaction/found.ts';
import type { Request, Within } from './request.ts';

type Path = Readonly<Record<string, unknown>>;
type Resources = ReadonlyMap<string, KeptResource>;

/** Finds the item that shows who asks, by what the request gives besides its secrets. */
interface Authenticating {
  readonly find: (doing: Doing) => Row | null;
}

/** Whether it looks for one item at all, so that this may not be there. */
export interface Finding {
  readonly seeks: boolean;
  /** The names that it binds. */
  readonly names: readonly string[];
  /** Whether parameters of the query single an item out, too. */
  readonly byQuery: boolean;
  readonly find: (doing: Doing, path: Path) => Found;
  /** The identifiers by which the path names items, with their resources. */
  readonly keys: (path: Path) => readonly Named[];
}

/** An item that a path names by its identifier, whether it is there or not. */
export interface Named {
  readonly kept: KeptResource;
  readonly key: Key;
}

export function compileFinding(
  operation: Operation,
  resources: Resources,
  select: CompileSelect,
  environment: Environment,
  authenticating: Authenticating | null = null,
  told: FindTold | null = null,
): Finding {
  const others = compileOthers(operation, resources);
  const subject = compileSubject(
    operation,
    others.map(({ name }) => name),
    resources,
    select,
    environment,
    authenticating,
    told,
  );
  const named = compileKeys(operation, others, resources);
  return {
    seeks: others.length > 0 || subject !== null,
    names: others.map(({ name }) => name),
    byQuery: queryFields(operation).size > 0,
    keys: (path) => named.flatMap((key) => key(path) ?? []),
    find: (doing, path) => {
      const bound: Record<string, RowItem | null> = {};
      const missing: string[] = [];
      for (const { name, kept, find } of others) {
        const row = find(doing, path);
        if (row === null) missing.push(kept.name);
        bound[name] = row && itemOf(doing, kept, row);
      }
      if (subject === null || missing.length > 0) return { bound, missing, subject: null };
      const one = subject(naming(doing, bound), path);
      if (one.row === null) return { bound, missing: one.ignoresAbsent ? [] : [one.name], subject: null };
      return { bound, missing, subject: { kept: one.kept as KeptResource, row: one.row } };
    },
  };
}

/** Finds what a request names. If a parameter does not fit, what looks for an item may not be computable. */
export function itemsOf(finding: Finding, { view, parameters }: Request, doing: Doing): Found {
  const path = finding.byQuery ? { ...view.query, ...view.path } : view.path;
  const find = (): Found => finding.find(doing, path);
  return parameters === null ? find() : (worked(find) ?? unsought);
}

interface Other {
  readonly name: string;
  readonly kept: KeptResource;
  /** Parameters, with the field to which each gives a value. */
  readonly fields: ReadonlyMap<string, string>;
  readonly find: (doing: Doing, path: Path) => Row | null;
}

/** Parameters that bind another item; those with one name single it out together. */
function compileOthers(operation: Operation, resources: Resources): Other[] {
  const grouped = new Map<string, { kept: KeptResource; fields: Map<string, string> }>();
  for (const [parameter, binding] of operation.bindings) {
    const kept = binding.kind === 'other' ? resources.get(binding.resource) : undefined;
    if (binding.kind !== 'other' || kept === undefined) continue;
    const name = binding.as ?? binding.resource;
    const group = grouped.get(name) ?? { kept, fields: new Map<string, string>() };
    group.fields.set(parameter, binding.field);
    grouped.set(name, group);
  }
  return [...grouped].map(([name, { kept, fields }]) => ({
    name,
    kept,
    fields,
    find: byFields(kept, fields),
  }));
}

/** How the identifiers are read that the parameters of a path give, of the item of the operation and of others. */
function compileKeys(
  operation: Operation,
  others: readonly Other[],
  resources: Resources,
): ((path: Path) => Named | null)[] {
  const fields = new Map<string, string>();
  for (const [parameter, binding] of operation.bindings)
    if (binding.kind === 'subject') fields.set(parameter, binding.field);
  const subject = resources.get(operation.subject?.name ?? '');
  const all = [...others, ...(subject ? [{ kept: subject, fields }] : [])];
  return all.flatMap(({ kept, fields }) => {
    const given = new Map([...fields].map(([parameter, field]) => [field, parameter]));
    if (kept.keyFields.length === 0 || !kept.keyFields.every((name) => given.has(name))) return [];
    return [
      (path) => {
        const key = kept.keyFields.map((name) => path[given.get(name) as string]);
        return key.every((one) => typeof one === 'string' || typeof one === 'number')
          ? { kept, key: key as Key }
          : null;
      },
    ];
  });
}

/**
 * Finds an item by the values that the path gives to its fields; null where they single none out.
 *
 * @param told how it is found by its key with what is shown of it; null: by itself
 */
function byFields(
  kept: KeptResource,
  fields: ReadonlyMap<string, string>,
  told: FindTold | null = null,
): (doing: Doing, path: Path) => Row | null {
  const names = [...fields.values()];
  const unique = kept.uniques.find((one) => one.fields.every((name) => names.includes(name)));
  const taken = [...fields];
  const isKey = unique !== undefined && unique === kept.uniques[0];
  const find = ({ tx, frame }: Doing, members: Members): Row | null => {
    const key = kept.keyFields.map((name) => ownMember(members, name)) as Key;
    const row = told && isKey ? told(tx, key, frame({})) : undefined;
    return row === undefined ? (unique?.find(tx, members) ?? null) : row;
  };
  return (doing, path) => {
    const members: Members = {};
    let fits = true;
    for (const [parameter, field] of taken) {
      const value = path[parameter];
      fits &&= ['string', 'number', 'boolean'].includes(typeof value);
      setMember(members, field, value);
    }
    const row = fits ? find(doing, members) : null;
    if (row === null || unique === undefined || names.length === unique.fields.length) return row;
    const there = kept.members(row);
    const rest = names.filter((name) => !unique.fields.includes(name));
    return rest.every((name) => ownMember(there, name) === ownMember(members, name)) ? row : null;
  };
}

interface One {
  readonly name: string;
  readonly kept: KeptResource | undefined;
  readonly row: Row | null;
  readonly ignoresAbsent: boolean;
}

/** The one item that a change is about; null where it is about none, or about several. */
function compileSubject(
  operation: Operation,
  bound: readonly string[],
  resources: Resources,
  select: CompileSelect,
  environment: Environment,
  authenticating: Authenticating | null,
  told: FindTold | null,
): ((doing: Doing, path: Path) => One) | null {
  const change = stated(operation.does);
  if (authenticating !== null) {
    const kept = operation.subject ? resources.get(operation.subject.name) : undefined;
    // That there is none is `wrong credentials`, and not `unknown`.
    return (doing) => ({
      name: kept?.name ?? '',
      kept,
      row: authenticating.find(doing),
      ignoresAbsent: true,
    });
  }
  if (change === undefined || findsNoItem.includes(change.verb) || change.subject.kind === 'every')
    return null;
  const ignoresAbsent = stated(change.qualifiers.absent) === 'ignore';
  const { subject } = change;
  const where = stated(change.qualifiers.where);
  const as = stated(change.qualifiers.as)?.text;
  if (!isAboutResource(change)) {
    const item =
      subject.kind === 'expression'
        ? compileTemplate(subject.item.template, environment)
        : (frame: Parameters<ReturnType<typeof compileTemplate>>[0]) => frame.names[subject.name as string];
    return (doing) => {
      const at = (item(doing.frame({})) ?? null) as RowItem | null;
      const kept = at ? resources.get(at.resource) : undefined;
      return { name: kept?.name ?? '', kept, row: at?.row ?? null, ignoresAbsent };
    };
  }
  const kept = resources.get(change.subject.name);
  if (kept === undefined || kept.keyFields.length === 0) return null;
  const { name } = kept;
  const fields = new Map<string, string>();
  for (const [parameter, binding] of operation.bindings)
    if (binding.kind === 'subject') fields.set(parameter, binding.field);
  for (const [parameter, field] of queryFields(operation)) fields.set(parameter, field);
  const names = [...fields.values()];
  const isSingled = kept.uniques.some((one) => one.fields.every((field) => names.includes(field)));
  if (isSingled) {
    const find = byFields(kept, fields, told);
    const fits = where ? compileTemplate(where.template, environment) : null;
    return (doing, path) => {
      const row = find(doing, path);
      if (row === null || fits === null) return { name, kept, row, ignoresAbsent };
      const item = itemOf(doing, kept, row);
      const within = fits(doing.frame({ this: item, ...(as !== undefined && { [as]: item }) })) === true;
      return { name, kept, row: within ? row : null, ignoresAbsent };
    };
  }
  const rows = select(kept, where, fields, as === undefined ? [] : [as], bound);
  return (doing, path) => ({ name, kept, row: rows(doing, path)[0] ?? null, ignoresAbsent });
}

/**
 * Whether the items that a request names are there (language §H.4, 7).
 *
 * @param gone tells of items that were deleted; null where no row does
 */
export function findJudges(finding: Finding, gone: Gone | null, refusals: Refusals): Judge<Request>[] {
  if (!finding.seeks) return [];
  const goneBy = gone && refusals.lists('gone') ? compileGone(finding, gone, refusals) : null;
  const unknown = toldOfMissing('unknown', (within, missing) => {
    const known = goneBy?.(within.doing) ?? [];
    return missing.filter((name) => !known.includes(name));
  });
  if (goneBy === null) return [unknown];
  return [
    unknown,
    toldOfMissing('gone', (within, missing) => goneBy(within.doing).filter((name) => missing.includes(name))),
  ];
}

/** @param about the resources that the condition is about, of those of which an item is not there */
function toldOfMissing(
  condition: 'unknown' | 'gone',
  about: (within: Within, missing: readonly string[]) => readonly string[],
): Judge<Request> {
  return {
    condition,
    code: null,
    kept: true,
    byChange: false,
    refuses: ({ within }) => {
      const missing = within?.found().missing ?? [];
      if (within === null || missing.length === 0) return [];
      return about(within, missing).map((name) => refuse(condition, name));
    },
  };
}

/** The resources of which a path names an item that is gone, where a row answers that. */
function compileGone({ keys }: Finding, gone: Gone, { rowOf }: Refusals) {
  return (doing: Doing): readonly string[] => {
    const { path } = doing.frame({}).names['request'] as RequestView;
    return keys(path).flatMap(({ kept, key }) =>
      rowOf(refuse('gone', kept.name)) !== null && gone.is(doing.tx, kept, key) ? [kept.name] : [],
    );
  };
}
