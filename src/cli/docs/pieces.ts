import type { MemberRow } from '../../interchange/reference/member-rows.ts';
import type { ContentEntry } from '../../interchange/reference/operation.ts';
import type { TypePiece } from '../../interchange/reference/type-text.ts';
import type { Line } from '../../interchange/wording/line.ts';
import { type Markup, markup } from '../html/markup.ts';

/** Where links lead: an identifier for each thing that has a place of its own. */
export class Anchors {
  readonly #ids = new Map<string, string>();

  /** The identifier of a thing of this kind and name, the same whenever it is asked. */
  of(kind: 'operation' | 'shape' | 'state', name: string): string {
    const key = `${kind} ${name}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const plain = `${kind}-${name.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, '')}`;
    const taken = new Set(this.#ids.values());
    let id = plain;
    for (let number = 2; taken.has(id); number += 1) id = `${plain}-${number}`;
    this.#ids.set(key, id);
    return id;
  }

  /** Where a thing is that was given its place; undefined: nowhere. */
  find(kind: 'operation' | 'shape' | 'state', name: string): string | undefined {
    return this.#ids.get(`${kind} ${name}`);
  }
}

/** A line, marked if it is not stated. */
export function told({ text, standing }: Line): Markup {
  return standing === 'stated' ? markup`${text}` : markup`<span class="${standing}">${text}</span>`;
}

/** Lines one after the other, as a list; nothing for none. */
export function lines(all: readonly Line[]): Markup {
  if (all.length === 0) return markup``;
  return markup`<ul class="lines">${all.map((one) => markup`<li>${told(one)}</li>`)}</ul>`;
}

/** Lines in one sentence, with commas. */
export function inline(all: readonly Line[]): Markup[] {
  return all.map((one, index) => (index === 0 ? told(one) : markup`, ${told(one)}`));
}

/** The text of a type; what has a place on the page is a link. */
export function typed(pieces: readonly TypePiece[], anchors: Anchors): Markup {
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return markup`${piece}`;
    const id = anchors.find('shape', piece.name);
    return id === undefined ? markup`${piece.name}` : markup`<a href="#${id}">${piece.name}</a>`;
  });
  return markup`<span class="type">${parts}</span>`;
}

/**
 * Members, parameters or header fields: the name at the left, what is said of it at the right.
 *
 * @param need what a member is called that must be given, or that is always there; null: nothing. Default: `required`
 */
export function members(
  rows: readonly (MemberRow & { readonly place?: string })[],
  anchors: Anchors,
  need: 'required' | 'always' | null = 'required',
): Markup {
  if (rows.length === 0) return markup``;
  const entries = rows.map((row) => {
    const place = row.place === undefined ? null : markup` <span class="need">${row.place}</span>`;
    const needed = need !== null && row.isRequired ? markup` <span class="need">${need}</span>` : null;
    return markup`<div><dt><code>${row.name}</code>${place}${needed}</dt><dd>${typed(row.type, anchors)}${
      row.facts.length > 0 ? markup`<span class="more">${inline(row.facts)}</span>` : null
    }${row.description === null ? null : markup`<span class="more">${row.description}</span>`}</dd></div>
`;
  });
  return markup`<dl class="members">
${entries}</dl>`;
}

/** Content by media type: its type, and its members. */
export function contents(
  all: readonly ContentEntry[],
  anchors: Anchors,
  need: 'required' | 'always' = 'required',
): Markup[] {
  return all.map(
    ({ media, type, rows }) => markup`<p>${typed(type, anchors)}${
      media === null ? null : markup` <code class="media">${media}</code>`
    }</p>
${members(rows, anchors, need)}`,
  );
}

/** Named things, each with what is said of it. */
export function entries(all: readonly { readonly name: string; readonly says: readonly Line[] }[]): Markup {
  if (all.length === 0) return markup``;
  return markup`<dl class="members">
${all.map(({ name, says }) => markup`<div><dt>${name}</dt><dd>${lines(says)}</dd></div>\n`)}</dl>`;
}
