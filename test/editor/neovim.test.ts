import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tacet-neovim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function version(): string | null {
  try {
    return execFileSync('nvim', ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
  } catch {
    return null;
  }
}

/** What docs/editors.md tells to write, with the tacet of this checkout. */
const [, setUp = ''] = /^```lua neovim\n([\s\S]*?)^```$/m.exec(readFileSync('docs/editors.md', 'utf8')) ?? [];
const tacet = fileURLToPath(new URL('../../bin/tacet.js', import.meta.url));
const command = [process.execPath, tacet, 'lsp'].map((word) => `'${word}'`).join(', ');

/** Neovim 0.7 has the two that `vim.lsp.start` is made of. */
const before08 = `
vim.lsp.start = vim.lsp.start or function(config)
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end
`;

/** Opens a file, waits for a fault, asks for a hover and a definition, and writes what came of it. */
const script = (document: string, result: string): string => `
vim.cmd('edit ${document}')
local found = {}
vim.wait(60000, function()
  found.diagnostics = vim.diagnostic.get(0)
  return #found.diagnostics > 0
end, 20)
local function ask(method, line, character)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = line, character = character },
  }
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
found.hover = ask('textDocument/hover', 10, 3)
found.definition = ask('textDocument/definition', 10, 14)
vim.fn.writefile({ vim.json.encode(found) }, '${result}')
vim.cmd('qall!')
`;

describe('Neovim, set up as docs/editors.md says', () => {
  const known = version();

  it.skipIf(known === null)(
    `shows faults, hovers and definitions (${known ?? 'skipped: there is no nvim on this machine'})`,
    async () => {
      const document = join(folder, 'notes.md');
      const result = join(folder, 'found.json');
      writeFileSync(
        document,
        '## Resources\n\n```yaml\nNote: { identifier: id, fields: { id: { type: string } } }\n```\n\n## Endpoints\n\n```yaml\nGET /notes: { does: list Note }\nGET /all: { does: list Nota }\n```\n'.replace(
          'GET /notes: { does: list Note }',
          'GET /notes:\n  does: list Note',
        ),
      );
      const init = join(folder, 'init.lua');
      const started = setUp.replace("'npx', 'tacet', 'lsp'", command);
      expect(started).not.toBe(setUp);
      writeFileSync(init, `${before08}${started}`);
      const run = join(folder, 'run.lua');
      writeFileSync(run, script(document, result));
      await promisify(execFile)('nvim', ['--headless', '-u', init, '-c', `luafile ${run}`], {
        timeout: 120_000,
      });
      const found = JSON.parse(readFileSync(result, 'utf8'));
      expect(found.diagnostics).toMatchObject([
        {
          code: 'unknown-name',
          source: 'tacet',
          lnum: 11,
          message: expect.stringContaining('did you mean Note?'),
        },
      ]);
      expect(found.hover.contents.value).toContain('**does (§4.1)**');
      expect(found.definition.range.start).toEqual({ line: 3, character: 0 });
    },
    180_000,
  );
});
