import type { Frame } from '../../expression/compile.ts';
import type { Who } from '../access/who.ts';
import { firstRefusal } from '../judge/judge.ts';
import { type FrameOf, frame as frameOf, type Surroundings } from '../message/frame.ts';
import type { Failing } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import type { Reads, Row, Transaction } from '../store/store.ts';
import { type Doing, naming, nothingFound } from '../transaction/doing.ts';
import { type Found, itemsFound } from '../transaction/found.ts';
import type { Act, Acted } from './act.ts';
import type { Compiled } from './compiled.ts';
import { itemsOf } from './find.ts';
import type { Order } from './order.ts';
import { answerTo, shownWith } from './refuse.ts';
import { lasts } from './remember.ts';
import type { Request, Within } from './request.ts';

/** How a request is begun. */
export interface Beginning {
  /** Carries the change out. Default: as the operation states it. */
  readonly act?: Act['run'];
  /** What is judged. Default: all that is judged in a transaction. */
  readonly judges?: Order['late'];
  /** Who asks, if that is known. */
  readonly who?: Who;
}

/** A request against which nothing stands; or the answer to what does. */
export type Begun = { readonly within: Within } | { readonly reply: Reply };

/** Before a change is begun, nothing is changed. */
const idle: Acted = { outcome: null, names: {} };
export const changesNothing: Act['run'] = () => idle;

/** Where nobody is asked who they are. */
const unasked: Who = { actor: null, credential: 'none', grants: true };

/** Judges a request in its transaction, up to where it is carried out. */
export function begin(
  compiled: Compiled,
  request: Request,
  tx: Transaction,
  { act = compiled.act.run, judges = compiled.order.late, who: known }: Beginning = {},
): Begun {
  const now = compiled.around.now();
  const who = known ?? whoAsks(compiled, request, tx, now);
  const frame = framing(surroundings(compiled, request), request, who.actor, tx, now);
  const within = new InTransaction(compiled, request, who, { tx, now, frame, found: nothingFound() }, act);
  request.within = within;
  request.frame = frame;
  const refusal = judges.length > 0 ? firstRefusal(judges, request, compiled.refusals) : null;
  request.isLasting = refusal !== null && lasts(compiled, refusal);
  if (refusal === null) return { within };
  // What a row says of a refusal may be about the items that were found.
  const found = within.foundSoFar();
  const about = found ? itemsFound(within.doing, shownWith(compiled, refusal, found)) : {};
  return { reply: answerTo(compiled, refusal, (more) => frame({ ...about, ...more })) };
}

/** Who asks. Nothing of a parameter is taken in before that is known. */
export function whoAsks({ access, around }: Compiled, request: Request, reads: Reads, now: string): Who {
  if (access === null) return unasked;
  const { presented, proofs, asGiven } = request;
  const frame: FrameOf = (more) => frameOf(around, asGiven, { now, ...more }, reads);
  const who = access.who({ presented, reads, now, proofs, frame });
  request.actor = who.actor;
  return who;
}

function surroundings({ around, hashes }: Compiled, { proofs }: Request): Surroundings {
  return hashes ? { ...around, makers: { ...around.makers, hashed: proofs.hashed } } : around;
}

/** What expressions find in a transaction. Most add no names, and share one frame. */
function framing(
  { service, makers, handlers }: Surroundings,
  { view }: Request,
  actor: unknown,
  reads: Reads,
  now: string,
): FrameOf {
  const names = { service, actor, request: view, now };
  const plain: Frame = { names, makers, reads, handlers };
  return (more) => {
    for (const _name in more) return { names: { ...names, ...more }, makers, reads, handlers };
    return plain;
  };
}

/** What is asked of a request in its transaction is worked out once, and only if something asks. */
class InTransaction implements Within {
  readonly doing: Doing;
  readonly who: Who;
  readonly #compiled: Compiled;
  readonly #request: Request;
  readonly #act: Act['run'];
  #found: Found | null = null;
  #acted: Acted | null = null;

  constructor(compiled: Compiled, request: Request, who: Who, doing: Doing, act: Act['run']) {
    this.doing = doing;
    this.who = who;
    this.#compiled = compiled;
    this.#request = request;
    this.#act = act;
  }

  get isSeveral(): boolean {
    return this.#compiled.isSeveral;
  }

  get proofs(): Request['proofs'] {
    return this.#request.proofs;
  }

  found(): Found {
    this.#found ??= itemsOf(this.#compiled.finding, this.#request, this.doing);
    return this.#found;
  }

  foundSoFar(): Found | null {
    return this.#found;
  }

  change(): Acted {
    this.#acted ??= this.#act(this.doing, this.found());
    return this.#acted;
  }

  meets(): Row | null {
    return this.#compiled.act.meets(this.#named());
  }

  list(): readonly Failing[] {
    const { list } = this.#compiled;
    return list === null ? [] : list.check(this.doing.tx, this.#named().frame);
  }

  #named(): Doing {
    return naming(this.doing, this.found().bound);
  }
}
