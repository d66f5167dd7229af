import { type Class, classes, type Diff, type Finding, type Said } from '../../diff/diff.ts';
import type { Paint } from '../../source/diagnostic.ts';

/** The title of each class, and how many there are of it in a sentence. */
export const titles: Readonly<Record<Class, { readonly title: string; readonly counted: string }>> = {
  breaking: { title: 'breaks clients', counted: 'breaking' },
  'stored data': { title: 'touches stored data', counted: 'on stored data' },
  changed: { title: 'changed', counted: 'changed' },
  'became open': { title: 'became open', counted: 'became open' },
  refinement: { title: 'became stated', counted: 'became stated' },
};

/** What differs, for people: the gravest first, each with both places. */
export function pretty(of: Diff, paint: Paint): string {
  const colours: Readonly<Record<Class, (text: string) => string>> = {
    breaking: paint.red,
    'stored data': paint.red,
    changed: paint.yellow,
    'became open': paint.yellow,
    refinement: paint.green,
  };
  const sections = classes.flatMap((one) => {
    const found = of.findings.filter((finding) => finding.class === one);
    const title = paint.bold(colours[one](titles[one].title));
    return found.length === 0 ? [] : [`${title}\n${found.map((finding) => lines(finding, paint)).join('')}`];
  });
  return [...sections, `${summary(of)}\n`].join('\n');
}

/** How many there are of each class, and whether it is a refinement. */
export function summary(of: Diff): string {
  if (of.findings.length === 0) return 'no difference: both state the same';
  const counted = classes.filter((one) => of.counts[one] > 0);
  const unknown = of.findings.filter((one) => one.class === 'changed' && one.rule === null).length;
  const note = (one: Class): string => (one === 'changed' && unknown > 0 ? ` (${unknown} unclassified)` : '');
  const counts = counted.map((one) => `${of.counts[one]} ${titles[one].counted}${note(one)}`).join(', ');
  return of.refinement ? `${counts}: a refinement, nothing that was stated is otherwise` : counts;
}

function lines({ address, also, message, before, after, rule, section }: Finding, paint: Paint): string {
  const others = also.length === 0 ? '' : paint.dim(` and at ${also.length} more`);
  const by = paint.dim(rule === null ? `(§${section})` : `(${rule}, §${section})`);
  return [
    `  ${address}${others}\n`,
    `    ${message} ${by}\n`,
    `    ${stand('-', before, paint)}\n`,
    `    ${stand('+', after, paint)}\n`,
  ].join('');
}

function stand(sign: '-' | '+', { state, at, value }: Said, paint: Paint): string {
  const shown = value === null ? `(${state})` : value.replace(/\p{Cc}/gu, '\uFFFD');
  return `${(sign === '-' ? paint.red : paint.green)(`${sign} ${shown}`)}  ${paint.dim(at)}`;
}
