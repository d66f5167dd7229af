import type { Json } from '../../source/node.ts';
import { rest, step } from '../../specification/address.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Events, Kind } from '../../specification/parts/events.ts';
import { type Said, stated } from '../../specification/said.ts';
import { type Check, type Scenario, scenario } from '../check.ts';
import { closed, stating, succeeded } from '../guards.ts';
import { hole, isHole, type Partly } from '../partly.ts';
import { requestTo } from '../request.ts';
import { sample } from '../sample.ts';
import { type Names, workOut } from '../solve.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { fits } from '../unify.ts';
import { all, known, not, type Truth, unknown, unseen, yes } from '../verdict.ts';
import { type Following, follow, type Told } from './follow.ts';

/** What an operation was seen to do, and what was told meanwhile by a stream. */
interface Heard extends Done {
  /** The events of the kind that is looked for. */
  readonly own: readonly Told[];
  readonly told: readonly Told[];
}

/** A kind, as it is looked for. */
export interface Wanted {
  readonly name: string;
  readonly said: Said<Kind>;
  readonly kind: Kind;
  /** The name in `by` by which the operation emits it. */
  readonly by: string;
}

/** An operation is carried out while a stream is read: one event of the kind, with what is stated (language §6). */
export function emits(
  trial: Trial,
  events: Events,
  wanted: Wanted,
  operation: Operation,
  stream: Operation,
): Scenario {
  const { name, said, kind, by } = wanted;
  const says = (what: string): string => `${name}, emitted by ${by} (${operation.key}): ${what}`;
  const isTold = ({ own }: Heard): Truth => (own.length > 0 ? yes : unseen('no such event came'));
  const withheld: Check<Heard> = {
    name: 'event.withheld',
    says: says('none comes where its `when` is not true'),
    cites: { address: kind.when.address, at: kind.when.at },
    guard: (heard) => all(succeeded(heard.exchange, operation), not(due(trial, wanted, heard))),
    claim: ({ own }) => ({
      truth: known(own.length === 0),
      expected: 'no event of the kind',
      found: `${own.length}`,
    }),
  };
  const checks: Check<Heard>[] = [
    {
      name: 'event.emitted',
      says: says('one comes for the change'),
      cites: { address: kind.by.address, at: kind.by.at },
      guard: (heard) =>
        all(
          succeeded(heard.exchange, operation),
          changed(heard),
          due(trial, wanted, heard),
          deliverable(events, kind),
        ),
      claim: ({ own }) => ({
        truth: known(own.length === 1),
        expected: 'one event of the kind',
        found: own.length === 0 ? `none within ${trial.patienceMs} ms` : `${own.length}`,
      }),
    },
    {
      name: 'event.body',
      says: says('it tells what is stated'),
      cites: { address: kind.body.address, at: kind.body.at },
      guard: isTold,
      claim: (heard) => {
        const found = contentOf(events, heard.own[0]);
        if (found === undefined)
          return { truth: unknown(events.envelope.address), expected: 'an envelope', found: 'an open one' };
        const shown = fits(bodyOf(kind, by, heard), found.body);
        return { ...shown, truth: stating(kind.body, () => shown.truth) };
      },
    },
    {
      name: 'event.unlisted',
      says: says('nothing is told of a kind that nobody listed'),
      cites: { address: said.address, at: said.at },
      guard: isTold,
      claim: ({ told }) => {
        const kinds = [...(stated(events.kinds)?.keys() ?? [])];
        const other = told.find(({ event }) => !kinds.includes(event ?? ''));
        return {
          truth: other
            ? closed(trial.of, 'events.kinds').value
              ? known(false)
              : unknown(rest('events.kinds'))
            : yes,
          expected: kinds.join(', '),
          found: other ? (other.event ?? 'an event of no kind') : 'these',
        };
      },
    },
    ...(stated(kind.when) ? [withheld] : []),
    ...enveloped(events, name, says, isTold),
  ];
  const observe = async (): Promise<Heard> => {
    if (trial.persona) await trial.renew(trial.persona);
    const following = await follow(requestTo(trial, stream, {}));
    try {
      const done = await sample(trial, operation);
      await patiently(trial, following, name);
      const told = [...following.told];
      return { ...done, told, own: told.filter(({ event }) => event === name) };
    } finally {
      following.close();
    }
  };
  return scenario(trial.of, [...restsOf(operation), events.envelope.address], observe, checks);
}

/** Waits for an event of a kind, and no longer than the tester's patience lasts. */
async function patiently(trial: Trial, following: Following, name: string): Promise<void> {
  let isOver = false;
  const over = trial.wait(trial.patienceMs).then(() => {
    isOver = true;
  });
  while (!isOver && !following.told.some(({ event }) => event === name))
    await Promise.race([following.more(), over]);
}

