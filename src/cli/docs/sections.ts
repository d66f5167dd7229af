import type { Picture } from '../../interchange/pictures/picture.ts';
import { inlineSvg } from '../../interchange/pictures/svg/svg.ts';
import type { Reference } from '../../interchange/reference/reference.ts';
import type { ShapeEntry } from '../../interchange/reference/shapes.ts';
import { type Markup, markup, raw } from '../html/markup.ts';
import { errors } from './operations.ts';
import { type Anchors, entries, lines, members, typed } from './pieces.ts';

/** A section of the page; null: there is nothing to say. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

function section(id: string, title: string, content: Markup): readonly Section[] {
  if (content.html.trim() === '') return [];
  return [
    {
      id,
      title,
      content: markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`,
    },
  ];
}

/** What follows the operations, in the order in which a caller would look for it. */
export function sections(reference: Reference, anchors: Anchors): readonly Section[] {
  const { schemes, errors: refused, limits, events, versions } = reference;
  return [
    ...section('shapes', 'Shapes', shapes(reference, anchors)),
    ...section('states', 'States', machines(reference, anchors)),
    ...section(
      'authentication',
      'Authentication',
      markup`${entries(schemes.schemes)}${titled('Actors', entries(schemes.actors))}${lines(schemes.open)}`,
    ),
    ...section(
      'errors',
      'Errors',
      markup`${errors(refused.codes, true)}${titled(
        'What a refusal looks like',
        markup`${refused.media === null ? null : markup`<p><code class="media">${refused.media}</code></p>`}${members(refused.rows, anchors, 'always')}`,
      )}${lines(refused.open)}`,
    ),
    ...section('limits', 'Limits', entries(limits)),
    ...section('events', 'Events', eventsOf(events, anchors)),
    ...section('versions', 'Versions', entries(versions)),
    ...section('open', 'Still open', openPoints(reference)),
  ];
}

function titled(title: string, content: Markup): Markup {
  return content.html.trim() === '' ? markup`` : markup`<h3>${title}</h3>\n${content}`;
}

function shapes({ shapes: all, shapesOpen, map }: Reference, anchors: Anchors): Markup {
  const kinds = { resource: null, view: 'view', shape: 'shape', open: null } as const;
  const shown = all.map((one: ShapeEntry) => {
    const kind = kinds[one.kind];
    return markup`<article class="shape">
<h3 id="${anchors.of('shape', one.name)}">${one.name}${kind === null ? null : markup` <span class="need">${kind}</span>`}</h3>
${one.description === null ? null : markup`<p>${one.description}</p>`}
${one.type === null ? null : markup`<p>${typed(one.type, anchors)}</p>`}
${lines(one.facts)}
${members(one.rows, anchors, one.kind === 'shape' ? 'required' : 'always')}
</article>
`;
  });
  const drawn = map === null ? null : figure(map, 'What refers to what', anchors);
  return markup`${shown}${lines(shapesOpen)}${drawn}`;
}

function machines({ machines: all }: Reference, anchors: Anchors): Markup {
  return markup`${all.map((picture) => figure(picture, picture.name, anchors))}`;
}

/** A picture may be wider than a narrow page: it can be scrolled, by the keyboard too. */
function figure(picture: Picture, title: string, anchors: Anchors): Markup {
  const id = anchors.of('state', picture.name);
  return markup`<figure>
<h3 id="${id}">${title}</h3>
<div class="drawing" tabindex="0" role="group" aria-labelledby="${id}">${raw(inlineSvg(picture))}</div>
</figure>
`;
}

function eventsOf({ kinds, delivery, open }: Reference['events'], anchors: Anchors): Markup {
  const shown = kinds.map(
    ({ name, says, rows }) => markup`<article class="shape"><h3>${name}</h3>
${lines(says)}
${members(rows, anchors, 'always')}
</article>
`,
  );
  return markup`${shown}${titled('How they are sent', entries(delivery))}${lines(open)}`;
}

/** What nobody knows as yet, and what is only assumed. */
function openPoints({ questions, silent, assumed }: Reference): Markup {
  const asked = questions.map(
    ({ question, addresses }) => markup`<div><dt class="open">${question}</dt><dd>${addresses.map(
      (address, index) => markup`${index > 0 ? ', ' : null}<code>${address}</code>`,
    )}</dd></div>
`,
  );
  const more =
    silent === 1
      ? '1 point is open that nobody asks about'
      : `${silent} points are open that nobody asks about`;
  return markup`${asked.length > 0 ? markup`<dl class="members">\n${asked}</dl>` : null}${
    silent > 0 ? markup`<p class="note">${more}: <code>tacet status --all</code> lists them.</p>` : null
  }${
    assumed.length > 0
      ? markup`<details><summary><span class="assumed">Assumed</span>: ${assumed.length === 1 ? '1 point' : `${assumed.length} points`} that the document does not state</summary>
<ul class="lines">${assumed.map((address) => markup`<li><code>${address}</code></li>`)}</ul></details>`
      : null
  }`;
}
