/**
 * Header fields with more of them, where `Vary` of both is one field with the names of both (RFC 9110 §12.5.5).
 *
 * @param headers names and values, flat: `[name, value, name, value]`
 */
export function withVary(headers: readonly string[], more: readonly string[]): readonly string[] {
  const at = more.findIndex(isVary);
  const before = headers.findIndex(isVary);
  if (at === -1 || before === -1) return more.length === 0 ? headers : headers.concat(more);
  const names = [headers, more].map((fields, index) => fields[(index === 0 ? before : at) + 1] as string);
  const merged = [...headers];
  merged[before + 1] = together(names);
  return [...merged, ...more.slice(0, at), ...more.slice(at + 2)];
}

function isVary(name: string, index: number): boolean {
  return index % 2 === 0 && name.toLowerCase() === 'vary';
}

function together(lists: readonly string[]): string {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  if (names.includes('*')) return '*';
  const known = new Map<string, string>();
  for (const name of names) if (!known.has(name.toLowerCase())) known.set(name.toLowerCase(), name);
  return [...known.values()].filter((name) => name !== '').join(', ');
}
