import { classes, type Diff, type Finding, type Said } from '../../diff/diff.ts';
import { summary, titles } from '../../diff/words.ts';

/** What differs, for the description of a pull request (GitHub Flavored Markdown). */
export function markdown(of: Diff): string {
  const sections = classes.flatMap((one) => {
    const found = of.findings.filter((finding) => finding.class === one);
    if (found.length === 0) return [];
    const { title } = titles[one];
    const table = `| address | | was | is |\n|---|---|---|---|\n${found.map(row).join('')}`;
    const heading = `${title} (${found.length})`;
    // What breaks nobody is there for who wants to read it.
    return one === 'breaking' || one === 'stored data'
      ? [`#### ${heading}\n\n${table}`]
      : [`<details><summary>${heading}</summary>\n\n${table}\n</details>\n`];
  });
  return [`**${escaped(of.after)}**: ${escaped(summary(of))}\n`, ...sections].join('\n');
}

function row({ address, also, message, before, after }: Finding): string {
  const others = also.length === 0 ? '' : ` and at ${also.length} more`;
  const cells = [`${code(address)}${others}`, escaped(message), said(before), said(after)];
  return `| ${cells.join(' | ')} |\n`;
}

function said({ state, value }: Said): string {
  return value === null ? state : code(value);
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** Every character that could be markup, as a character reference, which never is (CommonMark §2.5). */
function escaped(text: string): string {
  return text
    .replace(/\p{Cc}/gu, '\uFFFD')
    .replace(/[!-/:-@[-`{-~]/g, (character) =>
      ',.;:()/-'.includes(character) ? character : `&#${character.charCodeAt(0)};`,
    );
}
