import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Body, bodyOf } from '../body.ts';
import { type Scenario, scenario, Unreached } from '../check.ts';
import { fitting } from '../foresee/fitting.ts';
import { refreshed } from '../foresee/going.ts';
import { membersOf } from '../item.ts';
import { someItem } from '../items.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { showsAsStated } from '../shows.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { alsoDone } from './also.ts';
import { becomes } from './becomes.ts';
import { isListed, leavesOthers, live, readsTheSame } from './listing.ts';

/** `replace`: what is given is set, and what is not returns to its default or goes (language §H.2). */
export function replaces(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const body = bodyOf(trial.of, operation);
  if (body === null) return [];
  const usual = (size: 'least' | 'most'): Json => bodyFor(trial, operation, size) ?? {};
  const required = (body.schema['required'] ?? []) as readonly string[];
  const optional = [...body.fields.keys()].filter((name) => !required.includes(name));
  // What else would keep it from being refused is left out.
  const least = (): Json => {
    const made = usual('least');
    const all = Object.entries(membersOf(made) ?? {});
    const few = Object.fromEntries(all.filter(([name]) => required.includes(name)));
    return trial.tools.failures(body.schema, few).length === 0 ? few : made;
  };
  // What may not stand without it goes, too.
  const without = (name: string): Json => {
    const all = Object.entries(membersOf(usual('most')) ?? {});
    const few = [name, ...optional]
      .map((other) => Object.fromEntries(all.filter(([one]) => one !== name && one !== other)))
      .find((one) => trial.tools.failures(body.schema, one).length === 0);
    if (few === undefined) throw new Unreached(`no body without ${name} fits`);
    return few;
  };
  const cases: (readonly [string, () => Json])[] = [
    ['with every member', () => usual('most')],
    ['with the required members alone', least],
    ...optional.map((name) => [`without ${name}`, () => without(name)] as const),
    ['of what was replaced before', () => usual('most')],
  ];
  return cases.map(([label, given], index) => {
    const says = `${operation.key} ${label}`;
    const observe = async () => {
      const made = await someItem(trial, resource);
      const item = index === cases.length - 1 ? await replacedOnce(trial, operation, body, made) : made;
      const chosen = fitting(trial, operation, body.schema, given, item);
      return await live(trial, resource, operation, () => perform(trial, operation, { item, body: chosen }));
    };
    return scenario(trial.of, restsOf(operation), observe, [
      succeeds(trial, operation, says, [...body.fields.keys()]),
      becomes(trial, operation, resource, says),
      ...isListed(trial, operation, resource),
      ...leavesOthers(trial, operation, resource),
      ...readsTheSame(trial, operation, resource),
      ...(index === 0
        ? [
            ...looksAsStated(trial, operation),
            ...showsAsStated(trial, operation, resource),
            ...alsoDone(trial, operation, says, []),
          ]
        : []),
    ]);
  });
}

/** The item after one replacement. */
async function replacedOnce(trial: Trial, operation: Operation, model: Body, item: Item): Promise<Item> {
  const body = fitting(trial, operation, model.schema, () => bodyFor(trial, operation, 'most') ?? {}, item);
  const done = await perform(trial, operation, { item, body });
  return done.item ? await refreshed(trial, done, done.item) : item;
}
