/** Content as JSON; undefined where it cannot be read, or would not be kept as it came. */
export function readJson(content: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    let members = 0;
    const value: unknown = JSON.parse(text, (_name, one: unknown) => {
      if (!isKept(one)) throw new SyntaxError('it cannot be kept');
      if (isObject(one)) members += Object.keys(one).length;
      return one;
    });
    // An object with a member twice has fewer members than its text has names.
    return (text.match(/"(?:[^"\\]|\\.)*"\s*:/gs) ?? []).length === members ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isKept(value: unknown): boolean {
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return !isObject(value) || Object.keys(value).every(isText);
}

function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}

/** Equal as JSON values: whatever the order of members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

/** RFC 7396. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  return result;
}
