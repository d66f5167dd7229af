import { readdirSync, readFileSync } from 'node:fs';

/** An entry of the sidebar, as VitePress takes it. */
export interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly Entry[];
}

const root = new URL('../../', import.meta.url);

/** A page under its first heading, or under a text of its own. */
function page(path: string, text = titleOf(path)): Entry {
  return { text, link: `/${path.replace(/\.md$/, '')}` };
}

function titleOf(path: string): string {
  const [, title = path] = /^# (.*)$/m.exec(readFileSync(new URL(path, root), 'utf8')) ?? [];
  return title.replace(/<a [^>]*><\/a>|`/g, '');
}

/** The pages of a folder in the order of their names, without its index. */
function pagesIn(folder: string): readonly Entry[] {
  return readdirSync(new URL(`${folder}/`, root))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => page(`${folder}/${name}`));
}

const guide = (name: string): Entry => page(`docs/${name}.md`);

const recipeFolders: readonly (readonly [text: string, folder: string])[] = [
  ['Access', 'access'],
  ['Data', 'data'],
  ['Lists', 'lists'],
  ['Requests', 'requests'],
  ['Time and events', 'time-and-events'],
];

/** All pages, for those who learn, who have a problem, who look something up, and who want to know why. */
export const sidebar: readonly Entry[] = [
  { text: 'Tutorial', items: [page('docs/tutorial/README.md'), ...pagesIn('docs/tutorial')] },
  {
    text: 'Recipes',
    items: [
      page('docs/recipes/README.md', 'All recipes'),
      ...recipeFolders.map(([text, folder]) => ({
        text,
        collapsed: true,
        items: pagesIn(`docs/recipes/${folder}`),
      })),
    ],
  },
  {
    text: 'Guides',
    items: [
      {
        text: 'Design',
        items: ['open-points', 'examples', 'console', 'pictures', 'editors', 'agents'].map(guide),
      },
      {
        text: 'Test',
        items: ['testing', 'reports', 'plan', 'traffic', 'comparing', 'library'].map(guide),
      },
      {
        text: 'Other formats',
        items: ['openapi', 'openapi-test', 'openapi-export', 'asyncapi', 'client'].map(guide),
      },
      { text: 'Coming from', collapsed: true, items: pagesIn('docs/coming-from') },
      {
        text: 'Operate',
        items: ['operating', 'workers', 'scaling', 'tls', 'telemetry', 'data', 'backup', 'host-limits'].map(
          guide,
        ),
      },
    ],
  },
  {
    text: 'Reference',
    items: [
      guide('commands'),
      { text: 'The language', collapsed: true, items: [guide('language'), ...pagesIn('docs/language')] },
      { text: 'Messages of check', collapsed: true, items: pagesIn('docs/diagnostics') },
    ],
  },
  {
    text: 'Explanation',
    items: [guide('why'), page('ARCHITECTURE.md'), page('SECURITY.md'), page('CHANGELOG.md')],
  },
];
