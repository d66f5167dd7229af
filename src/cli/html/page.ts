import { type Markup, markup, raw } from './markup.ts';

/** A page that needs nothing beside it, and asks nobody for anything: no script, no font, no image. */
export interface Page {
  /** What the tab of a browser says. */
  readonly title: string;
  /** The style sheet, {@link look} and what the page has besides. */
  readonly style: string;
  /** Where those get who skip what is above: a text for them, and the identifier of a heading. */
  readonly skip: { readonly says: string; readonly to: string };
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: string;
}

export function page({ title, style, skip, header, main, footer }: Page): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#${skip.to}">${skip.says}</a>
<header>
${stave}
${header}
</header>
${main}
<footer>${footer}</footer>
</body>
</html>
`.html;
}

/** Five lines, and a rest: what tacet is called after. */
const stave = raw(
  '<svg class="stave" viewBox="0 0 240 40" aria-hidden="true"><path d="M0 4.5h240M0 12.5h240M0 20.5h240M0 28.5h240M0 36.5h240"/><rect x="112" y="12.5" width="16" height="4.5"/></svg>',
);
