import type { ErrorEntry } from '../../interchange/reference/errors.ts';
import type { AnswerEntry, OperationEntry } from '../../interchange/reference/operation.ts';
import type { Reference } from '../../interchange/reference/reference.ts';
import { type Markup, markup } from '../html/markup.ts';
import { type Anchors, contents, inline, lines, members, told } from './pieces.ts';

/** Every operation, in the order of the document. */
export function operations({ operations: all, operationsOpen }: Reference, anchors: Anchors): Markup {
  return markup`<section aria-labelledby="operations">
<h2 id="operations">Operations</h2>
${lines(operationsOpen)}
${all.map((one) => operation(one, anchors))}</section>`;
}

function operation(one: OperationEntry, anchors: Anchors): Markup {
  const id = anchors.of('operation', one.name);
  const hasName = one.name !== `${one.method} ${one.path}`;
  return markup`<article class="operation" aria-labelledby="${id}">
<h3 id="${id}">${address(one)}</h3>
${hasName ? markup`<p class="note">${one.name}</p>` : null}
${one.description === null ? null : markup`<p>${one.description}</p>`}
${waiting(one)}
${part('Who may', lines(one.admission))}
${part('Request', request(one, anchors))}
${part('What it does', doing(one))}
${part('Answers', markup`${one.answers.map((answer) => answered(answer, anchors))}`)}
${part('Errors', markup`${errors(one.errors)}${lines(one.errorsOpen)}`)}
</article>
`;
}

export function address({ method, path }: OperationEntry): Markup {
  return markup`<span class="method">${method}</span> <code>${path.split(/(?=\/)/).map((step, index) => (index === 0 ? markup`${step}` : markup`<wbr>${step}`))}</code>`;
}

function part(title: string, content: Markup): Markup | null {
  return content.html.trim() === '' ? null : markup`<h4>${title}</h4>\n${content}\n`;
}

/** The open points without which no implementation can carry it out. */
function waiting({ waitsFor }: OperationEntry): Markup | null {
  if (waitsFor.length === 0) return null;
  const points = waitsFor.map((one, index) => markup`${index > 0 ? ', ' : null}<code>${one}</code>`);
  return markup`<p class="waits"><span class="open">(open)</span> It cannot be carried out before this is stated: ${points}</p>`;
}

function request({ parameters, bodies, request: said }: OperationEntry, anchors: Anchors): Markup {
  return markup`${members(parameters, anchors)}${
    bodies.length > 0 ? markup`<h5>Body</h5>${contents(bodies, anchors)}` : null
  }${lines(said)}`;
}

function doing({ changes, events }: OperationEntry): Markup {
  const steps = changes.map(({ lines: all }) => markup`<li>${inline(all)}</li>`);
  const emitted = events.map((one) => markup`<li>${told(one)}</li>`);
  if (steps.length + emitted.length === 0) return markup``;
  return markup`<ol class="steps">${steps}${emitted}</ol>`;
}

function answered({ status, when, headers, contents: all, open }: AnswerEntry, anchors: Anchors): Markup {
  return markup`<div class="answer">
<p><strong>${told(status)}</strong>${when === null ? null : markup` <span class="note">${when}</span>`}</p>
${contents(all, anchors, 'always')}${members(headers, anchors, null)}${lines(open)}</div>
`;
}

/**
 * Refusals, each with what causes it.
 *
 * @param explains whether each condition is told in a sentence, too. Default: false
 */
export function errors(all: readonly ErrorEntry[], explains = false): Markup {
  if (all.length === 0) return markup``;
  const rows = all.map(({ code, status, when, holds, message }) => {
    const sentences =
      explains && holds.length > 0 ? markup`<span class="more">${holds.join(' ')}</span>` : null;
    const says = message === null ? null : markup`<span class="more">“${told(message)}”</span>`;
    return markup`<div><dt>${told(status)} <code>${code}</code></dt><dd>${inline(when)}${sentences}${says}</dd></div>
`;
  });
  return markup`<dl class="members">
${rows}</dl>`;
}
