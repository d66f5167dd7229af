import type { Report } from '../../../conformance/report.ts';
import { type Result, verdicts } from '../../../conformance/result.ts';
import { byPart, countsOf } from '../../../conformance/summary.ts';
import type { Text } from '../../../source/text.ts';
import { type Part, parts } from '../../../specification/reading/address.ts';
import { type Markup, markup } from '../../html/markup.ts';
import { linesAround, placeOf } from '../place.ts';
import { mark, nameOf, worst } from './verdict.ts';

type Texts = ReadonlyMap<string, Text>;

/** Every statement that was judged, with its verdicts, part by part. */
export function statements(report: Report, texts: Texts): Markup {
  const groups = byPart(report.results);
  const sections = parts.flatMap((part, index) => {
    const results = groups.get(part) ?? [];
    return results.length === 0 ? [] : [ofPart(part, index + 1, results, texts)];
  });
  return markup`<section class="statements" aria-labelledby="statements">
<h2 id="statements">Statements</h2>
${filter(report)}
${sections}
</section>`;
}

/** Which verdict is shown; the style sheet reads which button is chosen. */
function filter({ counts, results }: Report): Markup {
  const choice = (id: string, name: string | Markup, number: number, isChosen = false): Markup =>
    markup`<input type="radio" name="show" id="show-${id}"${isChosen ? markup` checked` : null}><label for="show-${id}">${name} <span class="count">${number}</span></label>
`;
  const choices = verdicts.map((verdict) => {
    const { stated, assumed } = counts[verdict];
    return choice(nameOf(verdict), markup`${mark(verdict)} ${verdict}`, stated + assumed);
  });
  return markup`<fieldset class="filter">
<legend>Show</legend>
${choice('all', 'every check', results.length, true)}${choices}</fieldset>`;
}

function ofPart(part: Part, number: number, results: readonly Result[], texts: Texts): Markup {
  const groups = Map.groupBy(results, ({ statement }) => statement.address);
  const rows = [...groups].map(([address, group]) => statement(address, group, texts));
  return markup`<section class="part" aria-labelledby="${part}">
<h3 id="${part}"><span class="number">${number}</span> ${part}</h3>
${rows}</section>
`;
}

function statement(address: string, results: readonly Result[], texts: Texts): Markup {
  const verdict = worst(results);
  const counts = countsOf(results);
  const place = placeOf(results[0]?.statement.at ?? '');
  const [line] = linesAround(texts, place, 0);
  const chips = verdicts.flatMap((one): Markup[] => {
    const number = counts[one].stated + counts[one].assumed;
    return number === 0
      ? []
      : [markup`<span class="chip ${nameOf(one)}">${number} <span class="hidden">${one}</span></span>`];
  });
  return markup`<details class="statement"><summary>${mark(verdict)} <code class="address">${breakable(address)}</code> <span class="chips">${chips}</span> ${
    line ? markup`<code class="quote">${line.text.trim()}</code> ` : null
  }<span class="place">${place.file}:${place.line}</span></summary>
<ul class="checks">${results.map(check)}</ul></details>
`;
}

/** An address that may be broken between its steps. */
function breakable(address: string): Markup[] {
  return address
    .split(/(?=[.[])/)
    .map((step, index) => (index === 0 ? markup`${step}` : markup`<wbr>${step}`));
}

function check({ verdict, says, reason, points, assumed, expected, found }: Result): Markup {
  const judged = verdict === 'violates' ? `expected ${expected}, found ${found}` : undefined;
  const why = judged ?? reason ?? points?.join(', ');
  return markup`<li class="check" data-verdict="${nameOf(verdict)}">${mark(verdict)} <span class="hidden">${verdict}:</span> <span>${says}${assumed ? markup` <em>assumed</em>` : null}${
    why === undefined ? null : markup`<br><span class="why">${why}</span>`
  }</span></li>`;
}
