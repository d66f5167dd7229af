/** The style sheet of the page: light or dark as the reader has it, narrow and wide, and on paper. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fcfbf8, #17191b);
  --raised: light-dark(#ffffff, #1e2124);
  --ink: light-dark(#22252a, #e4e4e0);
  --soft: light-dark(#5c6168, #a3a8ae);
  --line: light-dark(#e3e0d8, #33373b);
  --conforms: light-dark(#2b6a41, #84c79a);
  --violates: light-dark(#a92a20, #f39b90);
  --not-exercised: light-dark(#62676e, #9aa0a7);
  --not-stated: light-dark(#825900, #e0b35c);
  --wash: light-dark(#f9ecea, #35211f);
  --focus: light-dark(#1f5fa8, #8dbdf5);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; }
html { font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif; scroll-padding-top: 4.5rem; }
body { margin: 0 auto; padding: 3rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 70rem; background: var(--paper); color: var(--ink); }
h1, h2 { font-family: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif; font-weight: 500; line-height: 1.2; text-wrap: balance; }
h1 { margin: 0 0 .6rem; font-size: clamp(1.9rem, 5vw, 2.8rem); letter-spacing: -.01em; }
h2 { margin: 3.5rem 0 1rem; font-size: 1.5rem; }
h3 { margin: 0 0 .5rem; font-size: 1.05rem; line-height: 1.4; overflow-wrap: anywhere; }
p { margin: 0 0 .5rem; }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: .2em; }
code, pre, .path { font-family: var(--mono); font-size: .85em; overflow-wrap: anywhere; }
pre { margin: .5rem 0; white-space: pre-wrap; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.hidden, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.place, .note, .why, .kind, footer { color: var(--soft); font-size: .9em; }
.place { overflow-wrap: anywhere; }
.stave { display: block; width: 240px; max-width: 60%; height: 40px; margin-bottom: 1.5rem; }
.stave path { stroke: var(--line); fill: none; }
.stave rect { fill: var(--ink); }
.kind { margin: 0; letter-spacing: .04em; }
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
.facts { display: flex; flex-wrap: wrap; gap: .8rem 2.2rem; margin: 0; }
.facts dt, .judged dt, .title { color: var(--soft); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
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
summary { cursor: pointer; }
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
footer { margin-top: 4rem; }
${['conforms', 'violates', 'not-exercised', 'not-stated']
  .map((name) => {
    const others = `:not(:has([data-verdict='${name}']))`;
    const chosen = `.statements:has(#show-${name}:checked)`;
    return `${chosen} :is(.part, .statement)${others}, ${chosen} .check:not([data-verdict='${name}']) { display: none; }`;
  })
  .join('\n')}
@media (max-width: 42rem) {
  body { padding-top: 1.5rem; }
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
  :root { color-scheme: light; }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  .filter, .skip { display: none; }
  .violation, .statement { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .content summary code { display: none; }
}
`;
