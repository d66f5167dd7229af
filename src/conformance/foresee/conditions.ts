import { equal } from '../../expression/functions.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { closed, stating } from '../guards.ts';
import { type Item, isAbsent, isHole, isKnown, isMixed, type Partly, toJson } from '../partly.ts';
import type { Reason } from '../refusal.ts';
import { type Names, workOut } from '../solve.ts';
import type { Move } from '../states/machines.ts';
import { all, known, not, type Truth, unknown, unseen, yes } from '../verdict.ts';

/** A condition, and whether it holds of a request. */
export interface Judged {
  readonly reason: Reason;
  readonly holds: Truth;
  /** Where it is stated. */
  readonly address: string;
}

/** Whether a transition is refused: the state is none that it leads out of, or its guard is not true (language §3.2). */
export function judgeMove(of: Specification, move: Move, item: Item, names: Names): Judged[] {
  const { resource, field } = move.of;
  const state = item.known.get(field);
  const leads = (): Truth =>
    state === undefined
      ? unseen(`the state of the ${resource.name} is not known`)
      : known(
          (move.from as readonly string[]).includes(String(state)),
          `${move.name} does not lead out of ${state}`,
        );
  const refused: Judged = {
    reason: { name: 'transition refused', subject: resource.name, failures: [] },
    holds: not(move.from === undefined ? unknown(move.transition.from.address) : leads()),
    address: move.transition.from.address,
  };
  const { when } = move.transition;
  const guard =
    when.kind === 'open'
      ? closed(of, move.address)
      : stating(when, (expression) =>
          expression === null
            ? yes
            : truthOf(expression, new Map(names).set('this', item), `the guard of ${move.name}`),
        );
  return [
    refused,
    {
      reason: { name: 'guard refused', subject: `${resource.name}.${move.name}`, failures: [] },
      holds: all(not(refused.holds), not(guard)),
      address: when.address,
    },
  ];
}

/** Whether an item as it would be breaks an invariant (language §2). */
export function judgeInvariants(resource: Resource, after: Item, names: Names): Judged[] {
  const at = new Map(names).set('this', after);
  return [...(stated(resource.invariants) ?? [])].map(([sentence, said]) => ({
    reason: { name: 'invariant broken', subject: resource.name, failures: [] },
    holds: not(
      stating(said, (expression) => (expression === null ? yes : truthOf(expression, at, sentence))),
    ),
    address: said.address,
  }));
}

/** What a change does to an item. */
interface Alteration {
  readonly before: Item | null;
  readonly after: Item | null;
  readonly outcome: Outcome | null;
  readonly moves: readonly Move[];
}

/** Whether a guard of the resource refuses the change of an item (language §2.1, `guards`). */
export function judgeGuards(
  resource: Resource,
  { before, after, outcome, moves }: Alteration,
  names: Names,
): Judged[] {
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update';
  const guard = stated(resource.guards)?.[verb];
  const item = after ?? before;
  // A guard that is open refuses nothing.
  if (guard?.kind !== 'stated' || item === null || outcome === 'unchanged') return [];
  const at = new Map(names).set('this', item);
  if (before && verb === 'update') at.set('old', before);
  const isPlain = outcome !== null && moves.length === 0;
  return [
    {
      reason: { name: 'guard refused', subject: `${resource.name}.${verb}`, failures: [] },
      holds: isPlain
        ? not(truthOf(guard.value, at, `the guard of ${resource.name}.${verb}`))
        : unseen(`whether the ${resource.name} is changed beside its state is not judged`),
      address: guard.address,
    },
  ];
}

/** Whether an item as a part of it leaves it breaks what its shape says of all members together: that is not foreseen. */
export function judgeTogether({ name, further }: Resource): Judged[] {
  const [first] = further.keywords.values();
  if (first === undefined) return [];
  return [
    {
      reason: { name: 'invalid', subject: name, failures: null },
      holds: unseen(
        `what holds of all members of ${withArticle(name)} together is not judged of some of them`,
      ),
      address: first.address,
    },
  ];
}

/** Whether a given value is one of which what holds of its field does not (language §2, `holds`). */
export function judgeHolds(
  resource: Resource,
  given: Iterable<readonly [string, Partly]>,
  after: Item,
  names: Names,
): Judged[] {
  return [...given].flatMap(([name, value]) => {
    const field = resource.fields.get(name);
    return [...((field && stated(field.holds)) ?? [])].map(([sentence, said]): Judged => {
      const failure = {
        field: name,
        keyword: 'holds',
        value: isKnownJson(value),
        limit: null,
        about: `${resource.name}.${name}`,
      };
      return {
        reason: { name: 'invalid', subject: `${resource.name}.${name}.holds`, failures: [failure] },
        holds: not(
          stating(said, (expression) =>
            expression === null
              ? yes
              : truthOf(expression, new Map(names).set('this', after).set('value', value), sentence),
          ),
        ),
        address: said.address,
      };
    });
  });
}

/** Whether a field may be given this value, where that is for some values or at some times alone (language §2.2, `writable`). */
export function mayGive(field: Field, value: Partly, before: Item, names: Names): Truth {
  const { writable, name } = field;
  const word = stated(writable);
  if (typeof word === 'object')
    return truthOf(word, new Map(names).set('this', before), `that ${name} may be written`);
  if (word !== 'same') return yes;
  const old = before.absent.has(name) ? null : before.known.get(name);
  if (old === undefined || !isKnown(value)) return unseen(`the ${name} is not known`);
  return known(equal(old, toJson(value)), `${name} is another`);
}

/** The condition of a member that may not be given as it is: it is as one that nobody stated. */
export function judgeGiving(field: Field, value: Partly, before: Item, names: Names): Judged {
  const { name, resource } = field;
  const failure = {
    field: name,
    keyword: 'others',
    value: isKnownJson(value),
    limit: null,
    about: `${resource}.${name}`,
  };
  return {
    reason: { name: 'invalid', subject: `${resource}.others`, failures: [failure] },
    holds: not(mayGive(field, value, before, names)),
    address: field.writable.address,
  };
}

function isKnownJson(value: Partly) {
  return isHole(value) || isMixed(value) || isAbsent(value) ? null : toJson(value);
}

/** Whether an expression is true; null is not (language §G.6). */
function truthOf({ template }: PlacedTemplate, names: Names, what: string): Truth {
  const value = workOut(template, names);
  if (isHole(value) || isMixed(value)) {
    const points = isHole(value) ? value.points : [];
    return points.length > 0 ? unknown(...points) : unseen(`${what} cannot be worked out from outside`);
  }
  return known(value === true, `${what} is not so`);
}
