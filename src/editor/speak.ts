import { createConnection } from 'vscode-languageserver/node';
import type { Clock } from './desk.ts';
import { startReader } from './reader.ts';
import { answerEditor, type EditorOptions } from './server.ts';

const clock: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Answers an editor on standard input and output, until it ends the process or that is asked to end. */
export async function speak({
  ended,
  ...options
}: Pick<EditorOptions, 'version' | 'pageOf'> & { readonly ended: AbortSignal }): Promise<void> {
  const reader = startReader();
  const connection = createConnection(process.stdin, process.stdout);
  const workspace = answerEditor(connection, { ...options, reader, clock });
  connection.listen();
  await new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve()));
  workspace.close();
  connection.dispose();
  await reader.close();
}
