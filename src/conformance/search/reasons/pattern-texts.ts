/** What is known of the texts that a pattern admits. */
export interface Texts {
  /** Whether a letter may be in one that has a small or a capital form. */
  readonly hasLetters: boolean;
  /** How many characters the shortest has, and the longest. */
  readonly least: number;
  readonly most: number;
}

/** An anchored pattern of characters, classes, groups and quantifiers (language §H.1); null: it is more than that. */
export function textsOf(pattern: string): Texts | null {
  if (!pattern.startsWith('^') || !/(^|[^\\])(\\\\)*\$$/.test(pattern)) return null;
  const reader = new Reader(pattern.slice(1, -1));
  const found = reader.sequence();
  return reader.isOver ? found : null;
}

const nothing: Texts = { hasLetters: false, least: 0, most: 0 };

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
    let { hasLetters, least, most } = nothing;
    while (!this.isOver && !'|)'.includes(this.#next)) {
      const atom = this.#atom();
      const times = this.#times();
      if (atom === null || times === null) return null;
      hasLetters ||= atom.hasLetters;
      least += atom.least * times.least;
      most += atom.most === 0 ? 0 : atom.most * times.most;
    }
    return { hasLetters, least, most };
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
    if (members !== undefined) return { hasLetters: hasLettersIn(members), least: 1, most: 1 };
    const [, escaped] = this.#take(/\\([-\]\\/.dsw:+*?^$|(){}[])/) ?? [];
    if (escaped !== undefined) return { hasLetters: escaped === 'w', least: 1, most: 1 };
    const [plain] = this.#take(/[^\\()[\]{}|*+?.^$]/) ?? [];
    return plain === undefined ? null : { hasLetters: isLetter(plain), least: 1, most: 1 };
  }

  #group(): Texts | null {
    const branches: Texts[] = [];
    do {
      const branch = this.sequence();
      if (branch === null) return null;
      branches.push(branch);
    } while (this.#take(/\|/));
    if (!this.#take(/\)/)) return null;
    return {
      hasLetters: branches.some(({ hasLetters }) => hasLetters),
      least: Math.min(...branches.map(({ least }) => least)),
      most: Math.max(...branches.map(({ most }) => most)),
    };
  }

  /** How many times the last part comes; null: this is no quantifier. */
  #times(): Pick<Texts, 'least' | 'most'> | null {
    const [many] = this.#take(/[*+]\??/) ?? [];
    if (many) return { least: many.startsWith('+') ? 1 : 0, most: Number.POSITIVE_INFINITY };
    if (this.#take(/\?\??/)) return { least: 0, most: 1 };
    const [whole, from, comma, to] = this.#take(/\{(\d+)(,)?(\d+)?\}\??/) ?? [];
    if (whole === undefined) return this.#next === '{' ? null : { least: 1, most: 1 };
    const least = Number(from);
    return { least, most: comma === undefined ? least : Number(to ?? Number.POSITIVE_INFINITY) };
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