/** CloudEvents 1.0.2 §3.1: what the required attributes are; the id is that of the stream's event. */
function enveloped(
  events: Events,
  name: string,
  says: (what: string) => string,
  guard: (heard: Heard) => Truth,
): Check<Heard>[] {
  const { envelope } = events;
  if (stated(envelope)?.kind !== 'cloudevents') return [];
  return [
    {
      name: 'event.envelope',
      says: says('it is a CloudEvent'),
      cites: { address: envelope.address, at: envelope.at },
      guard,
      claim: ({ own: [first], names }) => {
        const found = json(first) as { readonly [member: string]: Json } | undefined;
        const source = stated(events.source);
        const expected: { readonly [member: string]: Partly } = {
          specversion: '1.0',
          id: first?.id ?? hole(),
          type: name,
          source: source ? workOut(source.template, names) : hole(),
        };
        const own = Object.fromEntries(Object.keys(expected).map((key) => [key, found?.[key] ?? null]));
        return fits(expected, own);
      },
    },
  ];
}

/** What an event tells, taken out of what it was sent in; undefined where that is open, or of one's own. */
function contentOf(events: Events, told: Told | undefined): { readonly body: Json | undefined } | undefined {
  const { envelope } = events;
  if (envelope.kind === 'none') return { body: json(told) };
  if (stated(envelope)?.kind !== 'cloudevents') return undefined;
  return { body: (json(told) as { readonly data?: Json } | undefined)?.data };
}

function json(told: Told | undefined): Json | undefined {
  try {
    return told && (JSON.parse(told.data) as Json);
  } catch {
    return undefined;
  }
}

function bodyOf(kind: Kind, by: string, heard: Heard): Partly {
  const body = stated(kind.body);
  return body ? workOut(body.template, aboutEvent(by, heard)) : hole();
}

/** The names that the expressions of a kind find (language §6.1). */
function aboutEvent(by: string, { names, item, asked }: Heard): Names {
  const isGone = names.get('outcome') === 'deleted';
  return new Map(names)
    .set('this', (isGone ? asked : item) ?? hole())
    .set('old', names.get('outcome') === 'created' ? null : (asked ?? hole()))
    .set('event', { by });
}

/** Whether the operation changed something: where nothing is, nothing is told. */
function changed({ names }: Heard): Truth {
  const outcome = names.get('outcome');
  if (outcome === undefined || isHole(outcome)) return unseen('whether anything was changed cannot be told');
  return known(outcome !== null && outcome !== 'unchanged', 'nothing was changed');
}

/** Whether it is to be emitted of this change. Where nothing says when, and no more can be stated of the kind: always. */
function due({ of }: Trial, { name, kind: { when }, by }: Wanted, heard: Heard): Truth {
  if (when.kind === 'open') return closed(of, step('events.kinds', name));
  return stating(when, (condition) => {
    if (condition === null) return yes;
    const value = workOut(condition.template, aboutEvent(by, heard));
    return isHole(value)
      ? unseen('whether it is to be emitted cannot be told')
      : known(value === true, 'its `when` is not true');
  });
}

/** Whether it can be told: what it says, and what it is sent in. */
function deliverable({ envelope, source }: Events, { body }: Kind): Truth {
  const isCloudEvent = stated(envelope)?.kind === 'cloudevents';
  return all(
    ...[body, envelope, ...(isCloudEvent ? [source] : [])].map((said: Said<unknown>) =>
      stating(said, () => yes),
    ),
  );
}

/** The operations by which a kind is emitted: those named, and those that ask for a transition that is. */
export function emittersOf({ of }: Trial, by: string): readonly Operation[] {
  const named = of.operations.filter((one) => one.name === by);
  if (named.length > 0) return named;
  const [resource, move] = by.split('.');
  return of.operations.filter(
    (one) => one.subject?.name === resource && stated(one.does)?.verb === move && move !== undefined,
  );
}

export function streamsOf(
  trial: Trial,
  events: Events,
): readonly { readonly name: string; readonly operation: Operation }[] {
  return [...(stated(events.delivery) ?? [])].flatMap(([name, said]) => {
    const way = stated(said);
    const key = way?.kind === 'stream' ? stated(way.stream)?.text : undefined;
    const operation = trial.of.operations.find((one) => one.key === key);
    return operation ? [{ name, operation }] : [];
  });
}

export function kindsOf(events: Events): readonly Wanted[] {
  return [...(stated(events.kinds) ?? [])].flatMap(([name, said]) => {
    const kind = stated(said);
    return (stated(kind?.by) ?? []).flatMap(({ text: by }) => (kind ? [{ name, said, kind, by }] : []));
  });
}
