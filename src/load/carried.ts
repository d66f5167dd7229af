/**
 * Where a file lies that the package carries beside the program, by its path from the package. The chunk of `dist` that
 * this module becomes part of lies as deep as it.
 */
export function carried(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
