/** The colours and letters of all pages of ours, light or dark as the reader has it. The console has them, too. */
export const tokens = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fcfbf8, #17191b);
  --raised: light-dark(#ffffff, #1e2124);
  --ink: light-dark(#22252a, #e4e4e0);
  --soft: light-dark(#5c6168, #a3a8ae);
  --line: light-dark(#e3e0d8, #33373b);
  --edge: light-dark(#8b8f94, #767c83);
  --open: light-dark(#96480f, #f0a35c);
  --assumed: light-dark(#1f5fa8, #8dbdf5);
  --conforms: light-dark(#2b6a41, #84c79a);
  --violates: light-dark(#a92a20, #f39b90);
  --focus: light-dark(#1f5fa8, #8dbdf5);
  --sans: system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif;
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
`;

/** How pages of ours look, narrow and wide, and on paper. */
export const look = `${tokens}
* { box-sizing: border-box; }
html { font: 16px/1.55 var(--sans); scroll-padding-top: 4.5rem; }
body { margin: 0 auto; padding: 3rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 70rem; background: var(--paper); color: var(--ink); }
h1, h2 { font-family: var(--serif); font-weight: 500; line-height: 1.2; text-wrap: balance; }
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
.stave { display: block; width: 240px; max-width: 60%; height: 40px; margin-bottom: 1.5rem; }
.stave path { stroke: var(--line); fill: none; }
.stave rect { fill: var(--ink); }
.kind { margin: 0; letter-spacing: .04em; }
.facts { display: flex; flex-wrap: wrap; gap: .8rem 2.2rem; margin: 0; }
.facts dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; }
footer { margin-top: 4rem; }
@media (max-width: 42rem) {
  body { padding-top: 1.5rem; }
}
@media print {
  :root { color-scheme: light; }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  .skip { display: none; }
  h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
