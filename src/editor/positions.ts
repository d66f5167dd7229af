import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Location, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Place } from '../assist/place.ts';

/** The name of a file by the address that an editor has for it; another address, such as that of a text that was never saved, is its own name. */
export function fileOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}

/** The lines of a text, with the address that its editor has for it. */
export function documentOf(file: string, content: string, uri = uriOf(file)): TextDocument {
  return TextDocument.create(uri, 'tacet', 0, content);
}

export function uriOf(file: string): string {
  return /^[a-z][\w+.-]+:/i.test(file) ? file : pathToFileURL(file).href;
}

export function rangeOf(of: TextDocument, { start, end }: Pick<Place, 'start' | 'end'>): Range {
  return { start: of.positionAt(start), end: of.positionAt(end) };
}

export function locationOf(of: TextDocument, place: Place): Location {
  return { uri: of.uri, range: rangeOf(of, place) };
}
