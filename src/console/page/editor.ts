import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yamlLanguage } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  defineLanguageFacet,
  HighlightStyle,
  indentOnInput,
  Language,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parseCode, parser } from '@lezer/markdown';
import type { Edit } from '../../assist/answered.ts';
import type { Completion } from '../../assist/completion.ts';
import type { Hover } from '../../assist/hover.ts';
import type { Fault } from '../editing/faults.ts';

/** An editor of one text. */
export interface Editor {
  readonly text: () => string;
  /** Puts another text in its place, without a step that can be undone. */
  readonly replace: (text: string) => void;
  readonly show: (faults: readonly Fault[]) => void;
  /** Goes to the beginning of a line (from 1). */
  readonly goTo: (line: number) => void;
  /** Where the cursor is: an offset in the file. */
  readonly cursor: () => number;
  /** Changes stretches of the text; it can be undone. */
  readonly change: (edits: readonly Pick<Edit, 'start' | 'end' | 'text'>[]) => void;
  readonly focus: () => void;
  readonly close: () => void;
}

/** What an editor asks for, and tells. */
export interface EditorOptions {
  readonly file: string;
  readonly text: string;
  readonly isEditable: boolean;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly onRename: () => void;
  /** What may stand at an offset, and from where on it replaces what stands there. */
  readonly complete: (text: string, offset: number) => Promise<Completion | null>;
  /** What is to be said of what stands at an offset. */
  readonly hover: (text: string, offset: number) => Promise<Hover | null>;
}

const facet = defineLanguageFacet();
const markdown = new Language(
  facet,
  parser.configure([
    parseCode({ codeParser: (info) => (/^ya?ml\b/i.test(info) ? yamlLanguage.parser : null) }),
  ]),
  [],
  'markdown',
);

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', fontFamily: 'var(--serif)', fontSize: '1.1em' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--assumed)' },
  { tag: [tags.comment, tags.processingInstruction, tags.labelName, tags.meta], color: 'var(--soft)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--conforms)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '600' },
]);

const theme = EditorView.theme({
  '&': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    height: '100%',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '.9rem', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBottom: '2rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--soft)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--line) 45%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 25%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    borderRadius: '5px',
    maxWidth: '34rem',
  },
  '.cm-tooltip-hover > div': { padding: '.5rem .8rem', fontFamily: 'var(--sans)', fontSize: '.9rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--ink)',
    color: 'var(--paper)',
  },
  '.cm-completionDetail': { color: 'inherit', opacity: '.75', marginLeft: '1em', fontStyle: 'normal' },
  '.cm-completionInfo': { padding: '.4rem .7rem', fontFamily: 'var(--sans)' },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-button, .cm-textfield': {
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
  },
});

/** Opens an editor in an element. Its style sheets have the number of the page, which its policy asks for. */
export function openEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
  const isMarkdown = /\.(md|markdown)$/i.test(options.file);
  let isOwn = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ 'aria-label': `text of ${options.file}`, tabindex: '0' }),
        EditorState.readOnly.of(!options.isEditable),
        // Offsets are those of the file, so its line breaks stay what they are.
        EditorState.lineSeparator.of(options.text.includes('\r\n') ? '\r\n' : '\n'),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        EditorView.lineWrapping,
        isMarkdown ? markdown : yamlLanguage,
        syntaxHighlighting(colours),
        theme,
        autocompletion({ override: [completing(options)], icons: false }),
        hoverTooltip(hovering(options)),
        keymap.of([
          { key: 'Mod-s', run: calling(options.onSave), preventDefault: true },
          { key: 'F2', run: calling(options.onRename), preventDefault: true },
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOwn) options.onChange(update.state.sliceDoc());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.sliceDoc(),
    replace: (text) => {
      isOwn = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isOwn = false;
    },
    show: (faults) => view.dispatch(setDiagnostics(view.state, diagnosticsOf(faults, view.state))),
    goTo: (line) => {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
    },
    cursor: () => inFile(view.state, view.state.selection.main.head),
    change: (edits) => {
      const { state } = view;
      view.dispatch({
        changes: edits.map(({ start, end, text }) => ({
          from: inEditor(state, start),
          to: inEditor(state, end),
          insert: text,
        })),
      });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/** The faults in the text, each with what to do. */
function diagnosticsOf(faults: readonly Fault[], state: EditorState): readonly Diagnostic[] {
  const most = state.doc.length;
  return faults.map(({ start, end, severity, message, hint, code }) => ({
    from: Math.min(inEditor(state, start), most),
    to: Math.min(inEditor(state, end), most),
    severity,
    source: code,
    message: hint === null ? message : `${message}\n${hint}`,
  }));
}

/** The editor counts each line break as one character. */
function inEditor({ doc, lineBreak }: EditorState, offset: number): number {
  if (lineBreak.length === 1) return offset;
  let left = offset;
  for (let line = 1; line <= doc.lines; line += 1) {
    const { length, from } = doc.line(line);
    if (left <= length) return from + left;
    left -= length + lineBreak.length;
  }
  return doc.length;
}

function inFile({ doc, lineBreak }: EditorState, offset: number): number {
  return offset + (doc.lineAt(offset).number - 1) * (lineBreak.length - 1);
}

function calling(what: () => void) {
  return (): boolean => {
    what();
    return true;
  };
}

function completing({ complete }: EditorOptions) {
  return async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const before = state.sliceDoc(state.doc.lineAt(pos).from, pos);
    if (!explicit && !/[\w$"-]$/.test(before)) return null;
    const found = await complete(state.sliceDoc(), inFile(state, pos));
    if (found === null || found.options.length === 0) return null;
    return {
      from: inEditor(state, found.from),
      options: found.options.map(({ label, insert, detail, info }) => ({
        label,
        apply: insert,
        detail,
        info: info.replaceAll('`', ''),
      })),
      validFor: /^[\w$ /-]*$/,
    };
  };
}

function hovering({ hover }: EditorOptions) {
  return async (view: EditorView, pos: number) => {
    const found = await hover(view.state.sliceDoc(), inFile(view.state, pos));
    if (found === null) return null;
    return {
      pos: inEditor(view.state, found.start),
      end: inEditor(view.state, found.end),
      create: () => {
        const dom = document.createElement('div');
        const title = document.createElement('b');
        title.textContent = found.title;
        dom.append(title);
        for (const text of found.says) {
          const paragraph = document.createElement('p');
          // What stands in backticks is code.
          for (const [index, piece] of text.split('`').entries()) {
            const part = document.createElement(index % 2 === 1 ? 'code' : 'span');
            part.textContent = piece;
            paragraph.append(part);
          }
          dom.append(paragraph);
        }
        return { dom };
      },
    };
  };
}
