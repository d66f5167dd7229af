import { compare, Failures, Refused, type Shape } from './request.ts';

/** A parameter: its shape, or the fields by which it sorts. */
export type Parameter = (Shape & { readonly many?: boolean }) | { readonly sort: readonly string[] };

export type Query = Readonly<Record<string, string | undefined>>;

/** A parameter as the value of its type. */
function readAs(text: string, { type }: Shape): unknown {
  if (type === 'integer') {
    const number = Number(text);
    return /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text;
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function judge(failures: Failures, name: string, texts: readonly string[], parameter: Parameter): void {
  const [text = ''] = texts;
  if ('sort' in parameter) {
    const isSorted = text.split(',').every((part) => parameter.sort.includes(part.replace(/^-/, '')));
    if (texts.length > 1) failures.add(name, '');
    else if (!isSorted) failures.add(name, 'sort');
    return;
  }
  const { many = false, ...shape } = parameter;
  if (texts.length > 1 && !many) failures.add(name, '');
  else
    for (const [index, one] of texts.entries())
      failures.value(many ? `${name}.${index}` : name, readAs(one, shape), shape);
}

/** The parameters of a request: each once or as a list, each by its shape, and no others. */
export function queryOf(
  search: string,
  parameters: Readonly<Record<string, Parameter>>,
  failures = new Failures(),
): Query {
  const texts = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search))
    texts.set(name, [...(texts.get(name) ?? []), value]);
  for (const [name, values] of texts) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) failures.add(name, 'others');
    else judge(failures, name, values, parameter);
  }
  failures.end();
  return Object.fromEntries([...texts].map(([name, values]) => [name, values.join(',')]));
}

/** How many items a page has. */
export function sizeOf({ limit }: Query): number {
  const size = Number(limit ?? 20);
  if (size > 100) throw new Refused('page-too-large');
  return size;
}

/** Compares rows by fields, `-` before descending ones. */
export function ordering(fields: readonly string[]) {
  return (a: object, b: object): number => {
    for (const field of fields) {
      const name = field.replace(/^-/, '');
      const order = compare(Reflect.get(a, name), Reflect.get(b, name));
      if (order !== 0) return field.startsWith('-') ? -order : order;
    }
    return 0;
  };
}

/** A page of rows between two cursors. A cursor holds the row after which the page begins, and of which list. */
export function pageBy<T extends object>(
  rows: readonly T[],
  { order, list, query }: { readonly order: readonly string[]; readonly list: string; readonly query: Query },
  repeats = false,
): { readonly page: T[]; readonly next: string | null } {
  const [sorter, { cursor }] = [ordering(order), query];
  const last = cursor === undefined ? null : lastOf(cursor, list);
  const [sorted, size] = [[...rows].sort(sorter), sizeOf(query)];
  let from = 0;
  if (last !== null) {
    const first = sorted.findIndex((row) => (repeats ? sorter(row, last) >= 0 : sorter(row, last) > 0));
    from = first === -1 ? sorted.length : first;
  }
  const page = sorted.slice(from, from + size);
  const end = page.at(-1);
  const isMore = from + size < sorted.length && end !== undefined;
  return { page, next: isMore ? cursorAfter(end, order, list) : null };
}

function cursorAfter(row: object, order: readonly string[], list: string): string {
  const names = order.map((field) => field.replace(/^-/, ''));
  const last = Object.fromEntries(names.map((name) => [name, Reflect.get(row, name) as unknown]));
  return Buffer.from(JSON.stringify({ last, list })).toString('base64url');
}

function lastOf(cursor: string, list: string): object {
  try {
    const found = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { last: object; list: string };
    if (found.list === list) return found.last;
  } catch {
    // No cursor is so.
  }
  throw new Refused('invalid', {});
}
