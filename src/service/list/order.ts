/** A field by which a list is put in order. */
export interface By {
  readonly name: string;
  readonly descending: boolean;
}

/** Reads `-created`: the name of a field, with `-` where it descends (language §H.2, `order`). */
export function signed(text: string): By {
  return text.startsWith('-') ? { name: text.slice(1), descending: true } : { name: text, descending: false };
}

/** Reads a comma list of them (language §4.5, `sort`). */
export function commaList(text: string): readonly By[] {
  return text === '' ? [] : text.split(',').map(signed);
}

/** What stands first counts first; a field that stands once more says nothing more. */
export function withoutTwins(fields: readonly By[]): readonly By[] {
  return fields.filter(({ name }, index) => fields.findIndex((one) => one.name === name) === index);
}

export function writtenOrder(fields: readonly By[]): string {
  return fields.map(({ name, descending }) => (descending ? `-${name}` : name)).join(',');
}
