import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { step } from '../../specification/reading/address.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, type Scenario, type Seen, type Statement, scenario } from '../check.ts';
import { succeeded } from '../guards.ts';
import type { Exchange } from '../http.ts';
import { membersOf } from '../item.ts';
import { someItem } from '../items.ts';
import { absent, type Item, type Partly } from '../partly.ts';
import { perform, readBack } from '../perform.ts';
import { workOut } from '../solve.ts';
import { type Done, operationFor, type Trial } from '../trial.ts';
import { fits } from '../unify.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';

/** An item as two versions show it, before and after the older was given back what it had shown. */
interface Crossed extends Seen {
  readonly item: Item;
  readonly now: Json | undefined;
  readonly older: Json | undefined;
  /** Null where the older version has no operation for it. */
  readonly back: Exchange | null;
  readonly after: Json | undefined;
}

/** A field that an older version has otherwise. */
export interface Differing {
  readonly field: Field;
  /** As the version has it, and what it is called there; null: it has no such field. */
  readonly older: Field | undefined;
  readonly name: string | null;
  readonly cites: Statement;
}

/** The same item through the newest version and an older one (language §9.3). */
export function crossed(trial: Trial, version: string): Scenario[] {
  const { of } = trial;
  const older = of.older.get(version);
  if (older === undefined) return [];
  return [...of.resourcesByName.values()].flatMap((resource) => {
    const then = older.specification.resourcesByName.get(resource.name);
    const differing = then ? differingFields(of, version, resource, then, older.was) : [];
    const read = then && operationFor(older.specification, then, 'read');
    if (differing.length === 0 || !then || !read || operationFor(of, resource, 'read') === null) return [];
    const update = operationFor(older.specification, then, 'update');
    const observe = (): Promise<Crossed> =>
      cross(inVersion(trial, version, older.specification), trial, resource, read, update, differing);
    const rests = differing.map(({ cites }) => cites.address);
    return [
      scenario(
        of,
        rests,
        observe,
        differing.flatMap((one) => checksOf(version, resource, update, one)),
      ),
    ];
  });
}

/** The fields of a resource of which this version, and none that is newer, says something else. */
export function differingFields(
  of: Specification,
  version: string,
  resource: Resource,
  then: Resource,
  was: ReadonlyMap<string, string | null>,
): Differing[] {
  const said = stated(stated(stated(of.versioning)?.versions)?.get(version))?.differs;
  return [...((said && stated(said)) ?? [])].flatMap(([written, { path, at }]) => {
    const [, name, , field = ''] = path.map(String);
    const now = resource.fields.get(field);
    if (said === undefined || !isOfField(path) || name !== resource.name || now === undefined) return [];
    const called = was.get(now.address);
    const found = then.fields.get(field);
    return [
      {
        field: now,
        older: found,
        name: found === undefined || called === null ? null : (called ?? field),
        cites: { address: step(said.address, written), at },
      },
    ];
  });
}

/** Whether what stands at an address is a field of a resource. */
export function isOfField([part, , key, ...further]: readonly (string | number)[]): boolean {
  return part === 'resources' && key === 'fields' && further.length === 1;
}

/** The same run, in another version: what it sees there is no knowledge of the newest. */
export function inVersion(trial: Trial, version: string, of: Specification): Trial {
  const { client } = trial;
  return {
    ...trial,
    of: { ...of, ...(trial.of.credentials && { credentials: trial.of.credentials }) },
    client: { ...client, send: (request) => client.send({ version, ...request }) },
    stock: new Map(),
    around: new Map(),
  };
}

async function cross(
  older: Trial,
  trial: Trial,
  resource: Resource,
  read: Operation,
  update: Operation | null,
  differing: readonly Differing[],
): Promise<Crossed> {
  const item = await someItem(trial, resource);
  const look = async (): Promise<Done> => await readBack(trial, item);
  const now = await look();
  const then = await perform(older, read, { item });
  const shown = membersOf(then.shown ?? null);
  const given = differing.flatMap(({ name, older: field }) =>
    name !== null && shown && Object.hasOwn(shown, name) && field && stated(field.writable) !== false
      ? [[name, shown[name] as Json] as const]
      : [],
  );
  const back =
    update && given.length > 0
      ? (await perform(older, update, { item, body: Object.fromEntries(given) })).exchange
      : null;
  return {
    exchange: then.exchange,
    item: now.item ?? item,
    now: now.shown,
    older: then.shown,
    back,
    after: back === null ? undefined : (await look()).shown,
  };
}

function checksOf(
  version: string,
  resource: Resource,
  update: Operation | null,
  one: Differing,
): Check<Crossed>[] {
  const { field, older: then, name, cites } = one;
  const says = `${resource.name}.${field.name} in version ${version}`;
  const kept = (shown: Json | undefined): Json | undefined => membersOf(shown ?? null)?.[field.name];
  const isSeen = ({ now, older }: Crossed): Truth =>
    membersOf(now ?? null) && membersOf(older ?? null)
      ? yes
      : unseen(`no answer shows ${resource.name} in both versions`);
  const isPlain = known(!isSaid(field.shown), 'the newest version does not show what is kept');
  const expected = ({ now, item }: Crossed): Partly => {
    const value = kept(now);
    if (name === null || value === undefined) return absent;
    const shown = then && stated(then.shown);
    return shown
      ? workOut(
          shown.template,
          new Map<string, Partly>([
            ['value', value],
            ['this', item],
          ]),
        )
      : value;
  };
  const checks: Check<Crossed>[] = [
    {
      name: 'version.shown',
      says: `${says} is shown as stated`,
      cites,
      guard: (seen) =>
        all(
          isSeen(seen),
          isPlain,
          known(name === null || kept(seen.now) !== undefined, `the item has no ${field.name}`),
        ),
      claim: (seen) => fits(expected(seen), membersOf(seen.older ?? null)?.[name ?? field.name]),
    },
  ];
  if (name !== null && then && stated(then.writable) !== false)
    checks.push({
      name: 'version.taken',
      says: `${says}, given back as it was shown, leaves the item as it was`,
      cites,
      guard: ({ back, older }) =>
        back === null || update === null || membersOf(older ?? null)?.[name] === undefined
          ? unseen(`no operation of version ${version} takes it`)
          : succeeded(back, update),
      claim: ({ now, after }) => fits(kept(now) ?? absent, kept(after)),
      exchange: ({ back, exchange }) => back ?? exchange,
    });
  return checks;
}
