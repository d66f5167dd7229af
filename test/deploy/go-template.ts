import { createHash } from 'node:crypto';

/**
 * Renders what the chart uses of Go's templates and of Helm's functions: values, pipes, `if`, `else`, `range` over a map.
 * It throws at anything else, so that the chart stays within it.
 */
export function render(template: string, top: Readonly<Record<string, unknown>>): string {
  const tokens = tokensOf(template);
  let next = 0;
  const block = (names: Names, isShown: boolean): { text: string; end: string } => {
    let text = '';
    while (next < tokens.length) {
      const token = tokens[next++] as Token;
      const [word = ''] = token.code?.split(' ') ?? [];
      if (token.code === null) text += token.text;
      else if (word === 'end' || word === 'else') return { text, end: word };
      else if (word === 'if') text += either(names, isShown, token.code.slice(3));
      else if (word === 'range') text += each(names, isShown, token.code);
      else if (isShown) text += String(value(token.code, names));
    }
    return { text, end: '' };
  };
  const either = (names: Names, isShown: boolean, condition: string): string => {
    const isSo = isShown && isTrue(value(condition, names));
    const first = block(names, isSo);
    const second = first.end === 'else' ? block(names, isShown && !isSo) : null;
    return isSo ? first.text : (second?.text ?? '');
  };
  const each = (names: Names, isShown: boolean, code: string): string => {
    const [, key = '', of = '', list = ''] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(code) ?? [];
    const begin = next;
    const entries = Object.entries(isShown ? (value(list, names) as object) : {});
    const texts = entries.map(([name, one]) => {
      next = begin;
      return block({ ...names, [key]: name, [of]: one }, true).text;
    });
    if (entries.length === 0) block(names, false);
    return texts.join('');
  };
  return block({ '': top }, true).text;
}

type Names = Readonly<Record<string, unknown>>;

interface Token {
  readonly text: string;
  /** Null: it is text. */
  readonly code: string | null;
}

/** A hyphen takes away the white space on its side. */
function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  let isTrimmed = false;
  const put = (text: string, before: boolean): void => {
    const begun = isTrimmed ? text.trimStart() : text;
    tokens.push({ text: before ? begun.trimEnd() : begun, code: null });
  };
  for (const found of template.matchAll(/\{\{(-?) ?(.*?) ?(-?)\}\}/g)) {
    put(template.slice(last, found.index), found[1] === '-');
    tokens.push({ text: '', code: found[2] as string });
    isTrimmed = found[3] === '-';
    last = found.index + found[0].length;
  }
  put(template.slice(last), false);
  return tokens;
}

const functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  quote: (one) => JSON.stringify(String(one)),
  toJson: (one) => JSON.stringify(one),
  sha256sum: (one) => createHash('sha256').update(String(one)).digest('hex'),
  default: (other, one) => (isTrue(one) ? one : other),
  required: (why, one) => {
    if (isTrue(one)) return one;
    throw new Error(String(why));
  },
};

/** A pipeline: each command is given what the one before it came to, as its last argument. */
function value(code: string, names: Names): unknown {
  let piped: readonly unknown[] = [];
  for (const command of code.split(' | ')) {
    const words = command.match(/"[^"]*"|\S+/g) ?? [];
    const [head = '', ...rest] = words;
    const isFunction = Object.hasOwn(functions, head);
    const args = (isFunction ? rest : words).map((word) => operand(word, names));
    if (!isFunction && args.length !== 1) throw new Error(`the chart may not use {{ ${code} }}`);
    piped = [isFunction ? functions[head]?.(...args, ...piped) : args[0]];
  }
  return piped[0];
}

function operand(word: string, names: Names): unknown {
  if (word.startsWith('"')) return JSON.parse(word);
  const [first = '', ...path] = word.split('.');
  if (!Object.hasOwn(names, first)) throw new Error(`there is no ${word}`);
  return path.reduce<unknown>((of, name) => {
    if (typeof of !== 'object' || of === null || !Object.hasOwn(of, name))
      throw new Error(`there is no ${word}`);
    return (of as Names)[name];
  }, names[first]);
}

function isTrue(one: unknown): boolean {
  if (typeof one === 'object' && one !== null) return Object.keys(one).length > 0;
  return one !== '' && one !== 0 && one !== false && one !== null && one !== undefined;
}
