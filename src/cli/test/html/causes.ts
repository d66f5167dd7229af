import { reasonWords } from '../../../conformance/search/reasons/reasons.ts';
import type { Unnoticed } from '../../../conformance/stream.ts';
import type { Cause } from '../../../conformance/verdicts/causes.ts';
import { unnoticedByReason } from '../../../conformance/verdicts/unnoticed.ts';
import { count } from '../../command.ts';
import { type Markup, markup } from '../../html/markup.ts';
import { placeOf } from '../place.ts';

/** What to fix: a cause of violations each, with a link to the evidence. */
export function whatToFix(causes: readonly Cause[]): Markup {
  if (causes.length === 0) return markup``;
  const items = causes.map((cause, index) => {
    const { statement, place, operations, exchanges, assumed } = cause;
    const [{ expected = '', found = '' }] = cause.results;
    const { file, line } = placeOf(statement.at);
    const extent = [...operations, ...(exchanges > 1 ? [`${exchanges} exchanges`] : [])].join(', ');
    return markup`<li${assumed ? markup` class="assumed"` : null}><a href="#cause-${index + 1}"><code>${statement.address}</code></a>${
      place === undefined ? null : markup` <code>(${place})</code>`
    } <span class="place">${file}:${line}</span><br>expected ${expected}, found ${found}${
      extent === '' ? null : markup`<br><span class="place">${extent}</span>`
    }${assumed ? markup` <span class="place">It violates what is assumed, and fails nothing without --assumed fails.</span>` : null}</li>
`;
  });
  return markup`<section aria-labelledby="fix">
<h2 id="fix">What to fix</h2>
<ol class="causes">
${items}</ol>
</section>`;
}

/** The statements of which a deviation would not be noticed; nothing, where nobody worked that out. */
export function notNoticed(unnoticed: readonly Unnoticed[]): Markup {
  const reasons = unnoticedByReason(unnoticed);
  if (reasons.length === 0) return markup``;
  const items = reasons.map(([reason, addresses]) => {
    const all = addresses.map((address, index) => markup`${index > 0 ? ', ' : null}<code>${address}</code>`);
    return markup`<details class="invention"><summary><span>${count(addresses.length, 'statement')}: ${reasonWords[reason]}</span></summary><p>${all}</p></details>
`;
  });
  return markup`<section aria-labelledby="unnoticed">
<h2 id="unnoticed">What this run would not notice</h2>
<p class="note">An implementation that deviates from these statements would look the same. <code>tacet test --plan</code> lists the deviations.</p>
${items}</section>`;
}
