import { compileTemplate, type Item, type Run } from '../../expression/compile.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
import { forEach } from '../store/reads.ts';
import { type Doing, isClear, itemOf, lastKnown, latest, naming, refuseIt } from '../transaction/doing.ts';
import type { Of } from '../transaction/done.ts';
import { compileEvery, type Every } from './every.ts';
import { type Asking, compilePerform, type Perform, type Ways } from './perform.ts';
import type { Revoke } from './revoke.ts';
import type { CompileSelect, Select } from './select.ts';

type Names = Readonly<Record<string, unknown>>;

/** Carries out the changes that follow another, in order; gives the names that they bind. */
export type Also = (doing: Doing, of: Of) => Names;

interface Step {
  readonly when: Run | null;
  readonly each: Run | null;
  readonly as: string | null;
  readonly ignoresAbsent: boolean;
  readonly kept: KeptResource | undefined;
  readonly target: Target;
  readonly perform: Perform;
  readonly every: Every;
}

type Target =
  | { readonly kind: 'credential'; readonly scheme: string | null }
  | { readonly kind: 'new' }
  | { readonly kind: 'found'; readonly select: Select; readonly every: boolean }
  | { readonly kind: 'item'; readonly run: Run };

/** What follows stands apart from the endpoint's body and path: it has what `with` says, and nothing else. */
const apart: Asking = {
  isFirst: false,
  bring: ({ body }) => ({ given: (body ?? {}) as Record<string, unknown> }),
  bound: () => ({}),
  check: () => {},
};

export function compileAlso(
  changes: readonly Change[],
  resources: ReadonlyMap<string, KeptResource>,
  ways: Ways,
  select: CompileSelect,
  revoke: Revoke,
): Also {
  const steps = changes.map((change) => compileStep(change, resources, ways, select));
  return (doing, of) => {
    let bound: Names = {};
    forEach(doing.tx, steps, (step) => {
      const at = naming(doing, { ...bound, ...namesOf(doing, of) });
      const elements = step.each ? step.each(at.frame({})) : [undefined];
      if (!Array.isArray(elements)) return true;
      const made: Item[] = [];
      forEach(doing.tx, elements, (value) => {
        const name = stepFor(step, step.each ? naming(at, { value }) : at);
        if (name && isClear(doing)) made.push(name);
        return isClear(doing);
      });
      if (!isClear(doing)) return false;
      // Beside `for` it names them all (language §H.2).
      const named = step.each ? made : made[0];
      if (step.as !== null && named) bound = { ...bound, [step.as]: named };
      return true;
    });
    return bound;
  };

  function stepFor(step: Step, doing: Doing): Item | null {
    if (step.when && step.when(doing.frame({})) !== true) return null;
    if (step.target.kind !== 'credential') return carryOut(step, doing, resources);
    revoke(doing, step.target.scheme);
    return null;
  }
}

/** `this` is what it follows, as it is by now; gone: as it was. */
export function namesOf(doing: Doing, { kept, before, after, outcome }: Of): Names {
  if (kept === null) return { this: null, old: null, outcome };
  const old = before && itemOf(doing, kept, before);
  const now = after && lastKnown(doing, kept, after);
  return { this: now === null || now === before ? old : itemOf(doing, kept, now), old, outcome };
}

/** The items that names stand for, as they are by now; one that is gone, as it was. */
export function renewed(doing: Doing, names: Names, resources: ReadonlyMap<string, KeptResource>): Names {
  if (doing.found.written.isEmpty) return names;
  const byNow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(byNow);
    const item = value as RowItem | null;
    const kept = item?.row && resources.get(item.resource);
    const now = kept && lastKnown(doing, kept, item.row);
    return now && now !== item.row ? itemOf(doing, kept, now) : value;
  };
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, byNow(value)]));
}

function carryOut(step: Step, doing: Doing, resources: ReadonlyMap<string, KeptResource>): Item | null {
  const { target, kept, perform } = step;
  if (target.kind === 'credential') return null;
  if (target.kind === 'new') {
    const made = kept && perform(doing, kept, null);
    return made?.after ? itemOf(doing, made.kept, made.after) : null;
  }
  if (target.kind === 'item') {
    const item = target.run(doing.frame({})) as RowItem | null;
    const of = item && resources.get(item.resource);
    const row = of && item.row && latest(doing, of, item.row);
    if (of && row) {
      // In its own `with`, too, `as` is the item (language §H.2).
      const own = step.as === null ? doing : naming(doing, { [step.as]: itemOf(doing, of, row) });
      const done = perform(own, of, row);
      return done?.after ? itemOf(doing, of, done.after) : null;
    }
    if (!step.ignoresAbsent) refuseIt(doing, refuse('unknown', of?.name ?? ''));
    return null;
  }
  if (kept === undefined) return null;
  const rows = target.select(doing);
  if (rows.length === 0 && !target.every && !step.ignoresAbsent)
    refuseIt(doing, refuse('unknown', kept.name));
  const done = step.every(doing, kept, rows);
  return done?.last?.after ? itemOf(doing, kept, done.last.after) : null;
}

function compileStep(
  change: Change,
  resources: ReadonlyMap<string, KeptResource>,
  ways: Ways,
  select: CompileSelect,
): Step {
  const { subject, qualifiers, verb } = change;
  const kept = subject.kind === 'one' || subject.kind === 'every' ? resources.get(subject.name) : undefined;
  const as = stated(qualifiers.as)?.text;
  const run = (said: Said<PlacedTemplate>): Run | null => {
    const placed = stated(said);
    return placed ? compileTemplate(placed.template, ways.environment) : null;
  };
  const perform = compilePerform(change, ways, apart);
  return {
    when: run(qualifiers.when),
    each: run(qualifiers.for),
    as: as ?? null,
    ignoresAbsent: stated(qualifiers.absent) === 'ignore',
    kept,
    target: targetOf(),
    perform,
    every: compileEvery(change, perform, ways),
  };
  function targetOf(): Target {
    if (verb === 'revoke') return { kind: 'credential', scheme: subject.name };
    if (subject.kind === 'expression')
      return { kind: 'item', run: compileTemplate(subject.item.template, ways.environment) };
    if (subject.kind === 'named') {
      const { name } = subject;
      return { kind: 'item', run: (frame) => frame.names[name] ?? null };
    }
    if (verb === 'create' || kept === undefined) return { kind: 'new' };
    return {
      kind: 'found',
      select: select(kept, stated(qualifiers.where), new Map(), as ? [as] : []),
      every: subject.kind === 'every',
    };
  }
}
