import type { Plan } from '../../conformance/search/plan.ts';
import type { Reason } from '../../conformance/search/reasons.ts';
import type { Paint } from '../../source/diagnostic.ts';
import { visible } from '../../source/diagnostic.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { count } from '../command.ts';

/** Each reason as a heading, in the order of the report. */
const headings: Readonly<Record<Reason, string>> = {
  'not found': 'no request was found to which it makes a difference',
  'not reached': 'no request was found that depends on it',
  invisible: 'no answer that was found shows it',
  beyond: 'the tester does not work it out in memory',
  open: 'nobody can say what such an implementation does',
  equal: 'it means the same',
};

/** A deviation for these reasons is none that an implementation could have. */
const uncounted: readonly Reason[] = ['open', 'equal'];

/** The statements of which a deviation would not be noticed, and why, for people. */
export function planText({ name, file }: Specification, plan: Plan, seed: number, paint: Paint): string {
  const { told, walks } = plan;
  const untold = distinct(plan.untold);
  const missed = untold.filter(({ reason }) => !uncounted.includes(reason)).length;
  const all = told.size + missed;
  const requests = walks.reduce((sum, walk) => sum + walk.requests.length, 0);
  const share = all === 0 ? 0 : Math.floor((100 * told.size) / all);
  const lists = Object.entries(headings).map(([reason, heading]) => {
    const found = untold.filter((each) => each.reason === reason);
    return found.length === 0 ? '' : `${paint.bold(`not noticed: ${heading}`)}\n${linesOf(found, paint)}\n`;
  });
  return [
    `${paint.bold(name || file)}\n`,
    `${paint.dim(`${count(walks.length, 'walk')} of ${count(requests, 'request')}, seed ${seed}`)}\n\n`,
    ...lists,
    `${told.size} of ${count(all, 'deviation')} would be noticed: ${share} %\n`,
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
