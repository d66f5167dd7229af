import { quoted } from '../../../conformance/http.ts';
import type { Place } from '../../../conformance/sequences/sequence.ts';
import type { Spelling } from './names.ts';

/** A variable as it stands in a word of a shell. `was` is the value in this run: it tells how others are spelled. */
export function expansion(spelling: Spelling, name: string, was: string): string {
  const bare = `"$${name}"`;
  const by = (code: string): string => `"$(node -p '${code}' -- ${bare})"`;
  switch (spelling) {
    case 'PLAIN':
      return `"$(printf %s ${bare} | tr a-z A-Z)"`;
    case 'plain':
      return `"$(printf %s ${bare} | tr A-Z a-z)"`;
    case 'uri':
      return /^[\w.~-]+$/.test(was) ? bare : by('encodeURIComponent(process.argv[1])');
    case 'json':
      return /^[\w.~:@-]+$/.test(was) ? bare : by('JSON.stringify(process.argv[1]).slice(1, -1)');
    default:
      return bare;
  }
}

/**
 * Commands that take a value out of an answer on their input. JSON is read by Node, which is there where tacet runs.
 *
 * @param isWhole whether the answer comes with its status and header fields
 */
export function taking({ header, body = '', part }: Place, isWhole: boolean): string {
  const lines = "tr -d '\\r'";
  const whole =
    header === undefined
      ? [...(isWhole ? [lines, "sed '1,/^$/d'"] : []), `node -pe ${quoted(reading(body))}`]
      : [lines, `grep -i ${quoted(`^${header}:`)}`, "sed 's/^[^:]*: *//'"];
  // Parts are counted from the last.
  const own =
    part === undefined
      ? []
      : [`tr -s ' /?&=;,"<>#' '\\n'`, `tail -n ${part + 1}`, ...(part > 0 ? ['head -n 1'] : [])];
  return [...whole, ...own].join(' | ');
}

/** A member of a body in JavaScript: `.items[0].id`. */
function reading(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) =>
      /^\d+$/.test(name)
        ? `[${name}]`
        : /^[A-Za-z_]\w*$/.test(name)
          ? `.${name}`
          : `[${JSON.stringify(name)}]`,
    );
  return `JSON.parse(require("fs").readFileSync(0, "utf8"))${steps.join('')}`;
}

/** What `random SET COUNT` does in a shell: as many characters of a set, such as `A-Z 3`. */
export const randomly = `random() { LC_ALL=C tr -dc "$1" < /dev/urandom | head -c "$2"; }`;

/**
 * A word of a shell that makes another text of the same form each time: letters for letters, digits for digits. What comes
 * after an @ stays. Null: it would be the same text.
 */
export function anew(was: string): string | null {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(was))
    return `"${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}"`;
  if (/^\d{4}-\d\d-\d\d/.test(was) || !/^[^@]*[A-Za-z0-9]/.test(was)) return null;
  const [own = '', ...domain] = was.split(/(?=@)/);
  const words = (own.match(/[a-z]+|[A-Z]+|\d+|[^a-zA-Z\d]+/g) ?? []).map((run) => {
    const set = /[a-z]/.test(run) ? 'a-z' : /[A-Z]/.test(run) ? 'A-Z' : /\d/.test(run) ? '1-9' : null;
    return set === null ? quoted(run) : `"$(random ${set} ${run.length})"`;
  });
  return [...words, ...domain.map(quoted)].join('');
}

function hex(count: number): string {
  return `$(random 0-9a-f ${count})`;
}
