import { serialize } from '@marcbachmann/cel-js';
import { retyped, staticType } from '../../../expression/check.ts';
import { parseExpression, type Syntax } from '../../../expression/expression.ts';

/**
 * A search for words as an implementation might get it wrong (language §4.5): one of the words is enough, a text is not searched,
 * words stand anywhere or are whole, they follow one another, or are in the case of the text.
 *
 * @param node a call of `matches`
 * @param parts what is searched for, and the texts
 */
export function deviatingSearches(node: Syntax, [wanted, ...texts]: readonly Syntax[]): Syntax[] {
  if (wanted === undefined) return [];
  const parsed = (text: string): Syntax => parsedLike(text, node);
  const [words, all] = [serialize(wanted), texts.map((text) => serialize(text))];
  const fewer = all.length < 2 ? [] : all.map((_, place) => all.toSpliced(place, 1));
  const any = `(${words}).split(' ').exists(word, matches(word, ${all.join(', ')}))`;
  return [
    parsed(any),
    ...fewer.map((some) => parsed(`matches(${words}, ${some.join(', ')})`)),
    ...(texts.some((text) => staticType(text).kind === 'list') ? [] : asTexts(words, all).map(parsed)),
  ];
}

/** What is searched is taken for one text, in which words are no words. */
function asTexts(words: string, all: readonly string[]): readonly string[] {
  const text = `(' ' + ${all.map((each) => `string(${each})`).join(" + ' ' + ")} + ' ')`;
  const [each, lower] = [`(${words}).split(' ')`, `lower${text}`];
  return [
    `${each}.all(word, contains(${lower}, lower(word)))`,
    `${each}.all(word, contains(${lower}, lower(' ' + word + ' ')))`,
    `contains(${lower}, lower(${words}))`,
    `${each}.all(word, contains(${text}, ' ' + word))`,
  ];
}

/** A text as an expression of the type of another one. */
export function parsedLike(text: string, like: Syntax): Syntax {
  const parsed = parseExpression(text);
  if (!('syntax' in parsed)) throw new TypeError(`no expression: ${text}`);
  return retyped(parsed.syntax, like);
}
