import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  Hover,
  InitializeResult,
  Location,
  Position,
  PublishDiagnosticsParams,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A text that a client has open; a place in it is named by what stands there, and `|` is the caret. */
export class OpenText {
  readonly uri: string;
  #content: string;
  #version = 1;
  readonly #client: Client;

  constructor(client: Client, uri: string, content: string) {
    this.#client = client;
    this.uri = uri;
    this.#content = content;
  }

  get content(): string {
    return this.#content;
  }

  /** Replaces the one place at which something stands. */
  async edit(from: string, to: string): Promise<void> {
    const document = this.#document();
    const start = this.#offset(from);
    const range = {
      start: document.positionAt(start),
      end: document.positionAt(start + from.length),
    };
    this.#content = this.#content.slice(0, start) + to + this.#content.slice(start + from.length);
    this.#version += 1;
    await this.#client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.uri, version: this.#version },
      contentChanges: [{ range, text: to }],
    });
  }

  /** The position of `|` in the one place at which the rest stands. */
  at(marked: string): Position {
    return this.#document().positionAt(this.#offset(marked.replace('|', '')) + marked.indexOf('|'));
  }

  /** What stands in a range. */
  in({ range }: { readonly range: Location['range'] }): string {
    return this.#document().getText(range);
  }

  /** Line and column, from 1, where a range begins. */
  placeOf({ range: { start } }: { readonly range: Location['range'] }): string {
    return `${start.line + 1}:${start.character + 1}`;
  }

  completion(marked: string): Promise<CompletionItem[]> {
    return this.#ask('textDocument/completion', { position: this.at(marked) });
  }

  hover(marked: string): Promise<Hover | null> {
    return this.#ask('textDocument/hover', { position: this.at(marked) });
  }

  definition(marked: string): Promise<Location | null> {
    return this.#ask('textDocument/definition', { position: this.at(marked) });
  }

  references(marked: string, includeDeclaration = true): Promise<Location[]> {
    return this.#ask('textDocument/references', {
      position: this.at(marked),
      context: { includeDeclaration },
    });
  }

  rename(marked: string, newName: string): Promise<WorkspaceEdit> {
    return this.#ask('textDocument/rename', { position: this.at(marked), newName });
  }

  prepareRename(marked: string): Promise<{ readonly placeholder: string } | null> {
    return this.#ask('textDocument/prepareRename', { position: this.at(marked) });
  }

  symbols(): Promise<DocumentSymbol[]> {
    return this.#ask('textDocument/documentSymbol', {});
  }

  tokens(): Promise<{ readonly data: number[] }> {
    return this.#ask('textDocument/semanticTokens/full', {});
  }

  actions(marked: string, diagnostics: readonly Diagnostic[] = []): Promise<CodeAction[]> {
    const position = this.at(marked);
    return this.#ask('textDocument/codeAction', {
      range: { start: position, end: position },
      context: { diagnostics },
    });
  }

  /** The text with the edits that are for it. */
  with(edit: WorkspaceEdit | undefined): string {
    return TextDocument.applyEdits(this.#document(), [...(edit?.changes?.[this.uri] ?? [])]);
  }

  #ask<T>(method: string, params: object): Promise<T> {
    return this.#client.connection.sendRequest<T>(method, { textDocument: { uri: this.uri }, ...params });
  }

  #document(): TextDocument {
    return TextDocument.create(this.uri, 'markdown', this.#version, this.#content);
  }

  #offset(text: string): number {
    const offset = this.#content.indexOf(text);
    if (offset < 0 || this.#content.includes(text, offset + 1))
      throw new RangeError(`${JSON.stringify(text)} does not stand there once`);
    return offset;
  }
}

/** An editor that has started `tacet lsp`. */
export class Client {
  readonly connection: MessageConnection;
  readonly process: ChildProcess;
  readonly #published: PublishDiagnosticsParams[] = [];
  #told = Promise.withResolvers<void>();

  constructor(process: ChildProcess) {
    this.process = process;
    if (!process.stdout || !process.stdin) throw new TypeError('the server has no input or output');
    this.connection = createMessageConnection(
      new StreamMessageReader(process.stdout),
      new StreamMessageWriter(process.stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (one: PublishDiagnosticsParams) => {
      this.#published.push(one);
      this.#told.resolve();
      this.#told = Promise.withResolvers();
    });
    this.connection.onRequest('workspace/semanticTokens/refresh', () => null);
    this.connection.listen();
  }

  initialize(): Promise<InitializeResult> {
    return this.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      capabilities: {},
    });
  }

  async open(file: string, content: string): Promise<OpenText> {
    const uri = pathToFileURL(file).href;
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'markdown', version: 1, text: content },
    });
    return new OpenText(this, uri, content);
  }

  close({ uri }: OpenText): Promise<void> {
    return this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** The next diagnostics of a text that fulfil a condition. */
  async diagnostics(
    uri: string,
    fits: (found: readonly Diagnostic[]) => boolean = () => true,
  ): Promise<readonly Diagnostic[]> {
    for (;;) {
      const index = this.#published.findIndex((one) => one.uri === uri && fits(one.diagnostics));
      if (index >= 0) {
        const [found] = this.#published.splice(0, index + 1).slice(-1);
        return found?.diagnostics ?? [];
      }
      await this.#told.promise;
    }
  }

  async end(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    const exited = once(this.process, 'exit');
    await this.connection.sendNotification('exit');
    const [code] = await exited;
    return code as number | null;
  }
}

/** Starts a server that ends with the tests of a file. */
export async function startClient(): Promise<Client> {
  const child = spawn(process.execPath, [`${root}/bin/tacet.js`, 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  afterAll(() => child.kill());
  const client = new Client(child);
  await client.initialize();
  await client.connection.sendNotification('initialized', {});
  return client;
}
