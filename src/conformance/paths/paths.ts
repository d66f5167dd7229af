import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Matching } from '../../specification/vocabulary/paths.ts';
import { type Scenario, type Statement, scenario } from '../check.ts';
import { sample } from '../sample.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { type Attempt, restsOf, type Trial } from '../trial.ts';

interface Way {
  readonly says: string;
  readonly cites: Statement;
  readonly route: NonNullable<Attempt['route']>;
}

/** At each further path, and however `matching` lets a path be written, an operation answers as at its own (language §4.1). */
export function paths(trial: Trial, operation: Operation): Scenario[] {
  const looks = looksAsStated(trial, operation).filter(({ name }) =>
    ['answer.status', 'answer.body'].includes(name),
  );
  return [...further(operation), ...spelled(operation)].map(({ says, cites, route }) =>
    scenario(trial.of, restsOf(operation), () => sample(trial, operation, { route }), [
      { ...succeeds(trial, operation, says, [], cites), name: 'path.answers' },
      ...looks,
    ]),
  );
}

function further({ key, endpoint }: Operation): Way[] {
  const { paths: said } = endpoint;
  const cites = { address: said.address, at: said.at };
  return (stated(said) ?? []).map(({ text, path }) => ({
    says: `${key} at ${text}`,
    cites,
    route: { path },
  }));
}

const words: Readonly<Record<Matching, string>> = {
  exact: 'as it is written',
  caseless: 'with its literal segments in another case',
  slash: 'with a slash more at the end',
};

function spelled({ key, path, endpoint }: Operation): Way[] {
  const { matching: said } = endpoint;
  const cites = { address: said.address, at: said.at };
  const hasLetters = path.some((one) => 'literal' in one && /[a-z]/i.test(one.literal));
  return (stated(said) ?? [])
    .filter((word) => word === 'slash' || (word === 'caseless' && hasLetters))
    .map((matching) => ({ says: `${key} ${words[matching]}`, cites, route: { path, matching } }));
}
