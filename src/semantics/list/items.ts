import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { attempt, type Truth, truthOf } from '../value/truth.ts';
import { type Item, type Members, NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf } from '../world/world.ts';

/** An item that is in a list, or may be. */
export interface Listed {
  readonly stored: Stored;
  readonly item: Item;
  /** Whether it surely is in the list. */
  readonly isSure: boolean;
}

/** The items of a list, whatever its page. */
export interface Items {
  readonly items: readonly Listed[];
  /** What somebody else's items are like; undefined: the list has none. */
  readonly theirs: Item | undefined;
}

/** What the list shows: what `where`, the rule and the filters that are given admit (language §4.5, §5.5). */
export interface Admission {
  /** `where`, and the filters of the parameters that are given. */
  readonly conditions: readonly PlacedTemplate[];
  readonly byRule: (item: Value) => Truth;
}

/** @param filtered whether the filters count that are given */
export function admissionOf(
  operation: Operation,
  query: Members,
  byRule: Admission['byRule'],
  filtered: boolean,
): Admission {
  const change = stated(operation.does);
  const where = change && stated(change.qualifiers.where);
  const given = filtered
    ? queryParameters(operation).filter(({ name }) => (query[name] ?? null) !== null)
    : [];
  return {
    conditions: [...(where ? [where] : []), ...given.flatMap(({ roles }) => stated(roles.filter) ?? [])],
    byRule,
  };
}

/** The items that are admitted. If a condition cannot be computed for one of them, the request fails (language §G.6). */
export function admitted(operation: Operation, admission: Admission, moment: Moment): Items {
  const { subject } = operation;
  const { world } = moment;
  if (subject === null) return world.leave(unknown([]));
  const listed = world.items(subject.name).map((stored) => {
    const item = itemOf(stored, subject);
    const truth = isAdmitted(item, admission, moment);
    if (truth !== false) world.finds(stored);
    return { stored, item, truth };
  });
  const theirs = world.theirs(subject.name);
  const ofOthers = theirs ? isAdmitted(theirs, admission, moment) : false;
  const truths = [...listed.map(({ truth }) => truth), ofOthers];
  const failing = truths.find((truth) => truth instanceof Unknown && truth.mayFail);
  if (failing !== undefined && world.decide(failing)) throw new NotComputable();
  return {
    items: listed
      .filter(({ truth }) => truth !== false)
      .map(({ stored, item, truth }) => ({ stored, item, isSure: truth === true })),
    theirs: ofOthers === false ? undefined : theirs,
  };
}

/** In which order conditions are judged, nobody states: one that is false may hide one that cannot be computed. */
function isAdmitted(item: Item, { conditions, byRule }: Admission, moment: Moment): Truth {
  const truths = [
    ...conditions.map((condition) => attempt(() => truthOf(moment.value(condition, { this: item })))),
    byRule(item),
  ];
  // A condition that alone keeps an item out is seen to do so.
  const out = truths.filter((truth) => truth !== true);
  if (out.length < 2)
    for (const [place, condition] of conditions.entries())
      if (typeof truths[place] === 'boolean') moment.decides(condition, String(truths[place]));
  const open = truths.filter((truth) => truth instanceof Unknown);
  const fails = open.some(({ mayFail }) => mayFail);
  if (truths.includes(false)) return fails ? unknown(open) : false;
  return open.length > 0 ? unknown(open) : true;
}
