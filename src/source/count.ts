/** A number of things: `1 check`, `2 checks`. */
export function count(of: number, one: string, many = `${one}s`): string {
  return `${of} ${of === 1 ? one : many}`;
}
