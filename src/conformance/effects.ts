import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import type { Scenario } from './check.ts';
import { alsoCases } from './effects/also-cases.ts';
import { alsoRefused } from './effects/also-refused.ts';
import { creates } from './effects/create.ts';
import { clears, deletes } from './effects/delete.ts';
import { changesEvery } from './effects/every.ts';
import { lists } from './effects/list.ts';
import { ignoresAbsent } from './effects/missing.ts';
import { changesNothing } from './effects/outcomes.ts';
import { patches } from './effects/patch.ts';
import { againThere } from './effects/present.ts';
import { reads } from './effects/read.ts';
import { replaces } from './effects/replace.ts';
import { transits } from './effects/transition.ts';
import { updates } from './effects/update.ts';
import { addresses } from './lists/addresses.ts';
import { cursors } from './lists/cursors.ts';
import { filters } from './lists/filters.ts';
import { pages } from './lists/pages.ts';
import { sorts } from './lists/sorts.ts';
import { narrowed } from './lists/where.ts';
import { racedNumbers } from './races/numbers.ts';
import { moveNamed } from './states/machines.ts';
import type { Trial } from './trial.ts';

/**
 * What an operation does, seen through others: its answer, its effect, and that it has no other one (language
 * §H.2). Empty for a change that is not exercised.
 */
export function effects(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const found = ofVerb(trial, operation, resource);
  if (found.length === 0) return found;
  return [...found, ...alsoCases(trial, operation, resource), ...alsoRefused(trial, operation, resource)];
}

function ofVerb(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const change = stated(operation.does);
  if (change?.subject.kind === 'every') {
    const isAll = change.verb === 'delete' && change.qualifiers.where.kind === 'open';
    return isAll ? [clears(trial, operation, resource)] : changesEvery(trial, operation, resource);
  }
  switch (change?.verb) {
    case 'create':
      return [...creates(trial, operation, resource), ...againThere(trial, operation, resource)];
    case 'list':
      return [
        lists(trial, operation, resource),
        ...narrowed(trial, operation, resource),
        ...pages(trial, operation, resource),
        ...sorts(trial, operation, resource),
        ...filters(trial, operation, resource),
        ...addresses(trial, operation, resource),
        ...cursors(trial, operation),
      ];
    case 'read':
      return [reads(trial, operation, resource)];
    case 'update':
      return [
        ...updates(trial, operation, resource),
        ...patches(trial, operation, resource),
        ...changesNothing(trial, operation, resource),
        ...ignoresAbsent(trial, operation, resource),
        ...racedNumbers(trial, operation, resource),
      ];
    case 'replace':
      return [
        ...replaces(trial, operation, resource),
        ...changesNothing(trial, operation, resource),
        ...ignoresAbsent(trial, operation, resource),
      ];
    case 'delete':
      return [deletes(trial, operation, resource), ...ignoresAbsent(trial, operation, resource)];
    default:
      return change && moveNamed(trial.of, resource, change.verb)
        ? [
            transits(trial, operation, resource),
            ...ignoresAbsent(trial, operation, resource),
            ...racedNumbers(trial, operation, resource),
          ]
        : [];
  }
}
