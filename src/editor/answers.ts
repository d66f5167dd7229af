import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type Hover,
  type Location,
  MarkupKind,
  type PrepareRenameResult,
  type Range,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit } from '../assist/answered.ts';
import { completion } from '../assist/completion.ts';
import { definition } from '../assist/definition.ts';
import { type Fix, fixesAt } from '../assist/fixes.ts';
import { hover } from '../assist/hover.ts';
import type { Finding, Known } from '../assist/known.ts';
import { type Outlined, type SymbolKind as SymbolName, symbols } from '../assist/outline.ts';
import { type Place, shifted } from '../assist/place.ts';
import { references } from '../assist/references.ts';
import { renameable } from '../assist/rename.ts';
import { tokenKinds, tokens } from '../assist/tokens.ts';
import type { Code } from '../source/codes.ts';
import { shiftTo } from './desk.ts';
import { fileOf, locationOf, rangeOf } from './positions.ts';

/** What was last read, and the texts as they are now: what every answer is made of. */
export interface View {
  readonly known: Known;
  readonly textOf: (file: string) => TextDocument;
}

/** A place as it is now; null: it was written over since. */
function placeNow({ known, textOf }: View, place: Place): Location | null {
  const text = textOf(place.file);
  const now = shifted(place, shiftTo(known, { file: place.file, content: text.getText() }));
  return now && locationOf(text, now);
}

/** The offset that a caret had in the text that was read; null: what is there is new. */
function offsetBefore({ known }: View, text: TextDocument, offset: number): number | null {
  return shiftTo(known, { file: fileOf(text.uri), content: text.getText() }).before(offset);
}

/** The diagnostics of one file, with a link to the page of each code. */
export function diagnosticsOf(view: View, file: string, pageOf: (code: Code) => string): Diagnostic[] {
  return view.known.findings.flatMap((one) => {
    const at = one.at.file === file ? placeNow(view, one.at) : null;
    if (at === null) return [];
    const related = one.related.flatMap((place) => placeNow(view, place) ?? []);
    return [
      {
        range: at.range,
        severity: one.severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
        code: one.code,
        codeDescription: { href: pageOf(one.code) },
        source: 'tacet',
        message: one.hint === null ? one.message : `${one.message}\n${one.hint}`,
        relatedInformation: related.map((location) => ({ location, message: 'see also' })),
      },
    ];
  });
}

export function completionsOf(known: Known | null, text: TextDocument, offset: number): CompletionItem[] {
  const found = completion(fileOf(text.uri), text.getText(), offset, known?.names);
  if (found === null) return [];
  const range = rangeOf(text, { start: found.from, end: offset });
  return found.options.map(({ label, insert, detail, info }) => ({
    label,
    kind: detail === '' ? CompletionItemKind.Value : CompletionItemKind.Property,
    ...(detail !== '' && { detail }),
    ...(info !== '' && { documentation: info }),
    textEdit: { range, newText: insert },
  }));
}

export function hoverOf(view: View, text: TextDocument, offset: number): Hover | null {
  const file = fileOf(text.uri);
  const before = offsetBefore(view, text, offset);
  const found = before === null ? null : hover(view.known, file, before);
  const at = found && placeNow(view, { file, start: found.start, end: found.end });
  if (!found || !at) return null;
  const value = [`**${found.title}**`, ...found.says].join('\n\n');
  return { contents: { kind: MarkupKind.Markdown, value }, range: at.range };
}

export function definitionOf(view: View, text: TextDocument, offset: number): Location | null {
  const before = offsetBefore(view, text, offset);
  const found = before === null ? null : definition(view.known.names, fileOf(text.uri), before);
  return found && placeNow(view, found);
}

export function referencesOf(
  view: View,
  text: TextDocument,
  offset: number,
  withDeclaration: boolean,
): Location[] {
  const before = offsetBefore(view, text, offset);
  if (before === null) return [];
  const found = references(view.known.names, fileOf(text.uri), before, withDeclaration);
  return found.flatMap((place) => placeNow(view, place) ?? []);
}

/** Where the name stands that may be renamed, and what it is now; null: it may not. */
export function renameableAt(view: View, text: TextDocument, offset: number): PrepareRenameResult | null {
  const before = offsetBefore(view, text, offset);
  const found = before === null ? null : renameable(view.known.names, fileOf(text.uri), before);
  const at = found && 'at' in found ? placeNow(view, found.at) : null;
  return found && 'named' in found && at ? { range: at.range, placeholder: found.named.word } : null;
}

