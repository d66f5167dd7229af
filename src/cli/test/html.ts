import type { Report } from '../../conformance/report.ts';
import { type Verdict, verdicts } from '../../conformance/result.ts';
import { blocking, byPart, countsOf, outcomeOf } from '../../conformance/summary.ts';
import { causesOf } from '../../conformance/verdicts/causes.ts';
import { sentence } from '../../conformance/verdicts/sentence.ts';
import { questionAt } from '../../report/status.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { parts } from '../../specification/reading/address.ts';
import { count } from '../command.ts';
import { type Markup, markup } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { notNoticed, whatToFix } from './html/causes.ts';
import { examplesPlayed } from './html/examples.ts';
import { inventionsFound } from './html/inventions.ts';
import { statements } from './html/statements.ts';
import { style } from './html/style.ts';
import { mark, nameOf } from './html/verdict.ts';
import { violationsFound } from './html/violations.ts';
import { textsOf } from './place.ts';
import { playedCounts } from './played.ts';

/**
 * One page that needs nothing beside it, and asks nobody for anything: no script, no font, no image. The filter is a
 * group of radio buttons that the style sheet reads.
 */
export function html(report: Report, of: Specification): string {
  const texts = textsOf(of);
  const name = report.specification.name || report.specification.file;
  const causes = causesOf(report.results, report.sequences);
  return page({
    title: `${name}: ${sentence(report)}`,
    style,
    skip: { says: 'Skip to the statements', to: 'statements' },
    header: header(report, name),
    main: markup`<main>
${whatToFix(causes)}
${notNoticed(report.unnoticed)}
${table(report)}
${violationsFound(causes, { report, of, credentials: {} }, texts)}
${hanging(report, of)}
${examplesPlayed(report)}
${inventionsFound(report)}
${statements(report, texts)}
</main>`,
    footer:
      'Every verdict rests on a statement of the document. Where the document is silent, so is this report.',
  });
}

function header(report: Report, name: string): Markup {
  const { specification, url, seed, requests, tookMs, began, inventions, examples } = report;
  const outcome = outcomeOf(report).replaceAll(' ', '-');
  const fact = (term: string, value: string): Markup => markup`<div><dt>${term}</dt><dd>${value}</dd></div>`;
  return markup`<p class="kind">Conformance report</p>
<h1>${name}</h1>
<p class="outcome ${outcome}">${sentence(report)}</p>
${share(report)}
<dl class="facts">
${fact('document', specification.file)}
${fact('implementation', url)}
${fact('sent', `${count(requests, 'request')} in ${(tookMs / 1000).toFixed(1)} s`)}
${inventions.length > 0 ? fact('stated by nobody', count(inventions.length, 'invention')) : null}
${examples.length > 0 ? fact('examples', playedCounts(examples)) : null}
${fact('seed', String(seed))}
${fact('began', began.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}
</dl>`;
}

/** The verdicts as shares of one bar. */
function share({ counts, results }: Report): Markup {
  if (results.length === 0) return markup``;
  const numbers = verdicts.map(
    (verdict) => [verdict, counts[verdict].stated + counts[verdict].assumed] as const,
  );
  const told = numbers.map(([verdict, number]) => `${verdict}: ${number}`).join(', ');
  const bars = numbers.map(
    ([verdict, number]) => markup`<span class="${nameOf(verdict)}" style="flex-grow:${number}"></span>`,
  );
  return markup`<div class="share" role="img" aria-label="${told}">${bars}</div>`;
}

/** The nine parts and the verdicts, in numbers. */
function table({ results }: Report): Markup {
  const groups = byPart(results);
  const hasAssumed = results.some(({ assumed }) => assumed);
  const cells = (group: Parameters<typeof countsOf>[0]): Markup[] => {
    const counts = countsOf(group);
    const cell = (verdict: Verdict): Markup => {
      const { stated } = counts[verdict];
      return stated === 0
        ? markup`<td class="none">0</td>`
        : markup`<td class="${nameOf(verdict)}">${stated}</td>`;
    };
    const assumed = verdicts.reduce((sum, verdict) => sum + counts[verdict].assumed, 0);
    return [...verdicts.map(cell), ...(hasAssumed ? [markup`<td>${assumed}</td>`] : [])];
  };
  const rows = parts.map((part, index) => {
    const group = groups.get(part);
    const number = markup`<span class="number">${index + 1}</span>`;
    return group
      ? markup`<tr><th scope="row">${number} <a href="#${part}">${part}</a></th>${cells(group)}</tr>\n`
      : markup`<tr class="empty"><th scope="row">${number} ${part}</th>${cells([])}</tr>\n`;
  });
  const heads = [...verdicts.map((one) => markup`<th scope="col">${mark(one)} ${one}</th>`)];
  if (hasAssumed) heads.push(markup`<th scope="col">assumed</th>`);
  return markup`<section aria-labelledby="parts">
<h2 id="parts">The nine parts</h2>
<table>
<thead><tr><td></td>${heads}</tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">all</th>${cells(results)}</tr></tfoot>
</table>
</section>`;
}

/** The open points that keep checks from being judged, with what is asked there. */
function hanging({ results }: Report, of: Specification): Markup {
  const points = blocking(results);
  if (points.length === 0) return markup``;
  const items = points.map(([address, checks]) => {
    const point = of.points.get(address);
    const question = questionAt(of, address);
    return markup`<li><span class="count">${checks}</span> <code>${address}</code>${
      point ? markup` <span class="place">${at(point.at)}</span>` : null
    }${question === null ? null : markup`<br><q>${question}</q>`}</li>\n`;
  });
  return markup`<section aria-labelledby="open">
<h2 id="open">Open points that checks hang on</h2>
<p class="note">The document does not say, so neither does the test. Answer these, and so many checks more are judged.</p>
<ol class="hanging">
${items}</ol>
</section>`;
}
