/** A number of things: `1 point`, `2 points`. */
export function counted(of: number, one: string, many = `${one}s`): string {
  return `${of.toLocaleString('en')} ${of === 1 ? one : many}`;
}

/** An address in two: what it is about (`POST /notes`, `Note`), and the rest of it. */
export function inTwo(address: string): { readonly of: string; readonly rest: string } {
  const quoted = /^([a-z]+)\[("(?:[^"\\]|\\.)*")\]\.?(.*)$/.exec(address);
  if (quoted) return { of: JSON.parse(quoted[2] ?? '""') as string, rest: quoted[3] ?? '' };
  const [part = '', name = '', ...rest] = address.split('.');
  const isNamed = /^(resources|states|endpoints|events|errors|limits)$/.test(part) && rest.length > 0;
  if (isNamed && !['*', 'codes', 'kinds', 'rates', 'sizes', 'times'].includes(name))
    return { of: name, rest: rest.join('.') };
  return { of: part, rest: [name, ...rest].filter((one) => one !== '').join('.') };
}

/** Some names, and how many more there are. */
export function some(names: readonly string[], most = 3): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** How far a time is away: `in 3 h 20 min`, `2 min ago`. */
export function away(time: string, nowMs: number): string {
  const left = Date.parse(time.replace(/(\.\d{3})\d+Z$/, '$1Z')) - nowMs;
  const seconds = Math.round(Math.abs(left) / 1000);
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) return 'now';
  let rest = seconds;
  const parts = units.slice(first, first + 2).flatMap(([size, name]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return left > 0 ? `in ${parts.join(' ')}` : `${parts.join(' ')} ago`;
}

/** A key as people write it: `["a"]` is `a`. */
export function keyText(key: string): string {
  return (JSON.parse(key) as readonly (string | number)[]).join(', ');
}
