import type { Report } from '../../../conformance/report.ts';
import { count } from '../../command.ts';
import { type Markup, markup } from '../../html/markup.ts';
import { exampleOf, inventedAlike, inventedWords } from '../invented.ts';

/** What the implementation shows and nobody stated, with an example each. */
export function inventionsFound(report: Report): Markup {
  const items = inventedAlike(report.inventions).map((one) => {
    const places = one.operations.map((operation) => operation ?? 'where no endpoint is listed').join(', ');
    const { response } = one.exchange;
    const fields = (response?.headers ?? []).map(([name, value]) => `${name}: ${value}`);
    const body = response?.body.slice(0, 2000) ?? '';
    const answer = [response?.status ?? 'no answer', ...fields, ...(body === '' ? [] : ['', body])].join(
      '\n',
    );
    return markup`<details class="invention"><summary><span>${inventedWords(one)}</span> <span class="place">${count(one.times, 'time')}</span><br><span class="place">${places}</span></summary>
<pre class="curl">${exampleOf(one)}</pre>
<pre>${answer}</pre></details>
`;
  });
  if (items.length === 0) return markup``;
  return markup`<section aria-labelledby="inventions">
<h2 id="inventions">Shown, and stated by nobody</h2>
<p class="note">The document says nothing of these. They fail nothing; whoever relies on them relies on what may go.</p>
${items}</section>`;
}
