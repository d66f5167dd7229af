import {
  type Connection,
  ErrorCodes,
  type InitializeResult,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit } from '../assist/answered.ts';
import { writtenAnew } from '../assist/fixes.ts';
import type { Known } from '../assist/known.ts';
import { rename } from '../assist/rename.ts';
import type { Code } from '../source/codes.ts';
import {
  actionsOf,
  completionsOf,
  definitionOf,
  diagnosticsOf,
  editOf,
  hoverOf,
  legend,
  referencesOf,
  renameableAt,
  symbolsOf,
  tokensOf,
  type View,
} from './answers.ts';
import type { Clock, Desk } from './desk.ts';
import { fileOf, uriOf } from './positions.ts';
import type { DocumentReader } from './reader.ts';
import { Workspace } from './workspace.ts';

export interface EditorOptions {
  readonly reader: DocumentReader;
  readonly clock: Clock;
  /** The address of the page about a code. */
  readonly pageOf: (code: Code) => string;
  readonly version: string;
}

/** An editor, the texts that it has open, and the specifications that they belong to. */
interface Session {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly workspace: Workspace;
}

/** Answers an editor by the Language Server Protocol (3.17). All that it answers comes from `assist/`. */
export function answerEditor(connection: Connection, options: EditorOptions): Workspace {
  const documents = new TextDocuments(TextDocument);
  // Whether the client asks for tokens again when it is told to; it shows those of the last reading until then.
  let asksAgain = false;
  const addressOf = (file: string): string =>
    documents.all().find(({ uri }) => fileOf(uri) === file)?.uri ?? uriOf(file);
  const onRead = (known: Known, files: readonly string[]): void => {
    for (const file of new Set([...files, ...known.findings.map(({ at }) => at.file)])) {
      const diagnostics = diagnosticsOf(viewOf(workspace, known), file, options.pageOf);
      connection.sendDiagnostics({ uri: addressOf(file), diagnostics });
    }
    if (asksAgain) connection.languages.semanticTokens.refresh().catch(() => undefined);
  };
  const onFault = ({ stack, message }: Error): void =>
    connection.console.error(`this is a fault of tacet itself\n${stack ?? message}`);
  const workspace = new Workspace(options.reader, options.clock, { onRead, onFault });
  connection.onInitialize(({ capabilities: { workspace: of } }) => {
    asksAgain = of?.semanticTokens?.refreshSupport === true;
    return capabilities(options.version);
  });
  connection.onShutdown(async () => {
    workspace.close();
    await options.reader.close();
  });
  documents.onDidChangeContent(({ document }) => workspace.edited(document));
  documents.onDidClose(({ document }) => {
    for (const file of workspace.closed(document.uri))
      connection.sendDiagnostics({ uri: addressOf(file), diagnostics: [] });
  });
  connection.onDidChangeWatchedFiles(({ changes }) => workspace.changed(changes.map(({ uri }) => uri)));
  const session = { connection, documents, workspace };
  answerAboutTexts(session);
  answerRenames(session);
  documents.listen(connection);
  return workspace;
}

function viewOf(workspace: Workspace, known: Known): View {
  return { known, textOf: (file) => workspace.textOf(file) };
}

/** Answers by what was last read. */
function answerAboutTexts({ connection, documents, workspace }: Session): void {
  /** Nothing is answered about a text that is no specification. */
  const about = async <T>(
    uri: string,
    nothing: T,
    answer: (view: View, text: TextDocument) => T,
  ): Promise<T> => {
    const [text, desk] = [documents.get(uri), workspace.deskOf(uri)];
    return text && desk ? answer(viewOf(workspace, await desk.last()), text) : nothing;
  };
  const at =
    <T>(nothing: T, answer: (view: View, text: TextDocument, offset: number) => T) =>
    ({ textDocument: { uri }, position }: TextDocumentPositionParams): Promise<T> =>
      about(uri, nothing, (view, text) => answer(view, text, text.offsetAt(position)));

  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const [text, desk] = [documents.get(uri), workspace.deskOf(uri)];
    // It needs no reading, so that it waits for none.
    return text && desk ? completionsOf(desk.known, text, text.offsetAt(position)) : [];
  });
  connection.onHover(at(null, hoverOf));
  connection.onDefinition(at(null, definitionOf));
  connection.onReferences(({ context, ...params }) =>
    at([], (view, text, offset) => referencesOf(view, text, offset, context.includeDeclaration))(params),
  );
  connection.onDocumentSymbol(({ textDocument: { uri } }) => about(uri, [], symbolsOf));
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) =>
    about(uri, { data: [] }, (view, text) => ({ data: tokensOf(view, text) })),
  );
  connection.onCodeAction(({ textDocument: { uri }, range, context }) =>
    about(uri, [], (view, text) => {
      const isOld = view.known.findings.some(({ code }) => code === 'removed-word');
      const anew = isOld ? writtenAnew(view.known.sources) : null;
      return actionsOf(view, text, range, context.diagnostics, anew);
    }),
  );
  connection.onPrepareRename(at(null, renameableAt));
}

/** Renames by the texts as they are now, and only if the document is as right after it as before. */
function answerRenames({ connection, documents, workspace }: Session): void {
  connection.onRenameRequest(async ({ textDocument: { uri }, position, newName }) => {
    const [text, desk] = [documents.get(uri), workspace.deskOf(uri)];
    if (!text || !desk) return null;
    const known = await desk.current();
    const renaming = rename(known.names, fileOf(uri), text.offsetAt(position), newName);
    if ('refused' in renaming) throw new ResponseError(ErrorCodes.InvalidParams, renaming.refused);
    const fault = await faultOf(desk, known, renaming.edits, renaming.named.word, newName);
    if (fault !== null) throw new ResponseError(ErrorCodes.InvalidParams, fault);
    return editOf(viewOf(workspace, known), renaming.edits);
  });
}

/** What would be wrong with the document after a renaming; null: nothing that is not wrong now. */
async function faultOf(
  desk: Desk,
  known: Known,
  edits: readonly Edit[],
  from: string,
  to: string,
): Promise<string | null> {
  const texts = new Map(known.sources.map(({ file, content }) => [file, content]));
  for (const { file, start, end, text } of [...edits].sort((a, b) => b.start - a.start)) {
    const content = texts.get(file) ?? '';
    texts.set(file, `${content.slice(0, start)}${text}${content.slice(end)}`);
  }
  const after = await desk.tried(texts);
  const before = new Set(
    known.findings.map(({ code, message }) => `${code} ${message.replaceAll(from, to)}`),
  );
  const fresh = after.findings.find(
    ({ code, message }) => !before.has(`${code} ${message.replaceAll(from, to)}`),
  );
  return fresh
    ? `${from} cannot be renamed by itself: then ${fresh.message} (${fresh.code}); edit that place first`
    : null;
}

function capabilities(version: string): InitializeResult {
  return {
    serverInfo: { name: 'tacet', version },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: [' ', ':', '{', '.'] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      documentSymbolProvider: true,
      renameProvider: { prepareProvider: true },
      codeActionProvider: true,
      semanticTokensProvider: { legend, full: true },
    },
  };
}
