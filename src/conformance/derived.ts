import { pathsRead } from '../expression/expression.ts';
import { expressionsIn, pathsIn, type Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import { type Check, ifReached, type Scenario, scenario } from './check.ts';
import { doesJustThat, succeeded } from './guards.ts';
import { membersOf } from './item.ts';
import { list, someItem } from './items.ts';
import { listerOf } from './lister.ts';
import { listUnder, partedBy, readsThoseUnder } from './lists/parted.ts';
import { type Item, type World, world, worldName } from './partly.ts';
import { make, perform, readBack } from './perform.ts';
import { lensOfAnswer } from './shows.ts';
import { workOut } from './solve.ts';
import { deed } from './success.ts';
import { type Done, type Entry, operationFor, restsOf, type Trial } from './trial.ts';
import { fits } from './unify.ts';
import { all, known } from './verdict.ts';
import { worldOf } from './world.ts';

/** An item as it was shown, and what was listed under it before; by resource. */
interface Derived extends Done {
  readonly under: ReadonlyMap<string, readonly Item[]>;
}

/** What is derived by way of other items: worked out anew from all that they show (language §2, `derived`). */
export function derivedElsewhere(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { of } = trial;
  const lens = lensOfAnswer(of, operation, resource);
  const fields = [...lens.fields.values()].filter((field) => {
    const template = stated(field.derived)?.template;
    return template !== undefined && sourcesOf(trial.of, resource, template).length > 0;
  });
  if (fields.length === 0) return [];
  const sources = fields.flatMap((field) => {
    const template = stated(field.derived)?.template;
    return template ? sourcesOf(trial.of, resource, template) : [];
  });
  const observe = async (find: () => Promise<Item>): Promise<Derived> => {
    const item = await find();
    const under = new Map<string, readonly Item[]>();
    // What is seen now is what holds: nothing is changed until the item is shown.
    for (const source of new Set(sources)) {
      const parted = listerOf(trial, source) ? null : partedBy(trial, source);
      const entries = parted && (await ifReached(() => listUnder(trial, parted, [item])));
      if (entries)
        under.set(
          source.name,
          entries.map((one) => one.item),
        );
      else if (!parted) await ifReached(() => inFull(trial, source));
    }
    return { ...(await perform(trial, operation, { item })), under };
  };
  /** All that is known, and of what is listed by the item alone those that are listed there, where no others are read. */
  const around = ({ under }: Derived, template: Template): World => {
    const { find, all: every } = worldOf(trial);
    return world(find, (name) => {
      const field = partedBy(trial, of.resourcesByName.get(name) as Resource)?.field.name;
      const listed = under.get(name);
      return listed && field && readsThoseUnder(template, name, field) ? listed : every(name);
    });
  };
  const check = (field: Field, about: string): Check<Derived> => ({
    name: 'derived.elsewhere',
    says: `${operation.key} shows ${field.name} as it is derived from other items${about}`,
    cites: { address: field.derived.address, at: field.derived.at },
    guard: ({ exchange, shown }) =>
      all(
        succeeded(exchange, operation),
        known(shown !== undefined, 'the answer shows no item'),
        doesJustThat(of, operation),
      ),
    claim: (seen) => {
      const template = stated(field.derived)?.template as Template;
      const names = new Map(seen.names).set(worldName, around(seen, template)).set('this', seen.item ?? null);
      return fits(workOut(template, names), membersOf(seen.shown)?.[field.name]);
    },
  });
  const looked = (said: string, find: () => Promise<Item>): Scenario =>
    scenario(
      of,
      [...restsOf(operation), deed(operation).address],
      () => observe(find),
      fields.map((field) => check(field, said)),
    );
  const references = referencesGiven(trial, resource, fields);
  return [
    looked('', () => referredTo(trial, resource)),
    // One that refers to items of its own: what is shown of another's would be told apart.
    ...(references.length > 0
      ? [looked(', by references to new ones', () => referringToNew(trial, resource, references))]
      : []),
  ];
}

/** The references that derived fields go by, of those that are given when an item is made. */
function referencesGiven(trial: Trial, resource: Resource, derived: readonly Field[]): readonly Field[] {
  const creator = operationFor(trial.of, resource, 'create');
  const given = creator && bodyOf(trial.of, creator)?.fields;
  const paths = derived.flatMap(({ derived: said }) =>
    expressionsIn((stated(said) as PlacedTemplate).template).flatMap(({ syntax }) => pathsRead(syntax)),
  );
  const names = paths.flatMap(([first, name, ...rest]) =>
    first === 'this' && rest.length > 0 ? [name] : [],
  );
  return [...new Set(names)].flatMap((name) => {
    const field = given?.get(name ?? '');
    return field && stated(field.refers) ? [field] : [];
  });
}

async function referringToNew(trial: Trial, resource: Resource, references: readonly Field[]): Promise<Item> {
  const members: [string, Json][] = [];
  for (const { name, refers } of references) {
    const to = stated(refers);
    const target = trial.of.resourcesByName.get(to?.resource ?? '');
    const key = target && (await make(trial, target)).item.known.get(to?.field ?? '');
    if (key !== undefined) members.push([name, key]);
  }
  return (await make(trial, resource, Object.fromEntries(members))).item;
}

/** The resources whose items bear on what is shown of a resource's own: these, and those that a derived field reads. */
export const bearing = once((of: Specification, resource: Resource): readonly Resource[] => {
  const templates = [...resource.fields.values()].flatMap(({ derived, shown }) =>
    [derived, shown].flatMap((said) => stated(said)?.template ?? []),
  );
  return [resource, ...templates.flatMap((template) => sourcesOf(of, resource, template))];
});

/** The resources whose items an expression reads: sets of them, and those that it comes to by a reference. */
function sourcesOf(of: Specification, resource: Resource, template: Template): readonly Resource[] {
  const paths = pathsIn(template);
  const names = paths.flatMap(([first = '', ...rest]): string[] => {
    if (of.resourcesByName.has(first)) return [first];
    const to =
      first === 'this' && rest.length > 1 ? stated(resource.fields.get(rest[0] ?? '')?.refers) : undefined;
    return to ? [to.resource] : [];
  });
  return [...new Set(names)].flatMap((name) => of.resourcesByName.get(name) ?? []);
}

/** An item that others refer to, where there is one. */
async function referredTo(trial: Trial, resource: Resource): Promise<Item> {
  const [kept] = trial.stock.get(resource.name) ?? [];
  return kept ?? (await someItem(trial, resource));
}

/** More items than these are not read one by one. */
const mostRead = 400;

/** All items of a resource, each in full: read one by one, where the list shows them in part. */
async function inFull(trial: Trial, resource: Resource): Promise<void> {
  const { entries } = await list(trial, resource);
  const isWhole = entries.every(({ lens }) => lens !== null && lens.view === null);
  if (isWhole || entries.length > mostRead || operationFor(trial.of, resource, 'read') === null) return;
  const full: Entry[] = [];
  for (const entry of entries) {
    const read = await ifReached(() => readBack(trial, entry.item));
    full.push(read?.item ? { ...entry, item: read.item } : entry);
  }
  trial.seenLists.set(resource, full);
}
