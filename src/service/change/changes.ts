import type { Environment } from '../../expression/compile.ts';
import type { Model } from '../../expression/query-operand.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Issuer } from '../access/issuer.ts';
import type { Barred } from '../events/barred.ts';
import type { Emitting } from '../events/emitting.ts';
import type { KeptResource } from '../resource/kept.ts';
import { type Doing, isClear } from '../transaction/doing.ts';
import type { Done } from '../transaction/done.ts';
import { type Also, compileAlso } from './also.ts';
import { creating } from './create.ts';
import type { Gone } from './gone.ts';
import { compileGuards } from './guards.ts';
import { compileInvariants, type Invariants } from './invariants.ts';
import type { CompiledMachine, Move } from './machines.ts';
import { type Follow, moving } from './move.ts';
import { type Asking, compilePerform, type Perform, type Ways } from './perform.ts';
import type { Quotas } from './quotas.ts';
import { removal } from './remove.ts';
import { compileRevoke, type Revoke } from './revoke.ts';
import type { CompileSelect } from './select.ts';
import type { Timers } from './timers.ts';
import { updating } from './update.ts';
import { compileWriting, type Writing } from './write.ts';

/** The changes of a specification, ready to be compiled one by one (language §H.2). */
export interface Changes {
  readonly writing: Writing;
  readonly machines: ReadonlyMap<string, readonly CompiledMachine[]>;
  readonly perform: (change: Change, asking: Asking) => Perform;
  readonly also: (changes: readonly Change[]) => Also;
  /** Moves an item by itself. */
  readonly ways: Ways;
  /** Ends the credential of a scheme that the request came with (language §H.2, `revoke`). */
  readonly revoke: Revoke;
  readonly invariants: Invariants;
  /** What comes at the end of all changes: what always has to hold is judged, and what happened is told (language §6). */
  readonly settle: (doing: Doing, done: Done | null) => void;
  /** Whether an operation emits events. */
  readonly tells: (operation: string) => boolean;
}

/** What part 6 says of changes. */
interface Telling {
  readonly emitting: Emitting;
  readonly barred: Barred;
}

/** What changes are compiled of. */
interface Means {
  readonly machines: Changes['machines'];
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly timers: Timers;
  readonly select: CompileSelect;
  readonly model: Model;
  readonly environment: Environment;
  readonly issuer: Issuer | null;
  readonly quotas: Quotas;
  readonly gone: Gone | null;
  readonly events: Telling | null;
}

export function compileChanges(means: Means): Changes {
  const { machines, resources, timers, select, model, environment, issuer, quotas, gone, events } = means;
  const writing = compileWriting(
    timers,
    issuer,
    events?.barred ?? null,
    compileGuards(resources, environment),
    gone,
  );
  const revoke = compileRevoke(issuer);
  const remove = removal(resources, writing);
  const followers = new Map<Move, Also>();
  const follow: Follow = (move, doing, kept, before, after) => {
    followers.get(move)?.(doing, { kept, before, after, outcome: 'changed' });
  };
  const move = moving(writing, remove, follow);
  const update = updating(machines, writing, move);
  const ways: Ways = {
    environment,
    machines,
    move,
    update,
    remove,
    create: creating(machines, writing, move, update),
  };
  const also = (changes: readonly Change[]): Also => compileAlso(changes, resources, ways, select, revoke);
  for (const one of [...machines.values()].flat().flatMap(({ moves }) => moves))
    if (one.also.length > 0) followers.set(one, also(one.also));
  const invariants = compileInvariants(resources, model, environment, quotas);
  return {
    machines,
    writing,
    ways,
    also,
    revoke,
    perform: (change, asking) => compilePerform(change, ways, asking),
    invariants,
    settle: (doing, done) => {
      invariants.settle(doing);
      if (isClear(doing)) events?.emitting.settle(doing, done);
    },
    tells: (operation) => events?.emitting.names(operation) === true,
  };
}
