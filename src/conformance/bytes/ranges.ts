import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Check, notKnown, type Scenario, scenario } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { header } from '../http.ts';
import { perform } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known } from '../verdict.ts';
import { content, itemWithBytes, writerOf } from './bytes.ts';
import { fieldRead } from './field.ts';

const reason: Reason = { name: 'range not satisfiable', subject: '', failures: [] };

/** The first byte, some in the middle, and the last: as they are asked for, and as `Content-Range` names them. */
const parts = [
  { range: 'bytes=0-0', from: 0, to: 0 },
  { range: 'bytes=4-7', from: 4, to: 7 },
  { range: 'bytes=-2', from: content.length - 2, to: content.length - 1 },
] as const;

/** A range of bytes is sent alone, and one past the end is refused (language §4.3, `ranges`; RFC 9110 §14). */
export function ranges(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const conditional = stated(operation.endpoint.conditional);
  const said = conditional?.ranges;
  if (said === undefined || stated(said) !== 'allowed') return [];
  const { key } = operation;
  const cites = { address: said.address, at: said.at };
  const field = fieldRead(operation);
  const writer = field === undefined ? null : writerOf(trial, resource, field);
  if (writer === null) {
    const check = { name: 'range.part', says: `${key} sends a range of its bytes`, cites } as const;
    return [notKnown(trial.of, [check], 'how to give the bytes of this range')];
  }
  const item = () => itemWithBytes(trial, resource, writer);
  const sent = parts.map(({ range, from, to }) => {
    const wanted = `bytes ${from}-${to}/${content.length}`;
    const part = content.slice(from, to + 1);
    const check: Check<Done> = {
      name: 'range.part',
      says: `${key} with Range: ${range} is answered with these bytes`,
      cites,
      guard: ({ exchange }) => all(succeeded(exchange, operation), doesJustThat(trial.of, operation)),
      claim: ({ exchange: { response } }) => ({
        truth: known(
          response?.status === 206 && header(response, 'content-range') === wanted && response.body === part,
        ),
        expected: `status 206, ${wanted}, ${shownAs(part)}`,
        found: `status ${response?.status}, ${shownAs(header(response, 'content-range'))}, ${shownAs(response?.body)}`,
      }),
    };
    const observe = async () =>
      await perform(trial, operation, { item: await item(), headers: [['Range', range]] });
    return scenario(trial.of, restsOf(operation), observe, [check]);
  });
  const past = refusing(trial, {
    says: `${key} with a range past the end`,
    operation,
    cites,
    reasons: [reason],
    must: mustRefuse(trial.of, operation, reason),
    item,
    send: (found) =>
      perform(trial, operation, { ...(found && { item: found }), headers: [['Range', 'bytes=900-']] }),
  });
  return [...sent, past];
}
