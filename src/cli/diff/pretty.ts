import { type Class, classes, type Diff, type Finding, type Said } from '../../diff/diff.ts';
import { summary, titles } from '../../diff/words.ts';
import type { Paint } from '../../source/diagnostic.ts';

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
