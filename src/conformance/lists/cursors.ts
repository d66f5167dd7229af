import type { Operation } from '../../specification/model/operation.ts';
import { type Scenario, Unreached } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { pageParameter } from '../page.ts';
import { perform } from '../perform.ts';
import { refusing } from '../refusing.ts';
import { operationsFor, type Trial } from '../trial.ts';
import { asked, offered } from '../walk.ts';

/** A cursor that this list did not give is refused (language §H.4, 9). */
export function cursors(trial: Trial, operation: Operation): Scenario[] {
  const { of, random } = trial;
  const cursor = pageParameter(operation, 'cursor');
  if (cursor === undefined) return [];
  const { name, address, at } = cursor;
  const others = [...of.resourcesByName.values()]
    .flatMap((resource) => operationsFor(of, resource, 'list'))
    .filter((one) => one !== operation && pageParameter(one, 'cursor'));
  const foreign = async (): Promise<string> => {
    for (const other of others) {
      const size = pageParameter(other, 'size');
      const done = await perform(trial, other, size ? { query: asked(size.name, 1) } : {});
      const next = offered(done, 'next');
      if (typeof next === 'string') return next;
    }
    throw new Unreached('no other list gives a cursor');
  };
  const cases: (readonly [string, () => Promise<string>])[] = [
    ['that no list gave', () => Promise.resolve(random.letters(24))],
    ...(others.length > 0 ? [['of another list', foreign] as const] : []),
  ];
  return cases.map(([label, given]) =>
    refusing(trial, {
      says: `${operation.key} with a cursor ${label}`,
      operation,
      cites: { address, at },
      reasons: [{ name: 'invalid', subject: `query.${name}`, failures: null }],
      must: doesJustThat(of, operation),
      send: async () => await perform(trial, operation, { query: asked(name, await given()), omit: [name] }),
    }),
  );
}
