/** A number as it is written in decimal, apart from its sign: the digits times a power of ten. */
export interface Decimal {
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  readonly power: number;
}

/** Takes a number apart as JSON writes it (RFC 8259 §6). */
export function decimal(written: string): Decimal {
  const [coefficient = '', power = '0'] = written.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = coefficient.split('.');
  const all = whole + fraction;
  let [from, to] = [0, all.length];
  while (from < to && all[from] === '0') from += 1;
  while (to > from && all[to - 1] === '0') to -= 1;
  return { digits: all.slice(from, to), power: Number(power) - fraction.length + all.length - to };
}

/** Whether a number is a multiple of another as both are written: 0.3 is one of 0.1, which binary64 denies. */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  const [a, b] = [decimal(String(value)), decimal(String(of))];
  const power = Math.min(a.power, b.power);
  const scaled = (one: Decimal): bigint => BigInt(one.digits) * 10n ** BigInt(one.power - power);
  return scaled(a) % scaled(b) === 0n;
}
