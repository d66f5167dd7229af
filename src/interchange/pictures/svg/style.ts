/**
 * How pictures look: light or dark as their reader prefers. What is not stated differs in its form too, for those who
 * tell colours apart badly.
 */
export const pictureStyle = `
.picture{--card:#fff;--edge:#d8dee4;--box:#f6f8fa;--ink:#1f2328;--soft:#59636e;--rule:#848d97;--assumed:#0f5bb5;--open:#b04a0f}
@media (prefers-color-scheme:dark){.picture{--card:#0d1117;--edge:#30363d;--box:#161b22;--ink:#e6edf3;--soft:#9da7b1;--rule:#6e7681;--assumed:#79b0f5;--open:#f0883e}}
.picture text{font:13px ui-sans-serif,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;fill:var(--ink)}
.picture .card{fill:var(--card);stroke:var(--edge)}
.picture .title{font-size:17px;font-weight:600}
.picture .name{font-weight:600}
.picture .label,.picture .says{fill:var(--soft)}
.picture .middle{text-anchor:middle}
.picture .start{text-anchor:start}
.picture text.assumed{fill:var(--assumed)}
.picture text.open{fill:var(--open)}
.picture .box{fill:var(--box);stroke:var(--rule);stroke-width:1.2}
.picture .line{fill:none;stroke:var(--rule);stroke-width:1.2}
.picture .thick{stroke-width:2.6}
.picture .dashes{stroke-dasharray:6 4}
.picture .life{stroke:var(--edge);stroke-width:1.2}
.picture .frame{fill:none;stroke:var(--edge)}
.picture .tip{fill:var(--rule);stroke:var(--rule)}
.picture .back{fill:var(--card);opacity:.85}
.picture .dot{fill:var(--ink)}
.picture .box.assumed,.picture .line.assumed{stroke:var(--assumed);stroke-width:1.6;stroke-dasharray:2 3}
.picture .box.open,.picture .line.open{stroke:var(--open);stroke-width:1.6;stroke-dasharray:6 4}
.picture .tip.assumed{fill:var(--assumed);stroke:var(--assumed);stroke-dasharray:none}
.picture .tip.open{fill:var(--open);stroke:var(--open);stroke-dasharray:none}
`;