const symbolKinds: Readonly<Record<SymbolName, SymbolKind>> = {
  part: SymbolKind.Module,
  entry: SymbolKind.Class,
  field: SymbolKind.Field,
  machine: SymbolKind.Enum,
  transition: SymbolKind.EnumMember,
  endpoint: SymbolKind.Method,
  actor: SymbolKind.Interface,
  scheme: SymbolKind.Key,
  event: SymbolKind.Event,
  delivery: SymbolKind.Event,
  code: SymbolKind.Constant,
  limit: SymbolKind.Number,
  version: SymbolKind.Package,
};

export function symbolsOf(view: View, text: TextDocument): DocumentSymbol[] {
  const made = (one: Outlined): DocumentSymbol[] => {
    const [whole, name] = [placeNow(view, one), placeNow(view, one.at)];
    const children = one.within.flatMap(made);
    if (!whole || !name) return children;
    const { range } = whole;
    return [{ name: one.name, kind: symbolKinds[one.kind], range, selectionRange: name.range, children }];
  };
  return symbols(view.known.keys, fileOf(text.uri)).flatMap(made);
}

/** What the kinds of tokens are called in the protocol; `declaration` is the one modifier. */
export const legend = {
  tokenTypes: tokenKinds.map(
    (kind) =>
      ({
        key: 'keyword',
        marker: 'macro',
        entry: 'class',
        field: 'property',
        state: 'enumMember',
        transition: 'method',
        operation: 'function',
        actor: 'interface',
        scheme: 'namespace',
        event: 'event',
        code: 'enumMember',
        rate: 'variable',
        quota: 'variable',
        version: 'variable',
        let: 'variable',
        parameter: 'parameter',
        invariant: 'string',
        rule: 'string',
      })[kind],
  ),
  tokenModifiers: ['declaration'],
};

/** The tokens of a text as the protocol wants them: five numbers each, places from one to the next. */
export function tokensOf(view: View, text: TextDocument): number[] {
  const data: number[] = [];
  let [line, character] = [0, 0];
  for (const token of tokens(view.known.keys, view.known.names, fileOf(text.uri))) {
    const range = placeNow(view, token)?.range;
    // A token stands on one line.
    if (range === undefined || range.start.line !== range.end.line) continue;
    const { start, end } = range;
    data.push(
      start.line - line,
      start.line === line ? start.character - character : start.character,
      end.character - start.character,
      tokenKinds.indexOf(token.kind),
      token.declares ? 1 : 0,
    );
    [line, character] = [start.line, start.character];
  }
  return data;
}

/** What may be done about the diagnostics in a range, and where its caret stands. */
export function actionsOf(
  view: View,
  text: TextDocument,
  range: Range,
  diagnostics: readonly Diagnostic[],
  anew: Fix | null,
): CodeAction[] {
  const file = fileOf(text.uri);
  const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
  const about = (one: Finding): boolean => {
    const at = one.at.file === file ? placeNow(view, one.at)?.range : undefined;
    return at !== undefined && text.offsetAt(at.start) <= end && start <= text.offsetAt(at.end);
  };
  const found = view.known.findings.filter(about);
  const before = offsetBefore(view, text, start);
  const here = before === null ? [] : fixesAt(view.known.keys, { file, start: before, end: before });
  const made = (fix: Fix, kind: CodeActionKind, code?: Code): CodeAction[] => {
    const edit = editOf(view, fix.edits);
    const own = diagnostics.filter((one) => code !== undefined && one.code === code);
    return edit === null
      ? []
      : [{ title: fix.title, kind, edit, ...(own.length > 0 && { diagnostics: own }) }];
  };
  return [
    ...found.flatMap(({ fixes, code }) => fixes.flatMap((fix) => made(fix, CodeActionKind.QuickFix, code))),
    ...(anew && found.some(({ code }) => code === 'removed-word')
      ? made(anew, CodeActionKind.QuickFix, 'removed-word')
      : []),
    ...here.flatMap((fix) => made(fix, CodeActionKind.RefactorRewrite)),
  ];
}

/** The edits as the protocol wants them; null: what one of them is about was written over since. */
export function editOf(view: View, edits: readonly Edit[]): WorkspaceEdit | null {
  const changes: Record<string, TextEdit[]> = {};
  for (const edit of edits) {
    const at = placeNow(view, edit);
    if (at === null) return null;
    changes[at.uri] = [...(changes[at.uri] ?? []), { range: at.range, newText: edit.text }];
  }
  return { changes };
}
