import { type Operation, pathsMatched } from '../../specification/model/operation.ts';
import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Version } from '../../specification/vocabulary/parts/versioning.ts';
import type { Segment } from '../../specification/vocabulary/paths.ts';
import type { Scenario, Statement } from '../check.ts';
import { closed } from '../guards.ts';
import { withOthers } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { requestTo } from '../request.ts';
import { itemFor } from '../sample.ts';
import { heldUp, send, type Trial } from '../trial.ts';
import { all } from '../verdict.ts';
import { inVersion } from './crossed.ts';

/** An endpoint that an older version has not got, asked for in it, is answered as what no endpoint has (language §9.3). */
export function gone(trial: Trial, name: string, { differs }: Version): ReadonlyMap<string, Scenario> {
  const { of } = trial;
  const older = of.older.get(name)?.specification;
  const found = new Map<string, Scenario>();
  if (older === undefined) return found;
  for (const [written, { path, at }] of stated(differs) ?? []) {
    const [part, key, ...further] = path.map(String);
    const operation = of.operations.find((one) => one.key === key);
    if (part !== 'endpoints' || further.length > 0 || !operation || heldUp(of, operation) !== null) continue;
    const there = older.operations.filter((one) =>
      pathsMatched(one).some(({ path }) => isMet(path, operation.path)),
    );
    // What another path meets is about something else there.
    const isTheSame = there.every(
      (one) => one.method !== operation.method && isMet(operation.path, one.path),
    );
    if (isTheSame) {
      const cites = { address: step(differs.address, written), at };
      found.set(written, refused(inVersion(trial, name, older), trial, operation, there.length > 0, cites));
    }
  }
  return found;
}

function refused(
  older: Trial,
  trial: Trial,
  operation: Operation,
  hasPath: boolean,
  cites: Statement,
): Scenario {
  const reason: Reason = {
    name: hasPath ? 'method not allowed' : 'unknown path',
    subject: '',
    failures: [],
  };
  return refusing(older, {
    says: `${operation.key}, which this version has not got,`,
    operation: null,
    cites,
    reasons: [reason],
    must: all(closed(older.of, 'endpoints'), mustRefuse(older.of, null, reason)),
    send: async () => {
      const item = await itemFor(trial, operation);
      const attempt = await withOthers(trial, operation, item ? { item } : {});
      const exchange = await send(older, requestTo(trial, operation, attempt));
      // What was carried out all the same may have changed it.
      if ((exchange.response?.status ?? 0) < 400) trial.spares.clear();
      return { exchange };
    },
  });
}

/** Whether each path that is as another says may be one of these, too. */
function isMet(path: readonly Segment[], other: readonly Segment[]): boolean {
  return (
    path.length === other.length &&
    path.every((one, index) => {
      const of = other[index] as Segment;
      return !('literal' in one) || ('literal' in of && of.literal === one.literal);
    })
  );
}
