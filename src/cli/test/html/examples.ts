import { curl } from '../../../conformance/http.ts';
import type { Report } from '../../../conformance/report.ts';
import { type Markup, markup } from '../../html/markup.ts';
import { playedCounts, playedWords } from '../played.ts';

/** The examples that were answered otherwise than they show, or not played. */
export function examplesPlayed({ examples }: Report): Markup {
  if (examples.length === 0) return markup``;
  const items = examples
    .filter(({ outcome }) => outcome !== 'as expected')
    .map((example) => {
      const { name, at, outcome, exchange } = example;
      const words = playedWords(example).map((one) => markup`<p>${one}</p>\n`);
      const again = exchange === null ? null : markup`<pre class="curl">${curl(exchange.request)}</pre>\n`;
      return markup`<details class="invention"><summary><span>${name}</span> <span class="place">${outcome}</span><br><span class="place">${at}</span></summary>
${words}${again}</details>
`;
    });
  return markup`<section aria-labelledby="examples">
<h2 id="examples">Examples</h2>
<p class="note">${playedCounts(examples)}. An example states nothing: what differs from it fails nothing.</p>
${items}</section>`;
}
