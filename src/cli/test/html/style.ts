import { look } from '../../../report/look.ts';

/** The style sheet of the report. */
export const style = `${look}
:root {
  --not-exercised: light-dark(#62676e, #9aa0a7);
  --not-stated: light-dark(#825900, #e0b35c);
  --wash: light-dark(#f9ecea, #35211f);
}
.judged dt, .title { color: var(--soft); font-size: .85rem; }
.place { overflow-wrap: anywhere; }
.outcome { font-size: 1.2rem; margin-bottom: 1.2rem; }
.violated { color: var(--violates); }
.in-order { color: var(--conforms); }
.cut-short, .nothing-exercised { color: var(--not-stated); }
.share { display: flex; gap: 2px; height: .5rem; margin-bottom: 1.5rem; border-radius: .25rem; overflow: hidden; print-color-adjust: exact; }
.share span { flex-basis: 0; background: currentcolor; }
.conforms { color: var(--conforms); }
.violates { color: var(--violates); }
.not-exercised { color: var(--not-exercised); }
.not-stated { color: var(--not-stated); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .5rem; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; }
th:first-child, thead td { text-align: left; }
thead th { color: var(--soft); font-size: .85rem; white-space: nowrap; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
td.none, .empty { color: var(--soft); }
.number { display: inline-block; min-width: 1.1em; color: var(--soft); font-variant-numeric: tabular-nums; }
.violation { margin: 0 0 1.5rem; padding: 1.2rem 1.4rem 1.3rem; background: var(--raised); border: 1px solid var(--line); border-left: 4px solid var(--violates); border-radius: 6px; }
.violation.assumed { border-left-color: var(--not-stated); }
.cites code { margin-right: .6em; }
.excerpt { padding: .6rem 0; border-block: 1px solid var(--line); }
.line { display: block; padding-left: 3.6em; text-indent: -3.6em; color: var(--soft); background: none; }
mark.line { background: var(--wash); color: var(--ink); print-color-adjust: exact; }
.line .n { display: inline-block; width: 2.6em; margin-right: 1em; text-align: right; text-indent: 0; color: var(--soft); user-select: none; }
.judged { display: grid; gap: .3rem; margin: .9rem 0; }
.judged div { display: grid; grid-template-columns: 5.5rem 1fr; align-items: baseline; }
.judged dd { font-family: var(--mono); font-size: .85em; }
.title { margin: .9rem 0 .2rem; }
.sequence { margin: 0; padding-left: 1.6rem; }
.sequence > li::marker { color: var(--soft); font-size: .85rem; }
.asked { margin: .2rem 0; }
.method, .status { font-weight: 600; font-size: .9em; }
.content { color: var(--soft); }
.content summary { list-style-position: outside; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.content[open] summary code { display: none; }
.content .name { display: inline-block; min-width: 4em; font-size: .85rem; }
.content pre { margin-left: 1rem; color: var(--ink); }
.curl { margin: 0; padding: .6rem .8rem; background: var(--paper); border: 1px solid var(--line); border-radius: 4px; user-select: all; }
.causes { margin: 0; padding-left: 2rem; }
.causes li { padding: .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.causes li::marker { color: var(--violates); font-variant-numeric: tabular-nums; }
.causes li.assumed::marker { color: var(--not-stated); }
.hanging { margin: 0; padding: 0; list-style: none; }
.hanging li { padding: .5rem 0 .5rem 3.6rem; text-indent: -3.6rem; border-bottom: 1px solid var(--line); }
.hanging .count { display: inline-block; width: 2.6rem; margin-right: 1rem; text-align: right; text-indent: 0; color: var(--not-stated); font-variant-numeric: tabular-nums; }
.hanging q { font-style: italic; }
.invention { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.invention pre { margin: .6rem 0; }
.filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 -.5rem 1rem; padding: .7rem .5rem; background: var(--paper); border: 0; border-bottom: 1px solid var(--line); }
.filter legend { float: left; margin-right: .6rem; padding: .3rem 0; color: var(--soft); font-size: .9rem; }
.filter input { position: absolute; opacity: 0; }
.filter label { padding: .25rem .8rem; border: 1px solid var(--line); border-radius: 2rem; font-size: .9rem; cursor: pointer; }
.filter input:checked + label { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.filter input:checked + label * { color: inherit; }
.filter input:focus-visible + label { outline: 2px solid var(--focus); outline-offset: 2px; }
.filter .count { color: var(--soft); font-variant-numeric: tabular-nums; }
.part { margin-bottom: 2.2rem; }
.statement { border-bottom: 1px solid var(--line); }
.statement summary { display: grid; grid-template-columns: 1.4em minmax(0, 1fr) auto; gap: 0 .5rem; align-items: baseline; padding: .45rem 0; list-style: none; }
.statement summary::-webkit-details-marker { display: none; }
.statement summary:hover .address { text-decoration: underline; text-decoration-color: var(--soft); text-underline-offset: .2em; }
.mark { display: inline-block; min-width: 1em; text-align: center; }
.quote, .statement .place { grid-column: 2; color: var(--soft); }
.statement .place { grid-column: 3; grid-row: 2; font-size: .8rem; text-align: right; }
.quote { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chips { display: inline-flex; justify-self: end; gap: .7rem; font-size: .85rem; font-variant-numeric: tabular-nums; }
.checks { margin: 0 0 .8rem; padding: 0 0 0 1.9rem; list-style: none; font-size: .92rem; }
.check { display: flex; gap: .5rem; padding: .15rem 0; overflow-wrap: anywhere; }
${['conforms', 'violates', 'not-exercised', 'not-stated']
  .map((name) => {
    const others = `:not(:has([data-verdict='${name}']))`;
    const chosen = `.statements:has(#show-${name}:checked)`;
    return `${chosen} :is(.part, .statement)${others}, ${chosen} .check:not([data-verdict='${name}']) { display: none; }`;
  })
  .join('\n')}
@media (max-width: 42rem) {
  table { font-size: .9rem; }
  th, td { padding: .4rem .25rem; }
  thead th { white-space: normal; font-size: .75rem; vertical-align: bottom; }
  thead .mark { display: block; text-align: right; }
  .violation { padding: 1rem; }
  .judged div { grid-template-columns: 1fr; }
  .filter { position: static; }
  .statement .place { grid-column: 2; grid-row: auto; text-align: left; }
}
@media print {
  .filter { display: none; }
  .violation, .statement { break-inside: avoid; }
  .content summary code { display: none; }
}
`;
