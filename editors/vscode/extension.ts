import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

/** Starts the language server of the workspace. VS Code calls it when a document of one of its languages is opened. */
export async function activate(): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const [command = '', ...args] = commandIn(folder);
  client = new LanguageClient(
    'tacet',
    'tacet',
    { command, args, options: { ...(folder !== undefined && { cwd: folder }), shell: isWindows } },
    {
      documentSelector: ['markdown', 'yaml', 'json'].flatMap((language) => [
        { language, scheme: 'file' },
        { language, scheme: 'untitled' },
      ]),
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.{md,markdown,yaml,yml,json}') },
    },
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(
      `tacet does not start: ${(error as Error).message}. See the setting tacet.command.`,
    );
  }
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

/** Programs of npm are scripts on Windows, which a shell runs. */
const isWindows = process.platform === 'win32';

function commandIn(folder: string | undefined): readonly string[] {
  const set = workspace.getConfiguration('tacet').get<readonly string[]>('command') ?? [];
  if (set.length > 0) return set;
  const own = folder && join(folder, 'node_modules', '.bin', isWindows ? 'tacet.cmd' : 'tacet');
  return own && existsSync(own) ? [own, 'lsp'] : ['npx', 'tacet', 'lsp'];
}
