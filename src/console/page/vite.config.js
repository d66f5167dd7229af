import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { licences } from '../../../scripts/licences.ts';

// The page is built into the package, so that nobody who uses it has to build it. Its style sheet for all pages of ours
// comes from the server.
export default defineConfig({
  plugins: [svelte(), { name: 'licences', generateBundle: licences }],
  logLevel: 'warn',
  build: {
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { external: ['/look.css'] },
  },
});
