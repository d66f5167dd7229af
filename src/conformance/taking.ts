import { pathsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import type { Refusing } from './answered.ts';
import { type Body, bodyOf } from './body.ts';
import { type Check, ifReached, type Scenario, type Statement, scenario } from './check.ts';
import { setAsStated } from './creation.ts';
import { fitting } from './foresee/fitting.ts';
import { closed, doesJustThat, succeeded } from './guards.ts';
import { isReadable, type Members, membersOf } from './item.ts';
import { spare } from './items.ts';
import { comesBack } from './kept.ts';
import { keysGiven, renewed } from './keys.ts';
import { isMergePatch, mergePatch } from './merge.ts';
import type { Item } from './partly.ts';
import { create, isFree, perform, readBack } from './perform.ts';
import type { Probe } from './probes.ts';
import { bodyFor } from './request.ts';
import { isMove, readyItem } from './sample.ts';
import { isShownBy } from './shown-in.ts';
import { withLess } from './smaller.ts';
import { succeeds } from './success.ts';
import { type Done, restsOf, type Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { all, type Truth, unseen } from './verdict.ts';

/** An operation that takes members of a resource, and how it is asked with them. */
export interface Taking {
  readonly trial: Trial;
  readonly operation: Operation;
  readonly resource: Resource;
  readonly body: Body;
  /** Members that fit, all there are; each time others, since a value may serve once. */
  readonly usual: () => Members;
  /** Asks with members; an identifier among them is made anew, unless it is the one that is tried. */
  readonly ask: (members: Members, tried: string | undefined) => Promise<Done>;
  /**
   * The same where it should be refused: an item that was not changed serves again. A transition is asked of an item
   * that it would move, so that nothing else refuses it.
   */
  readonly refuse: (
    members: Members,
    tried: string | undefined,
  ) => Pick<Refusing, 'item' | 'send' | 'members'>;
  /** Unknown where what is tried may be another item's already, and nobody else's may be alike. */
  readonly isFree: (done: Done, tried: string) => Truth;
}

/** How an operation takes members; null where its body is open, or there is none. */
export function takingOf(trial: Trial, operation: Operation, resource: Resource): Taking | null {
  const body = bodyOf(trial.of, operation);
  if (body === null) return null;
  const creates = stated(operation.does)?.verb === 'create';
  const keys = keysGiven(operation, body);
  const anew = (members: Members, tried: string | undefined): Json =>
    renewed(
      trial,
      body,
      keys.filter((key) => key !== tried),
      members,
    );
  const make = (members: Members, tried: string | undefined, stays = false): Promise<Done> =>
    create(trial, operation, anew(members, tried), { keepsKey: keys.includes(tried ?? ''), stays });
  const unchanged = (): Promise<Item> =>
    spare(
      trial,
      resource,
      isMove(trial, operation, resource)
        ? { name: operation.key, make: () => readyItem(trial, operation, resource) }
        : undefined,
    );
  return {
    trial,
    operation,
    resource,
    body,
    usual: () => membersOf(bodyFor(trial, operation, 'most')) ?? {},
    ask: async (members, tried) => {
      const done = creates
        ? await make(members, tried)
        : await perform(trial, operation, {
            item: await readyItem(trial, operation, resource),
            body: anew(members, tried),
          });
      const { item, shown, exchange } = done;
      if (shown !== undefined || item === null || succeeded(exchange, operation).value !== true) return done;
      const read = await ifReached(() => readBack(trial, item));
      return { ...done, shown: read?.shown, lens: read?.lens ?? null };
    },
    refuse: (members, tried) => ({
      members: Object.keys(members),
      ...(creates ? {} : { item: unchanged }),
      send: async (item) =>
        item === undefined
          ? await make(members, tried, true)
          : await perform(trial, operation, { item, body: anew(members, tried) }),
    }),
    isFree: (done, tried) => isFree(trial.of, done, keys, [tried]),
  };
}

/** Members that fit, of which some stand for a bound: taken, and given back as given. */
export function taken(
  taking: Taking,
  members: Members,
  place: readonly string[],
  cites: Statement,
): Scenario {
  const { trial, operation, resource } = taking;
  const [name] = place;
  const given = settled(taking, members, name);
  // A body of a transition may have members of its own, that fields are called like.
  const isOwn = name !== undefined && isMove(trial, operation, resource) && !taking.body.fields.has(name);
  const field = name === undefined || isOwn ? undefined : resource.fields.get(name);
  const says = `${operation.key} with ${describe(given, place, [])}`;
  const should = succeeds(trial, operation, says, Object.keys(given), cites);
  const checks = [
    { ...should, guard: (done: Done) => all(should.guard(done), taking.isFree(done, name ?? '')) },
    ...(field && staysAsGiven(operation, field) && isShownBy(trial.of, operation, resource, field)
      ? [givenBack(taking, field, says, given)]
      : []),
    ...(name === undefined ? [] : setFrom(taking, name)).map((one) =>
      setAsStated(trial.of, operation, one, says),
    ),
  ];
  return {
    ...scenario(trial.of, restsOf(operation), async () => await taking.ask(given, name), checks),
    smaller: function* () {
      for (const less of name === undefined ? [] : withLess(taking, given, [name]))
        yield taken(taking, less, place, cites);
    },
  };
}

/** Whether what a client gives is shown, and nothing else is set at the same change (language §2.2, `set`). */
export function staysAsGiven({ does }: Operation, field: Field): boolean {
  const isSet = field.update.kind === 'stated' || field.update.kind === 'any';
  return isReadable(field) && (stated(does)?.verb === 'create' || !isSet);
}

/** What the service makes of a member on creation, where that is shown (language §2.2, `set`). */
function setFrom({ trial, operation, resource }: Taking, member: string): readonly Field[] {
  if (stated(operation.does)?.verb !== 'create') return [];
  const reads = ({ create }: Field): boolean =>
    create.kind === 'stated' &&
    pathsIn(create.value.template).some(([first, name]) => first === 'this' && name === member);
  return [...resource.fields.values()].filter(
    (field) => reads(field) && isReadable(field) && isShownBy(trial.of, operation, resource, field),
  );
}

/** The same with other members besides the one that is tried, where these would break what must hold of them all. */
function settled(taking: Taking, members: Members, name: string | undefined): Members {
  const { trial, operation, body } = taking;
  if (name === undefined) return members;
  let given: Members | undefined;
  const make = (): Members => {
    given = given ? { ...taking.usual(), [name]: members[name] as Json } : members;
    return given;
  };
  return membersOf(fitting(trial, operation, body.schema, make, null, [name])) ?? members;
}

/** A member that a success shows is the one that was given, as long as nothing says that it is taken otherwise. */
export function givenBack(
  { trial, operation }: Taking,
  field: Field,
  says: string,
  members: Members,
): Check<Done> {
  return {
    name: 'given.back',
    says: `${says} gives ${field.name} back`,
    cites: { address: field.address, at: field.at },
    guard: ({ exchange, shown, lens }) =>
      all(
        succeeded(exchange, operation),
        shown === undefined || (lens && lens.fields.get(field.name) !== field)
          ? unseen(`nothing shows what ${operation.key} made of it`)
          : all(closed(trial.of, field.address), doesJustThat(trial.of, operation)),
      ),
    claim: ({ asked, shown, given, names }) => {
      // What was sent in the end: a value that no other item may have was made anew.
      const sent = (membersOf(given)?.[field.name] ?? members[field.name]) as Json;
      const kept = asked?.known.get(field.name);
      const value = isMergePatch(operation) && membersOf(sent) ? (mergePatch(kept, sent) ?? sent) : sent;
      return comesBack(field, value, membersOf(shown)?.[field.name], names, trial.tools.resolve);
    },
  };
}

/** The member that a request is about, for people. */
export function describe(members: Members, place: readonly string[], failures: Probe['failures']): string {
  const [name] = place;
  const [failure] = failures;
  if (failure?.keyword === 'required') return `no ${failure.path.join('.')}`;
  if (name === undefined) return shownAs(members);
  const value = members[name];
  const shown = shownAs(value);
  const many = `${[...(typeof value === 'string' ? value : JSON.stringify(value))].length} characters`;
  return `${name}: ${shown.length > 60 ? `${shown.slice(0, 40)}... (${many})` : shown}`;
}
