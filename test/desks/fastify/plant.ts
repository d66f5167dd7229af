/** A fault, as `test/desks/faults` lists them: what is done to one statement of the table. */
export interface Fault {
  readonly id: string;
  readonly path: readonly (string | number)[];
  /** `drop`: it is not there · `set`: it says `value` · `rename`: it goes by the name `value` ·
   * `retype`: the field is shown as another type · `distort`: what it works out comes out wrong · `negate`: it holds where it does not. */
  readonly does: 'drop' | 'set' | 'rename' | 'retype' | 'distort' | 'negate';
  readonly value?: unknown;
}

type Place = Record<string | number, unknown>;

/** Plants a fault in the table. Throws where the table has no such statement. */
export function plant(table: object, { id, path, does, value }: Fault): void {
  const last = path.at(-1) as string | number;
  const place = path.slice(0, -1).reduce<unknown>((so, step) => (so as Place | undefined)?.[step], table) as
    | Place
    | undefined;
  if (place === undefined || place === null || !(last in place)) throw new Error(`no statement for ${id}`);
  const present = place[last];
  if (does === 'set') place[last] = value;
  else if (does === 'retype')
    (present as Place)['shown'] = ({ value: one }: { value: unknown }) =>
      typeof one === 'string' ? one.length : JSON.stringify(one);
  else if (does === 'rename') {
    const entries = Object.entries(place).map(([key, one]) => [key === last ? String(value) : key, one]);
    for (const key of Object.keys(place)) delete place[key];
    Object.assign(place, Object.fromEntries(entries));
  } else if (does === 'distort') {
    place[last] = (...given: unknown[]) => distorted((present as (...given: unknown[]) => unknown)(...given));
  } else if (does === 'negate') {
    place[last] = Array.isArray(present)
      ? [(...given: unknown[]) => !present.some((rule: (...given: unknown[]) => unknown) => rule(...given))]
      : (...given: unknown[]) => !(present as (...given: unknown[]) => unknown)(...given);
  } else if (Array.isArray(place)) place.splice(Number(last), 1);
  else delete place[last];
}

/** A value of the same kind that is another. */
function distorted(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : [{}];
  if (typeof value === 'object' && value !== null) {
    const [first, ...rest] = Object.entries(value);
    return first ? Object.fromEntries([[first[0], distorted(first[1])], ...rest]) : { x: 1 };
  }
  if (typeof value !== 'string') return 'x';
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(Date.parse(value) + 86_400_000).toISOString();
  if (/^[\da-f-]{36}$/.test(value)) return value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
  // One character more would code nothing in Base64.
  return `${value}xxxx`;
}
