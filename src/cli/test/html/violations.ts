import type { Exchange } from '../../../conformance/http.ts';
import type { Result } from '../../../conformance/result.ts';
import type { Cause } from '../../../conformance/verdicts/causes.ts';
import type { Text } from '../../../source/text.ts';
import { count } from '../../command.ts';
import { type Markup, markup } from '../../html/markup.ts';
import { linesAround, placeOf } from '../place.ts';
import { commandsFor, type Run } from '../shell/again.ts';

type Texts = ReadonlyMap<string, Text>;

/** How much of a sequence, and how many characters of a body, are shown. */
const most = { exchanges: 12, characters: 4000 } as const;

/** What violates, those of one cause together: the first in full, the others folded. */
export function violationsFound(causes: readonly Cause[], run: Run, texts: Texts): Markup {
  if (causes.length === 0) return markup``;
  const articles = causes.map((cause, index) => article(cause, index + 1, run, texts));
  return markup`<section aria-labelledby="violations">
<h2 id="violations">Violations</h2>
${articles}
</section>`;
}

function article({ results, assumed }: Cause, number: number, run: Run, texts: Texts): Markup {
  const [first, ...others] = results;
  const { says, statement } = first;
  const more = others.map(
    (one) => markup`<details><summary>${one.says}</summary>${evidence(one, run)}</details>\n`,
  );
  return markup`<article class="violation${assumed ? ' assumed' : ''}" id="cause-${number}">
<h3><span class="number">${number}</span> ${says}</h3>
${assumed ? markup`<p class="note">It violates what is assumed, and fails nothing without --assumed fails.</p>` : null}
<p class="cites"><code>${statement.address}</code> <span class="place">${statement.at}</span></p>
${excerpt(statement.at, texts)}
${evidence(first, run)}
${more.length > 0 ? markup`<p class="note">and ${count(more.length, 'other')} of this cause</p>` : null}
${more}</article>
`;
}

/** The statement as the document has it, with the lines about it. */
function excerpt(at: string, texts: Texts): Markup {
  const place = placeOf(at);
  const lines = linesAround(texts, place, 2).map(({ number, text }) =>
    number === place.line
      ? markup`<mark class="line"><span class="n">${number}</span>${text || ' '}</mark>`
      : markup`<span class="line"><span class="n">${number}</span>${text || ' '}</span>`,
  );
  return lines.length === 0 ? markup`` : markup`<pre class="excerpt">${lines}</pre>`;
}

function evidence(result: Result, run: Run): Markup {
  const { expected, found, sequence = [], request, response } = result;
  const commands = commandsFor(result, run);
  const alone = request ? [{ request, response: response ?? null, failure: null }] : [];
  const exchanges = sequence.length > 0 ? sequence : alone;
  const shown = exchanges.slice(-most.exchanges);
  const before = exchanges.length - shown.length;
  return markup`<dl class="judged"><div><dt>expected</dt><dd>${expected ?? ''}</dd></div><div><dt>found</dt><dd>${found ?? ''}</dd></div></dl>
<p class="title">${shown.length > 1 ? 'The requests that lead there' : 'The request'}${before > 0 ? `, after ${before} more` : ''}</p>
<ol class="sequence" start="${before + 1}">${shown.map((one) => step(one, run.report.url))}</ol>
${commands === undefined ? null : markup`<p class="title">Again, in a shell</p>\n<pre class="curl">${commands.trimEnd()}</pre>`}
`;
}

function step({ request, response, failure }: Exchange, url: string): Markup {
  const path = request.url.startsWith(url) ? request.url.slice(url.length) || '/' : request.url;
  const answer = response
    ? markup`<span class="status">${response.status}</span>`
    : markup`<span class="status">no answer</span> ${failure}`;
  return markup`<li><p class="asked"><span class="method">${request.method}</span> <span class="path">${path}</span> <span aria-hidden="true">→</span> <span class="hidden">answered</span> ${answer}</p>
${content('sent', request.body, request.headers)}${content('answer', response?.body ?? null, response?.headers ?? [])}</li>
`;
}

/** What was sent, or answered: its content in one line, and on request all of it, with the header fields. */
function content(name: string, body: string | null, headers: Exchange['request']['headers']): Markup {
  const fields = headers.map(([key, value]) => `${key}: ${value}`).join('\n');
  const text = body === null || body === '' ? '' : readable(body);
  const all = [fields, text].filter((one) => one !== '').join('\n\n');
  if (all === '') return markup``;
  const line = text.slice(0, 200).replaceAll(/\s+/g, ' ');
  const told = line === '' ? markup`no content` : markup`<code>${line}</code>`;
  return markup`<details class="content"><summary><span class="name">${name}</span> ${told}</summary><pre>${all}</pre></details>`;
}

/** JSON laid out; what is long is cut, and it is said. */
function readable(body: string): string {
  const text = laidOut(body);
  const rest = text.length - most.characters;
  return rest <= 0 ? text : `${text.slice(0, most.characters)}\n… and ${count(rest, 'character')} more`;
}

function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
