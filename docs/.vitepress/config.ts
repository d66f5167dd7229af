import { type DefaultTheme, defineConfig } from 'vitepress';
import { sidebar } from './sidebar.ts';

/** The site of the documentation: `npm run docs`. Its pages are those of the repository, where links lead from one to another. */
export default defineConfig({
  title: 'tacet',
  description:
    'From the specification of an HTTP service: build it, test any implementation, report what is open.',
  srcDir: '..',
  srcExclude: ['{bench,deploy,editors,scripts,src,test}/**', 'docs/projects/**'],
  rewrites: { 'README.md': 'index.md' },
  // Folders and files that are no pages: they are in the repository.
  ignoreDeadLinks: [/\/(schemas|LICENSE|diagnostics|projects\/\w+)$/],
  markdown: { languageAlias: { cel: 'js' } },
  lastUpdated: false,
  themeConfig: {
    sidebar: sidebar as DefaultTheme.SidebarItem[],
    search: { provider: 'local' },
    outline: [2, 3],
  },
});
