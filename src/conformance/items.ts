import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { Unreached } from './check.ts';
import { answerFound } from './guards.ts';
import { unmade } from './lens.ts';
import { mayBeLimited } from './limits/pace.ts';
import { listerOf } from './lister.ts';
import type { Item } from './partly.ts';
import { make, readBack } from './perform.ts';
import { notedAs, showedBy } from './sequences/witnesses.ts';
import { foreseenByTimer } from './states/timed-makers.ts';
import { type Done, type Entry, operationFor, type Trial } from './trial.ts';
import { walk } from './walk.ts';

/** An item to try things on: a new one, or else one that is there. */
export async function someItem(trial: Trial, resource: Resource): Promise<Item> {
  if (operationFor(trial.of, resource, 'create')) return (await make(trial, resource)).item;
  if (listerOf(trial, resource) === null && foreseenByTimer(trial, resource))
    return await trial.come(resource);
  const [first] = (await list(trial, resource)).entries;
  if (first === undefined) throw new Unreached(`there is no ${resource.name}, and no operation creates one`);
  return first.item;
}

/**
 * An item that requests are tried on which should be refused; a new one after any that was not.
 *
 * @param ready makes one of which nothing else refuses requests of this name; any will do where it is left out
 */
export async function spare(
  trial: Trial,
  resource: Resource,
  ready?: { readonly name: string; readonly make: () => Promise<Item> },
): Promise<Item> {
  const own = trial.spares.get(resource) ?? new Map<string, Item>();
  const purpose = ready?.name ?? '';
  const item = own.get(purpose) ?? (await (ready?.make() ?? someItem(trial, resource)));
  trial.spares.set(resource, own.set(purpose, item));
  return item;
}

/** Asks for the list of a resource's items. Throws `Unreached` where there is no list to see. */
export async function list(
  trial: Trial,
  resource: Resource,
): Promise<Done & { readonly entries: readonly Entry[] }> {
  const operation = listerOf(trial, resource);
  if (operation === null)
    throw new Unreached(`no operation that can be exercised lists every ${resource.name}`);
  const { last, pages, entries } = await walk(trial, operation);
  notedAs(
    entries,
    pages.map(({ exchange }) => exchange),
  );
  trial.seenLists.set(resource, entries);
  return { ...last, entries };
}

/** What a list shows is looked at after one request, and before the next. */
const keptIn = once((entries: readonly Entry[]): readonly Json[] => entries.map(unmade));

/** What is kept of a resource, as far as it can be seen: its list, or else one item of it. */
export async function snapshot(
  trial: Trial,
  resource: Resource,
  item: Item | null,
): Promise<readonly Json[]> {
  if (listerOf(trial, resource)) {
    const entries = trial.seenLists.get(resource) ?? (await list(trial, resource)).entries;
    return notedAs(keptIn(entries), showedBy(entries));
  }
  if (item === null) throw new Unreached(`nothing shows what is kept of ${resource.name}`);
  const { shown, lens, exchange, operation } = await readBack(trial, item);
  if (shown === undefined && mayBeLimited(trial.of, operation, exchange))
    throw new Unreached(`what is kept of ${resource.name} could not be looked at`);
  return notedAs(shown === undefined ? [answerFound(exchange)] : [unmade({ shown, lens })], [exchange]);
}
