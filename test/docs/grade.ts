import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';

/** The prose of a page: without fences, tables and headings, and with a link, or what is code, as its text. */
function proseOf(page: string): string {
  return page
    .replace(/^(`{3,4}).*\n[\s\S]*?^\1$/gm, '')
    .replace(/^\|.*$/gm, '')
    .replace(/^#.*$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/[*_]/g, '');
}

/**
 * How many years of school the prose of a page asks for, by Flesch and Kincaid. A sentence ends where it says so, and with
 * its paragraph or its item of a list.
 */
export function gradeOf(page: string): number {
  const prose = proseOf(page);
  const sentences = prose.split(/[.!?]+(?:\s|$)|\n\s*\n|^- /m).filter((text) => /\p{L}/u.test(text));
  const words = prose.match(/\p{L}[\p{L}\p{N}'’-]*/gu) ?? [];
  return fleschKincaid({
    sentence: sentences.length,
    word: words.length,
    syllable: words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0),
  });
}
