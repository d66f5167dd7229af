import type { Operation } from '../../specification/model/operation.ts';
import type { Access } from '../access/access.ts';
import type { AnswerTo } from '../content/answers.ts';
import type { CompiledHandled } from '../handlers/handled.ts';
import type { Refusals } from '../judge/refusals.ts';
import type { CompiledList } from '../list/list.ts';
import type { CompiledRun } from '../run/run.ts';
import type { Renamings } from '../shape/renaming.ts';
import type { Act } from './act.ts';
import type { Around } from './around.ts';
import type { CompiledConditional } from './conditional.ts';
import type { Finding } from './find.ts';
import type { Order } from './order.ts';
import type { CompiledRepeats } from './repeats.ts';

/** What the stages of a request need of its operation. What the document does not state is null, and costs nothing. */
export interface Compiled {
  readonly operation: Operation;
  readonly around: Around;
  /** Why a request is refused, and in which order. */
  readonly order: Order;
  readonly refusals: Refusals;
  /** Names of an older version, by which failures are told. */
  readonly renamings: Renamings | null;
  /** Who may ask. */
  readonly access: Access | null;
  readonly finding: Finding;
  readonly act: Act;
  readonly answer: AnswerTo;
  /** The list that it answers with. */
  readonly list: CompiledList | null;
  readonly conditional: CompiledConditional | null;
  readonly repeats: CompiledRepeats | null;
  /** The function of the operator's that carries it out. */
  readonly handled: CompiledHandled | null;
  /** The requests that it sends to another operation. */
  readonly run: CompiledRun | null;
  /** Whether it is about several items. */
  readonly isSeveral: boolean;
  /** Whether work beside the service's own is waited for before a request can be judged: a password, a shared count. */
  readonly judgesWait: boolean;
  /** Whether secrets of items may have to be hashed. */
  readonly hashes: boolean;
  /** How long a request may take, in milliseconds; undefined: that is the host's to say. */
  readonly timeMs: number | undefined;
}
