import type { Model } from '../../expression/query-operand.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Issuer } from '../access/issuer.ts';
import type { Outside } from '../access/outside.ts';
import type { PasswordQueue } from '../access/password-queue.ts';
import type { Changes } from '../change/changes.ts';
import type { Gone } from '../change/gone.ts';
import type { CompileSelect } from '../change/select.ts';
import type { Writers } from '../content/render.ts';
import type { Streams } from '../events/streams.ts';
import type { Handlers } from '../handlers/worked.ts';
import type { Counter } from '../limits/counter.ts';
import type { Surroundings } from '../message/frame.ts';
import type { HostLimits } from '../message/host-limits.ts';
import type { Reply } from '../message/reply.ts';
import type { Alongs } from '../resource/along.ts';
import type { KeptResource, Together } from '../resource/kept.ts';
import type { Plan } from '../store/plan.ts';
import type { Store } from '../store/store.ts';
import type { Running } from './repeats.ts';

/** What an operation needs of the service around it. */
export interface Around extends Surroundings {
  /** The specification by which items are stored, whatever the version of a request. */
  readonly newest: Specification;
  readonly store: Store;
  /** Carries a change out, together with others; null: nobody knows whether it was kept. */
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  readonly now: () => string;
  readonly resources: ReadonlyMap<string, KeptResource>;
  /** What a translation of expressions for the store has to know. */
  readonly model: Model;
  /** What answers read of items. */
  readonly along: Alongs;
  readonly together: ReadonlyMap<string, Together>;
  readonly changes: Changes;
  /** Null where no row tells of items that are gone. */
  readonly gone: Gone | null;
  readonly select: CompileSelect;
  readonly writers: Writers;
  /** Null where no credentials are the service's own. */
  readonly issuer: Issuer | null;
  /** How credentials are checked that others hold. */
  readonly outside: Outside;
  /** Where requests are counted. */
  readonly counter: Counter;
  /** Hears of each fault of the service's own, and of what is not sent. */
  readonly fault: (error: unknown) => void;
  /** Whether it is told which items a request wrote. */
  readonly tellsItems: boolean;
  /** A clock that never goes back. */
  readonly milliseconds: () => number;
  readonly limits: HostLimits;
  readonly passwords: PasswordQueue;
  /** The functions that the operator gives (language §I). */
  readonly given: Handlers;
  /** The keys of requests that are running (language §4.4). */
  readonly running: Running;
  /** Whether this process only reads, and hands over what may change something. */
  readonly isReader: boolean;
  /** Events as they come, for those who follow them; null where no endpoint streams any. */
  readonly streams: Streams | null;
  /** The answer 501, with the points that it takes to go on. */
  readonly hold: (operation: Operation, held: readonly string[]) => Reply;
}
