import { quoted } from '../../../conformance/http.ts';
import type { Sequence } from '../../../conformance/sequences/sequence.ts';
import { namesOf, partsOf, type Variable } from './names.ts';
import { expansion } from './values.ts';

/** What a script is made with beside its sequence. */
export interface About {
  /** The address of the implementation, without a slash at the end. */
  readonly url: string;
  /**
   * The operator's secrets, by what stands for them in a sequence: `{credentials.key.kim}`. For others, the script asks for a
   * variable.
   */
  readonly secrets: ReadonlyMap<string, string>;
}

/** What stands for the address of the implementation in a sequence (`hidingFrom`). */
export const service = '{service.url}';

/** The same for the address, and for the operator's secrets. */
const given = /\{service\.url\}|\{(?:encoded )?credentials\.[^{}]+\}/g;

/** A part of a word: literal text, or a variable: by its name, and as it stands by itself. */
type Part = string | { readonly name: string; readonly alone: string };

/** The words of a script, and which variables stand in them. */
export class Words {
  readonly names: readonly string[];
  /** The values of the sequence that stand in some word, by their place in it. */
  readonly used = new Set<number>();
  readonly #sequence: Sequence;
  readonly #about: About;
  readonly #givens = new Map<string, string>();

  constructor(sequence: Sequence, about: About) {
    this.#sequence = sequence;
    this.#about = about;
    this.names = namesOf(sequence.values);
  }

  /** A word in which variables stand for the values. */
  readonly quote = (text: string): string => {
    const parts = partsOf(text).flatMap((part): Part[] =>
      typeof part === 'string' ? this.#withGivens(part) : [this.#variable(part)],
    );
    if (parts.every((part) => typeof part === 'string')) return quoted(text);
    const isPlain = parts.every((part) =>
      typeof part === 'string' ? isSafe(part) : part.alone === alone(part.name),
    );
    if (!isPlain) return parts.map((part) => (typeof part === 'string' ? quoted(part) : part.alone)).join('');
    const within = parts.map((part, index) => {
      if (typeof part === 'string') return part;
      const next = parts[index + 1];
      return typeof next === 'string' && /^\w/.test(next) ? `\${${part.name}}` : `$${part.name}`;
    });
    return `"${within.join('')}"`;
  };

  /** The commands that set the variables for the address and the secrets, as far as words name them. */
  givens(): readonly string[] {
    return [...this.#givens].map(([written, name]) => {
      const value = written === service ? this.#about.url : this.#about.secrets.get(written);
      return value === undefined
        ? `: "\${${name}:?is to be ${written.slice(1, -1)}}"`
        : `${name}=${quoted(value)}`;
    });
  }

  #variable({ index, spelling }: Variable): Part {
    this.used.add(index);
    const name = this.names[index] ?? '';
    return { name, alone: expansion(spelling, name, this.#sequence.values[index]?.was ?? '') };
  }

  #withGivens(text: string): Part[] {
    const parts: Part[] = [];
    let end = 0;
    for (const { 0: written, index } of text.matchAll(given)) {
      if (index > end) parts.push(text.slice(end, index));
      const name = written === service ? 'url' : written.slice(1, -1).replaceAll(/\W+/g, '_').toUpperCase();
      this.#givens.set(written, name);
      parts.push({ name, alone: alone(name) });
      end = index + written.length;
    }
    return end < text.length ? [...parts, text.slice(end)] : parts;
  }
}

function alone(name: string): string {
  return `"$${name}"`;
}

/** Whether a text means itself between double quotation marks, also where a shell reads what is typed. */
function isSafe(text: string): boolean {
  return /^[\w/.?=&:;,+%~@ -]*$/.test(text);
}
