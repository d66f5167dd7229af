import { escaped } from './escaping.ts';

/** Text that is HTML already; all other is escaped where it is put in. */
export interface Markup {
  readonly html: string;
}

type Value = Markup | string | number | null | false | readonly Markup[];

/** HTML as it stands, with values put in: text is escaped, so that nothing in it is markup; null and false are nothing. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: parts.reduce((so, part, index) => so + written(values[index - 1] ?? null) + part) };
}

export function raw(html: string): Markup {
  return { html };
}

function written(value: Value): string {
  if (value === null || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value), 'html');
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
}
