type FieldValue = string | readonly string[] | undefined;

/** The type and subtype of a Content-Type (RFC 9110 §8.3.1), in lower case. */
export function mediaType(field: FieldValue): string | undefined {
  if (typeof field !== 'string') return undefined;
  const type = field.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** JSON is UTF-8 (RFC 8259 §8.1); a charset that says otherwise is another coding. */
export function isUtf8(field: FieldValue): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)"?/i.exec(String(field ?? ''))?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
