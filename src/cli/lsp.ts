import { carried } from '../load/carried.ts';
import { version } from '../load/version.ts';
import { type Command, UsageError } from './command.ts';
import { pageFolder } from './page.ts';

/** `tacet lsp`: what an editor starts. */
export const command: Command = {
  name: 'lsp',
  summary: 'answer an editor, by the Language Server Protocol',
  help: `usage: tacet lsp

Started by an editor, which it answers on standard input and output by the Language Server
Protocol 3.17: diagnostics while you type, completion, hover with the state of the point,
definition, references, renaming, outline, quick fixes and semantic tokens, in Markdown,
YAML and JSON. docs/editors.md says how to set up an editor.

exit code: 0 ended as asked, 2 wrong use
`,
  // Clients of the protocol name the way in which they speak; there is this one.
  options: { stdio: { type: 'boolean' } },
  run: async ({ positionals: [surplus] }, terminal) => {
    if (surplus !== undefined) throw new UsageError(`the editor names the documents, and not ${surplus}`);
    const { speak } = await import('../editor/speak.ts');
    await speak({
      version: version(),
      pageOf: (code) => carried(`${pageFolder}/${code}.md`).href,
      ended: terminal.ended,
    });
    return 0 as const;
  },
};
