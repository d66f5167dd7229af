import type { Reference } from '../../interchange/reference/reference.ts';
import { type Markup, markup } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { address, operations } from './operations.ts';
import { Anchors, entries, told } from './pieces.ts';
import { type Section, sections } from './sections.ts';
import { style } from './style.ts';

/** A reference for those who call the service, as one page. */
export function referencePage(reference: Reference): string {
  const anchors = new Anchors();
  for (const { name } of reference.shapes) anchors.of('shape', name);
  for (const { name } of reference.operations) anchors.of('operation', name);
  const others = sections(reference, anchors);
  const isEmpty = reference.operations.length + reference.operationsOpen.length === 0;
  return page({
    title: `${reference.name}: reference`,
    style,
    skip: { says: 'Skip the contents', to: 'content' },
    header: header(reference),
    main: markup`<div class="sheet">
${contentsOf(reference, others, anchors)}
<main id="content" tabindex="-1">
${isEmpty ? null : operations(reference, anchors)}
${others.map(({ content }) => content)}
</main>
</div>`,
    footer:
      'Made of what the document states. What is open is marked so: nobody has said it yet, and clients should not rely on it.',
  });
}

function header({ name, purpose, about }: Reference): Markup {
  return markup`<p class="kind">Reference</p>
<h1>${name}</h1>
${purpose === null ? null : markup`<p class="purpose">${told(purpose)}</p>`}
${entries(about)}`;
}

function contentsOf(
  { operations: all, operationsOpen }: Reference,
  others: readonly Section[],
  anchors: Anchors,
): Markup {
  const links = all.map(
    (one) => markup`<li><a href="#${anchors.of('operation', one.name)}">${address(one)}</a></li>\n`,
  );
  const own =
    all.length + operationsOpen.length === 0
      ? null
      : markup`<li><a href="#operations">Operations</a>
<ul>
${links}</ul></li>`;
  return markup`<nav aria-label="Contents">
<ul>
${own}
${others.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>`;
}
