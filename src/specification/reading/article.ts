/** A name with the article that goes before it: `a Todo`, `an Account`. A `U` is taken for that of `User`. */
export function withArticle(name: string): string {
  return `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;
}
