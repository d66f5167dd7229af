import { passwordQueue } from './access/password-queue.ts';
import { compileChanges } from './change/changes.ts';
import { compileQuotas } from './change/quotas.ts';
import { compileSelect } from './change/select.ts';
import { compileTimers, hasTimers, type Timers } from './change/timers.ts';
import type { CompiledDocument } from './compiling.ts';
import { environmentOf } from './content/render.ts';
import type { Delivering } from './events/events.ts';
import { followWork } from './handlers/work.ts';
import { compileWorked } from './handlers/worked.ts';
import { compileWorker, type Worker } from './handlers/worker.ts';
import { frame, type Surroundings } from './message/frame.ts';
import type { HostLimits } from './message/host-limits.ts';
import type { Reply } from './message/reply.ts';
import type { Opened } from './opening.ts';
import type { ServiceOptions } from './options.ts';
import type { Around } from './request/around.ts';
import { heldBy } from './routes.ts';
import { batches } from './store/batch.ts';
import type { Plan } from './store/plan.ts';
import type { Store } from './store/store.ts';
import { type Alarm, compileAlarm } from './time/alarm.ts';
import type { ByItself } from './time/by-itself.ts';
import { type Clock, clock, following, machineWake, type Time } from './value/clock.ts';
import { makers as systemMakers } from './value/makers.ts';
import type { Edition } from './versions/editions.ts';

/** The clocks of a service: the machine's, or that of the server where what is kept is. */
export interface Clocks extends Time {
  /** Hears how far the server's clock is ahead of this machine's, in milliseconds. */
  readonly hear: (aheadMs: number) => void;
}

export function clocksOf(options: ServiceOptions): Clocks {
  const { milliseconds: storeClock, hear } = following();
  const milliseconds = options.milliseconds ?? storeClock;
  return { milliseconds, wake: options.wake ?? machineWake(milliseconds), hear };
}

/** What a service works with once what is kept is open. */
export interface Working {
  readonly store: Store;
  readonly now: Clock;
  /** What operations need, by the version whose they are. */
  readonly around: Around;
  readonly aroundOf: (edition: Edition) => Around;
  readonly byItself: ByItself;
  readonly service: { url: string };
  /** What carries out timers; null: there are none, or another process does. */
  readonly alarm: Alarm | null;
  /** What calls the functions that work on items; null: there are none, or another process does. */
  readonly worker: Worker | null;
}

export interface WorkingAround {
  readonly document: CompiledDocument;
  readonly options: ServiceOptions;
  readonly opened: Opened;
  readonly delivering: Delivering | null;
  readonly limits: HostLimits;
  readonly clocks: Clocks;
  readonly fault: (error: unknown) => void;
}

export function work(given: WorkingAround): Working {
  const { document, options, opened, delivering, limits, clocks, fault } = given;
  const { machines, works } = document;
  const store = delivering?.store ?? opened.store;
  const now = clock(clocks.milliseconds, store.latest);
  store.onTime?.(({ latest, aheadMs }) => {
    clocks.hear(aheadMs);
    now.pass(latest);
  });
  // Both work by what is compiled here, and are told of what it wrote.
  let alarm: Alarm | null = null;
  let worker: Worker | null = null;
  const ahead = (): Promise<void> | undefined => (alarm?.isDue() ? alarm.ring() : undefined);
  const commit = batches(store, now, ahead, fault);
  const timers = both(
    compileTimers(machines, (due) => alarm?.set(due)),
    followWork(works, () => worker?.tell()),
  );
  const service = { url: options.url ?? '' };
  const shared: Shared = {
    ...sharedOf(given, store, service),
    commit: (plan: Plan) => new Promise<Reply | null>((resolve) => commit(plan, resolve)),
    now: store.steady(now, { isTime: true }),
  };
  const aroundOf = (edition: Edition): Around => compileAround(edition, document, timers, shared);
  const around = aroundOf(document.newest);
  const byItself: ByItself = {
    now: around.now,
    resources: document.newest.resources,
    changes: around.changes,
    frame: (reads, names) => frame(around, null, names, reads),
  };
  const { milliseconds, wake } = clocks;
  if (!shared.isReader && hasTimers(machines))
    alarm = compileAlarm({ ...byItself, store, milliseconds, wake, latest: now.latest, fault });
  if (!shared.isReader && works.length > 0)
    worker = compileWorker({ ...byItself, wake, works, store, commit: around.commit, limits, fault });
  return { store, now, around, aroundOf, byItself, service, alarm, worker };
}

/** What the operations of all versions need alike. */
type Shared = Omit<Around, keyof Edition | 'select' | 'changes' | 'handlers' | 'hold'>;

function sharedOf(
  { document, options, opened, delivering, limits, fault }: WorkingAround,
  store: Store,
  service: Surroundings['service'],
): Omit<Shared, 'commit' | 'now'> {
  const { specification, issuer, gone, outside } = document;
  const made = systemMakersOf(options);
  return {
    service,
    // What is made at random is the same where a plan or a look begins anew.
    makers: {
      ...made,
      uuid: store.steady(made.uuid),
      random: store.steady(made.random),
      ...(issuer && { issue: issuer.issue, jwks: issuer.jwks }),
    },
    newest: specification,
    store,
    issuer,
    gone,
    outside,
    counter: opened.counter,
    milliseconds: options.milliseconds ?? (() => performance.now()),
    fault,
    tellsItems: options.tellsItems ?? false,
    limits,
    passwords: passwordQueue(limits.passwordChecks),
    given: options.handlers ?? {},
    running: new Map(),
    isReader: options.sharing?.role === 'reader',
    streams: delivering?.streams ?? null,
  };
}

function systemMakersOf({ makers, milliseconds }: ServiceOptions): NonNullable<ServiceOptions['makers']> {
  return makers ?? systemMakers(undefined, milliseconds);
}

/** What the operations of a version need. */
function compileAround(
  edition: Edition,
  { newest, machines, issuer, gone, events }: CompiledDocument,
  timers: Timers,
  shared: Shared,
): Around {
  const { specification, model, resources, writers } = edition;
  const environment = environmentOf(writers);
  const select = compileSelect(model, environment);
  const quotas = compileQuotas(newest.specification, resources, environment);
  const means = { machines, timers, select, environment, issuer, quotas, gone, events };
  return {
    ...shared,
    ...edition,
    select,
    changes: compileChanges({ ...edition, ...means }),
    handlers: compileWorked(shared.given, resources),
    hold: (operation, held) => heldBy(specification, operation, held),
  };
}

function both(timers: Timers, follow: Timers['follow']): Timers {
  return {
    follow: (...written) => {
      timers.follow(...written);
      follow(...written);
    },
  };
}
