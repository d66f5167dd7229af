import type { Operation } from '../../specification/model/operation.ts';
import { operationRun } from '../../specification/model/run.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import { type Change, isAboutResource, verbs } from '../../specification/vocabulary/change.ts';
import type { Transition } from '../../specification/vocabulary/parts/states.ts';
import { type Line, line, openLine, type Standing, standingOf, written } from './line.ts';
import { machinesOf } from './machines.ts';

/** A change that an operation makes, in its order. */
export interface DrawnChange {
  /** The resource whose items change; null: none, or an expression says which. */
  readonly resource: string | null;
  readonly lines: readonly Line[];
  readonly standing: Standing;
  /** What kinds of events name in `by`: the transition, as `R.name`; null: it is none. */
  readonly move: string | null;
}

/** How many moves that follow from moves are drawn. */
const mostNested = 3;

/** What an operation changes or reads: `does`, then `also`, each with what follows from it. */
export function changesOf(of: Specification, operation: Operation): readonly DrawnChange[] {
  const also = operation.endpoint.also;
  const found = [
    ...ofOne(of, operation, operation.does),
    ...(stated(also) ?? []).flatMap((change) => drawnChange(of, change, standingOf(also), 0)),
  ];
  return isAsked(also) ? [...found, openChange(openLine(also, 'further changes'))] : found;
}

function ofOne(of: Specification, operation: Operation, said: Said<Change>): readonly DrawnChange[] {
  const change = stated(said);
  if (change === undefined) return said.kind === 'open' ? [openChange(openLine(said, 'what it does'))] : [];
  const run = operationRun(of, operation);
  const drawn = drawnChange(of, change, standingOf(said), 0);
  return run ? [...drawn, ...changesOf(of, run)] : drawn;
}

function openChange(only: Line): DrawnChange {
  return { resource: null, lines: [only], standing: 'open', move: null };
}

function drawnChange(
  of: Specification,
  change: Change,
  standing: Standing,
  depth: number,
): readonly DrawnChange[] {
  const name = isAboutResource(change) ? change.subject.name : null;
  const isMove = !(verbs as readonly string[]).includes(change.verb);
  const found = isMove ? transitionOf(of, change.verb, name) : undefined;
  const resource = name ?? found?.resource ?? null;
  const [first, ...conditions] = wordsOf(change, found?.move);
  const drawn: DrawnChange = {
    resource,
    lines: [line(first as string, standing), ...conditions.map((text) => line(text))],
    standing,
    move: isMove && resource !== null ? `${resource}.${change.verb}` : null,
  };
  const also = depth < mostNested ? (stated(found?.move.also) ?? []) : [];
  const follow = change.verb === 'delete' && name !== null ? deletedWith(of, name, [name]) : [];
  return [drawn, ...follow, ...also.flatMap((next) => drawnChange(of, next, standing, depth + 1))];
}

/** The transition that a change asks for: of this resource, or of the only one that has such a one. */
function transitionOf(of: Specification, name: string, resource: string | null) {
  const found = [...machinesOf(of)].flatMap(([machine, said]) => {
    const [owner = ''] = machine.split('.');
    const move = stated(stated(stated(said)?.transitions)?.get(name));
    return move && (resource === null || resource === owner) ? [{ resource: owner, move }] : [];
  });
  return found.length === 1 || resource !== null ? found[0] : undefined;
}

/** What is done, and beneath it when, for what, and which items. */
function wordsOf(change: Change, move: Transition | undefined): readonly string[] {
  const { verb, subject, qualifiers } = change;
  const about = subject.kind === 'expression' ? written(subject.item) : subject.name;
  const every = subject.kind === 'every' ? 'every ' : '';
  const [when, each, where] = [stated(qualifiers.when), stated(qualifiers.for), stated(qualifiers.where)];
  return [
    `${verb} ${every}${about}`,
    ...(move ? [leads(move)] : []),
    ...(where ? [`where ${written(where)}`] : []),
    ...(each ? [`for each of ${written(each)}`] : []),
    ...(when ? [`if ${written(when)}`] : []),
    ...(stated(qualifiers.present) ? [`if present: ${stated(qualifiers.present)}`] : []),
  ];
}

function leads({ from, to }: Transition): string {
  const begin = stated(from)?.map(({ text }) => text) ?? ['(open)'];
  const end = to.kind === 'none' ? 'deleted' : (stated(to)?.text ?? '(open)');
  return `${begin.join(', ')} → ${end}`;
}

/** What becomes of the items that refer to deleted ones (language §2.2, rule 8). */
function deletedWith(of: Specification, name: string, seen: readonly string[]): readonly DrawnChange[] {
  return [...of.resourcesByName.values()].flatMap((resource) =>
    [...resource.fields.values()].flatMap((field): readonly DrawnChange[] => {
      const fate = stated(field.ifDeleted);
      if (stated(field.refers)?.resource !== name || (fate !== 'delete' && fate !== 'clear')) return [];
      const what = fate === 'delete' ? 'delete those of it' : `clear ${field.name}`;
      const standing = standingOf(field.ifDeleted);
      const drawn = { resource: resource.name, lines: [line(what, standing)], standing, move: null };
      const isNew = fate === 'delete' && !seen.includes(resource.name);
      return [drawn, ...(isNew ? deletedWith(of, resource.name, [...seen, resource.name]) : [])];
    }),
  );
}
