/** What is known of the texts that a pattern admits. */
export interface Texts {
  /** Whether a letter may be in one that has a small or a capital form. */
  readonly hasLetters: boolean;
  /** How many characters the longest has. */
  readonly most: number;
}

/** An anchored pattern of characters, classes, groups and quantifiers (language §H.1); null: it is more than that. */
export function textsOf(pattern: string): Texts | null {
  if (!pattern.startsWith('^') || !/(^|[^\\])(\\\\)*\$$/.test(pattern)) return null;
  const reader = new Reader(pattern.slice(1, -1));
  const found = reader.sequence();
  return reader.isOver ? found : null;
}

const nothing: Texts = { hasLetters: false, most: 0 };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isOver(): boolean {
    return this.#at === this.#text.length;
  }

  /** Up to the end, `|` or `)`. */
  sequence(): Texts | null {
    let { hasLetters, most } = nothing;
    while (!this.isOver && !'|)'.includes(this.#next)) {
      const atom = this.#atom();
      const times = this.#times();
      if (atom === null || times === null) return null;
      hasLetters ||= atom.hasLetters;
      most += atom.most === 0 ? 0 : atom.most * times;
    }
    return { hasLetters, most };
  }

  get #next(): string {
    return this.#text.charAt(this.#at);
  }

  /** What a regular expression of its own matches at this place; undefined: nothing. */
  #take(part: RegExp): RegExpExecArray | undefined {
    const found = new RegExp(part.source, 'y');
    found.lastIndex = this.#at;
    const match = found.exec(this.#text);
    if (match) this.#at = found.lastIndex;
    return match ?? undefined;
  }

  #atom(): Texts | null {
    if (this.#take(/\((\?:)?(?!\?)/)) return this.#group();
    const [, members] = this.#take(/\[(?!\^)((?:\\[-\]\\/.dsw]|[^\]\\[])+)\]/) ?? [];
    if (members !== undefined) return { hasLetters: hasLettersIn(members), most: 1 };
    const [, escaped] = this.#take(/\\([-\]\\/.dsw:+*?^$|(){}[])/) ?? [];
    if (escaped !== undefined) return { hasLetters: escaped === 'w', most: 1 };
    const [plain] = this.#take(/[^\\()[\]{}|*+?.^$]/) ?? [];
    return plain === undefined ? null : { hasLetters: isLetter(plain), most: 1 };
  }

  #group(): Texts | null {
    let found = nothing;
    do {
      const branch = this.sequence();
      if (branch === null) return null;
      found = {
        hasLetters: found.hasLetters || branch.hasLetters,
        most: Math.max(found.most, branch.most),
      };
    } while (this.#take(/\|/));
    return this.#take(/\)/) ? found : null;
  }

  /** How many times the last part comes at the most; null: this is no quantifier. */
  #times(): number | null {
    if (this.#take(/[*+]\??/)) return Number.POSITIVE_INFINITY;
    if (this.#take(/\?\??/)) return 1;
    const [whole, least, comma, most] = this.#take(/\{(\d+)(,)?(\d+)?\}\??/) ?? [];
    if (whole === undefined) return this.#next === '{' ? null : 1;
    return comma === undefined ? Number(least) : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  }
}

/** Whether a class has a letter: by itself, or within a range. */
function hasLettersIn(members: string): boolean {
  const rest = members.replaceAll(/([^\\])-([^\\])/g, (_, from: string, to: string) =>
    isBeside(from, to) ? '' : 'a',
  );
  return (
    rest
      .replaceAll(/\\[^w]/g, '')
      .split('')
      .some(isLetter) || rest.includes('\\w')
  );
}

/** Whether all that lies between two characters is no letter. */
function isBeside(from: string, to: string): boolean {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  if (last > 127) return false;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) =>
    String.fromCharCode(first + place),
  ).every((each) => !isLetter(each));
}

/** Whether a character has a small and a capital form, or may have one. */
function isLetter(text: string): boolean {
  return text > '\u007f' || text.toLowerCase() !== text.toUpperCase();
}
