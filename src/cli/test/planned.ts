import type { Plan } from '../../conformance/search/plan.ts';
import { isNoDeviation, reasonWords } from '../../conformance/search/reasons/reasons.ts';
import type { Paint } from '../../source/diagnostic.ts';
import { visible } from '../../source/diagnostic.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { count } from '../command.ts';

/** The statements of which a deviation would not be noticed, and why, for people. */
export function planText({ name, file }: Specification, plan: Plan, seed: number, paint: Paint): string {
  const { told, walks } = plan;
  const untold = distinct(plan.untold);
  const missed = untold.filter(({ reason }) => !isNoDeviation(reason)).length;
  const all = told.size + missed;
  const requests = walks.reduce((sum, walk) => sum + walk.requests.length, 0);
  const share = all === 0 ? 0 : Math.floor((100 * told.size) / all);
  const lists = Object.entries(reasonWords).flatMap(([reason, heading]) => {
    const found = untold.filter((each) => each.reason === reason);
    return [...Map.groupBy(found, ({ rule }) => rule)].map(([rule, by]) => {
      const why = rule === null ? heading : `${heading}, since ${rule}`;
      return `${paint.bold(`not noticed: ${why}`)}\n${linesOf(by, paint)}\n`;
    });
  });
  return [
    `${paint.bold(name || file)}\n`,
    `${paint.dim(`${count(walks.length, 'walk')} of ${count(requests, 'request')}, seed ${seed}`)}\n\n`,
    ...lists,
    statementsText(plan),
    `${told.size} of ${count(all, 'deviation')} would be noticed: ${share} %\n`,
  ].join('');
}

/** Of how many statements any deviation would be noticed, only some, or none. What is no deviation counts for nothing. */
function statementsText({ told, untold }: Plan): string {
  const noticed = new Set([...told.keys()].map(({ said }) => said.address));
  const missed = new Set(
    untold.filter(({ reason }) => !isNoDeviation(reason)).map(({ deviation }) => deviation.said.address),
  );
  const whole = [...noticed].filter((address) => !missed.has(address)).length;
  const none = [...missed].filter((address) => !noticed.has(address)).length;
  const all = noticed.size + none;
  return [
    `${whole} of ${count(all, 'statement')}: any deviation would be noticed\n`,
    ...(all === whole ? [] : [`${all - whole - none}: only some deviations would be noticed\n`]),
    ...(none === 0 ? [] : [`${none}: no deviation would be noticed\n`]),
  ].join('');
}

/** What no walk can tell is listed once, if it is written once and holds for many endpoints. */
function distinct(untold: Plan['untold']): Plan['untold'] {
  const found = new Map(
    untold.map((each) => {
      const { said, says } = each.deviation;
      return [`${each.reason === 'beyond' ? at(said.at) : said.address} ${says}`, each];
    }),
  );
  return [...found.values()];
}

/** Statements by address, each with its deviations. */
function linesOf(untold: Plan['untold'], paint: Paint): string {
  const groups = Map.groupBy(untold, ({ deviation: { said } }) => said);
  return [...groups]
    .map(([said, found]) => {
      const says = found.map(({ deviation }) => `    ${visible(deviation.says)}\n`);
      return `  ${visible(said.address)}  ${paint.dim(at(said.at))}\n${says.join('')}`;
    })
    .join('');
}
