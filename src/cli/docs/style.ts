import { pictureStyle } from '../../interchange/pictures/svg/style.ts';
import { look } from '../../report/look.ts';

/** The style sheet of the reference. */
export const style = `${look}${pictureStyle}
body { max-width: 78rem; }
.purpose { font-size: 1.2rem; max-width: 45rem; }
.sheet { display: grid; grid-template-columns: minmax(0, 17rem) minmax(0, 1fr); gap: 0 3.5rem; align-items: start; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; margin-top: 3.5rem; padding: .3rem .5rem 2rem 0; font-size: .9rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav > ul > li { padding: .2rem 0; }
nav ul ul { padding: .2rem 0 .4rem .8rem; border-left: 1px solid var(--line); }
nav ul ul li { padding: .12rem 0; line-height: 1.35; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; text-decoration-color: var(--soft); }
main:focus { outline: none; }
h4 { margin: 1.4rem 0 .4rem; color: var(--soft); font-size: .85rem; font-weight: 600; letter-spacing: .03em; }
h5 { margin: 1rem 0 .3rem; font-size: .9rem; font-weight: 600; }
.operation, .shape { margin: 0 0 1.6rem; padding: 1.2rem 1.4rem 1.3rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.operation > h3, .shape > h3 { font-size: 1.1rem; }
.operation > .note { margin-top: -.3rem; }
.method { font-size: .85em; font-weight: 700; letter-spacing: .02em; }
h3 code, nav code { font-size: .95em; }
h3 code { font-weight: 500; }
.open { color: var(--open); }
.assumed { color: var(--assumed); }
.waits { padding: .5rem .8rem; border-left: 3px solid var(--open); }
.lines, .steps { margin: .2rem 0; padding-left: 1.2rem; }
.lines:not(.members .lines), .steps { overflow-wrap: anywhere; }
.members .lines { padding: 0; list-style: none; }
.lines li::marker, .steps li::marker { color: var(--soft); }
.members { margin: .2rem 0 .6rem; }
.members > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .1rem 1.2rem; padding: .4rem 0; border-top: 1px solid var(--line); }
.members dt { overflow-wrap: anywhere; }
.members dt code { font-weight: 600; font-size: .88em; }
.need, .media { color: var(--soft); font-size: .8rem; font-weight: 400; }
.need { white-space: nowrap; }
.media { margin-left: .4rem; }
.more { display: block; color: var(--soft); font-size: .9em; }
.answer + .answer { margin-top: .8rem; }
.answer p { margin: 0 0 .2rem; }
figure { margin: 0 0 2rem; }
.drawing { overflow-x: auto; padding: 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.drawing svg { display: block; margin: 0 auto; }
.picture { --card: var(--raised); }
header .members { max-width: 45rem; margin-top: 1rem; }
header .members > div { grid-template-columns: 9rem minmax(0, 1fr); }
@media (max-width: 56rem) {
  .sheet { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; max-height: none; margin-top: 2rem; }
}
@media (max-width: 42rem) {
  .operation, .shape { padding: 1rem; }
  .members > div, header .members > div { grid-template-columns: minmax(0, 1fr); }
  .drawing { padding: .6rem; }
}
@media print {
  nav { display: none; }
  .sheet { display: block; }
  .operation, .shape, figure { break-inside: avoid-page; }
}
`;
