import { ruleOf } from '../../specification/model/authorization.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import { among } from '../access/among.ts';
import { lives } from '../access/lives.ts';
import { logsIn } from '../access/logs-in.ts';
import { matrix } from '../access/matrix.ts';
import { type Check, type Plan, scenario } from '../check.ts';
import { answerFound, isAnswered } from '../guards.ts';
import { header } from '../http.ts';
import { sample } from '../sample.ts';
import { partStatedOnly, unchecked } from '../stated.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { known } from '../verdict.ts';

/** Part 5, who may ask (language §5): `(none)` asks nobody who they are. */
export function checks(trial: Trial): Plan[] {
  const { authentication } = trial.of;
  if (authentication.kind === 'none') return asksNobody(trial);
  const part = stated(authentication);
  return part && trial.persona ? asks(trial, part) : [() => partStatedOnly(trial.of, 'authentication')];
}

function asks(trial: Trial, part: Authentication): Plan[] {
  const { of } = trial;
  const ruled = of.operations.filter((operation) => isSaid(ruleOf(part, operation)));
  return [
    ...ruled.filter((one) => heldUp(of, one) === null).map((one) => () => matrix(trial, part, one)),
    ...[...of.resourcesByName.values()].map((one) => () => among(trial, part, one)),
    () => logsIn(trial),
    () => lives(trial),
    () => [unchecked(of, part.actors.address, 'it is judged by the rules that name it')],
  ];
}

function asksNobody(trial: Trial): Plan[] {
  const { of } = trial;
  const { authentication } = of;
  const operations = of.operations.filter((operation) => heldUp(of, operation) === null);
  if (operations.length === 0) return [() => partStatedOnly(of, 'authentication')];
  return operations.map((operation) => () => {
    const check: Check<Done> = {
      name: 'authentication.none',
      says: `${operation.key} asks nobody who they are`,
      cites: { address: authentication.address, at: authentication.at },
      guard: ({ exchange }) => isAnswered(exchange),
      claim: ({ exchange }) => ({
        truth: known(
          exchange.response?.status !== 401 && header(exchange.response, 'www-authenticate') === undefined,
        ),
        expected: 'no challenge (401, WWW-Authenticate)',
        found: answerFound(exchange),
      }),
    };
    return [scenario(of, restsOf(operation), () => sample(trial, operation), [check])];
  });
}
