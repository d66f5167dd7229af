import { expressionsIn } from '../../expression/template.ts';
import { instant, secondsOf } from '../../expression/time.ts';
import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Check } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { isReadable, membersOf } from '../item.ts';
import type { Item } from '../partly.ts';
import { apartMs, type Done, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, unseen, yes } from '../verdict.ts';

/** What is set to `now` at any change is later after one: `now` is later than any that was kept (language §2, G.2). */
export function later<S extends Done & { readonly start: Item }>(
  trial: Trial,
  resource: Resource,
  says: string,
): Check<S>[] {
  return [...resource.fields.values()].flatMap((field) => {
    const { update } = field;
    const [only, second] = update.kind === 'stated' ? expressionsIn(update.value.template) : [];
    if (second || only?.text.trim() !== 'now' || !isReadable(field)) return [];
    const check: Check<S> = {
      name: 'set.update',
      says: `${says} sets ${field.name} to a later time`,
      cites: { address: update.address, at: update.at },
      guard: ({ exchange, operation, names, shown, lens, start }) =>
        all(
          succeeded(exchange, operation),
          known(names.get('outcome') === 'changed', 'nothing was changed'),
          shown !== undefined && lens?.fields.get(field.name) === field && start.known.has(field.name)
            ? yes
            : unseen(`nothing shows ${field.name} before and after`),
          // What a client gave may be any time.
          stated(field.writable) === false || isPast(trial, start.known.get(field.name))
            ? yes
            : unseen(`${field.name} may have been later than now`),
          doesJustThat(trial.of, operation),
        ),
      claim: ({ start, shown }) => {
        const [before, after] = [start.known.get(field.name), membersOf(shown)?.[field.name]];
        return {
          truth: known(typeof after === 'string' && String(instant(after)) > String(instant(before))),
          expected: `later than ${shownAs(before)}`,
          found: shownAs(after),
        };
      },
    };
    return stated(update) ? [check] : [];
  });
}

/** Whether a time is past by whatever clock the service goes (language §F.3). */
function isPast({ now }: Trial, time: Json | undefined): boolean {
  return instant(time) !== time && secondsOf(time) * 1000 < now() - apartMs;
}
