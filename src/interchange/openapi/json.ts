import { type Entry, type Node, scalar } from '../../source/node.ts';
import { type Span, span, type Text } from '../../source/text.ts';
import { Unreadable } from './unreadable.ts';

/** What is read of a description at the most: a guard for the process. */
export const most = { values: 2_000_000, depth: 200 } as const;

/** Counts a value that is read. Throws {@link Unreadable} if it is one too many, or stands too deep. */
export function counted(before: number, depth: number, at: () => Span): number {
  if (before >= most.values)
    throw new Unreadable('description-size', `there are more than ${most.values} values`, at());
  if (depth > most.depth)
    throw new Unreadable('description-size', `values stand in more than ${most.depth} others`, at());
  return before + 1;
}

/**
 * JSON (RFC 8259), each value with its place; null: it is none. Of members with one name the last one counts. A reader of YAML
 * does the same in ten times the time.
 *
 * @throws Unreadable if it is too large
 */
export function jsonNode(source: Text): Node | null {
  try {
    return new Reading(source).whole();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const space = /[ \t\n\r]*/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

class Reading {
  readonly #source: Text;
  readonly #content: string;
  #at: number;
  #values = 0;

  constructor(source: Text) {
    this.#source = source;
    this.#content = source.content;
    this.#at = source.content.startsWith('\uFEFF') ? 1 : 0;
  }

  whole(): Node {
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.#content.length) throw new SyntaxError('there is more than a value');
    return node;
  }

  #value(depth: number): Node {
    this.#skip();
    const start = this.#at;
    this.#values = counted(this.#values, depth, () => span(this.#source, start, start + 1));
    switch (this.#content[start]) {
      case '{':
        return this.#map(depth, start);
      case '[':
        return this.#list(depth, start);
      case '"':
        return scalar(this.#text(), this.#from(start));
      default:
        return scalar(JSON.parse(this.#matched(literal)) as number, this.#from(start));
    }
  }

  #map(depth: number, start: number): Node {
    const entries = new Map<string, Entry>();
    this.#each('}', () => {
      const keyStart = this.#at;
      if (this.#content[keyStart] !== '"') throw new SyntaxError('a name is a text');
      const name = this.#text();
      const key = this.#from(keyStart);
      this.#skip();
      this.#take(':');
      entries.set(name, { key, value: this.#value(depth + 1) });
    });
    return { kind: 'map', entries, span: this.#from(start) };
  }

  #list(depth: number, start: number): Node {
    const items: Node[] = [];
    this.#each(']', () => items.push(this.#value(depth + 1)));
    return { kind: 'list', items, span: this.#from(start) };
  }

  /** What stands between two brackets, with commas between. */
  #each(end: string, read: () => void): void {
    this.#at += 1;
    this.#skip();
    if (this.#content[this.#at] !== end) {
      for (;;) {
        this.#skip();
        read();
        this.#skip();
        if (this.#content[this.#at] !== ',') break;
        this.#at += 1;
      }
    }
    this.#take(end);
  }

  #text(): string {
    const start = this.#at;
    let end = start;
    do end = this.#content.indexOf('"', end + 1);
    while (end > 0 && this.#isEscaped(end));
    if (end < 0) throw new SyntaxError('a text does not end');
    this.#at = end + 1;
    return JSON.parse(this.#content.slice(start, end + 1)) as string;
  }

  /** Whether an odd number of backslashes stands before a quotation mark. */
  #isEscaped(at: number): boolean {
    let first = at;
    while (this.#content[first - 1] === '\\') first -= 1;
    return (at - first) % 2 === 1;
  }

  #take(character: string): void {
    if (this.#content[this.#at] !== character) throw new SyntaxError(`${character} is missing`);
    this.#at += 1;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    space.test(this.#content);
    this.#at = space.lastIndex;
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#content) ?? [];
    if (found === undefined) throw new SyntaxError('a value is missing');
    this.#at = pattern.lastIndex;
    return found;
  }

  #from(start: number): Span {
    return { text: this.#source, start, end: this.#at };
  }
}
