import { matching } from './matching.ts';
import type { Random } from './random.ts';
import type { Schema } from './schema.ts';

/** A few valid texts of each format (JSON Schema Validation §7.3). */
export const samples: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29T23:59:59.123Z', '1999-12-31T00:00:00.000Z'],
  date: ['2024-02-29', '1999-12-31'],
  time: ['23:59:59Z', '00:00:00.5+01:00'],
  duration: ['P3DT4H', 'PT30S'],
  email: ['ada@example.org', 'a.b+c@mail.example.org'],
  hostname: ['example.org', 'a-b.example'],
  ipv4: ['192.0.2.1', '198.51.100.255'],
  ipv6: ['2001:db8::1', '::1'],
  uri: ['https://example.org/a?b=c#d', 'urn:isbn:9780131103627'],
  'uri-reference': ['/a/b?c=d', '../up'],
  'uri-template': ['/a/{b}', '/{+c}{?d}'],
  uuid: ['2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
  'json-pointer': ['/a/0', ''],
  'relative-json-pointer': ['0#', '1/a'],
  regex: ['^a+$', '[0-9]'],
};

/** Texts of a format that are as short as they can be, or nearly so: longer ones are made of them. */
const short: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['1999-12-31T00:00:00Z', '1999-12-31T00:00:00.0Z', '1999-12-31T00:00:00+00:00'],
  time: ['00:00:00Z', '00:00:00.0Z'],
  duration: ['P1D'],
  email: ['a@b.org'],
  hostname: ['a'],
  ipv4: ['0.0.0.0', '10.100.10.1'],
  ipv6: ['::', '2001:db8:0:0:0:0:0:1', '2001:db8:1111:2222:3333:4444:5555:1'],
  uri: ['a:b'],
  'uri-reference': ['', 'a'],
  'uri-template': ['', 'a'],
  'json-pointer': ['/'],
  'relative-json-pointer': ['0'],
  regex: ['a'],
};

/** Labels of a name are bounded (RFC 1035 §2.3.4), so that longer names have more of them. */
const label = 50;

/** How many texts of a pattern are made before what was made is stretched. */
const attempts = 40;

/**
 * Texts of so many characters (code points) that the `pattern` and `format` of a schema admit, made as they are asked
 * for; a pattern brings others as well, of about that length.
 *
 * @param fits whether a text meets both keywords
 * @param filler what the text is filled up with; letters where it is left out
 */
export function* textsOf(
  { pattern, format }: { readonly pattern?: string; readonly format?: string },
  length: number,
  random: Random,
  fits: (text: string) => boolean,
  filler?: string,
): Iterable<string> {
  if (length < 0) return;
  if (pattern === undefined && format === undefined)
    return yield filler === undefined ? random.letters(length) : filler.repeat(length);
  const bases = format === undefined ? [] : basesOf(format, length).filter((text) => fits(text));
  if (pattern !== undefined) {
    const make = matching(pattern);
    for (let tried = 0; tried < attempts; tried++) {
      // What is fixed in a pattern takes a part of the length, so fewer repetitions are tried, too.
      const made = make(random, Math.max(1, length - (tried % (attempts / 2))));
      if (!fits(made)) continue;
      if (filler === undefined) yield made;
      if (bases.length < 8) bases.push(made);
    }
    const least = make(random, 1);
    if (fits(least)) bases.push(least);
  }
  for (const base of bases) yield* stretched(base, length, random, fits, filler);
}

function basesOf(format: string, length: number): string[] {
  const [sample = ''] = samples[format] ?? [];
  const own = [...(samples[format] ?? []), ...(short[format] ?? [])];
  const labels = `${'a'.repeat(label)}.`.repeat(
    Math.max(0, Math.floor((length - sample.length) / (label + 1))),
  );
  const long: Readonly<Record<string, string>> = {
    hostname: `${labels}example.org`,
    email: `ada@${labels}example.org`,
  };
  return [...own, ...[long[format] ?? []].flat()];
}

/** A text with as much more in it as it lacks, at the last place where it still fits; none where there is no such place. */
function* stretched(
  base: string,
  length: number,
  random: Random,
  fits: (text: string) => boolean,
  filler: string | undefined,
): Iterable<string> {
  const characters = [...base];
  const more = length - characters.length;
  if (more < 0 || (more === 0 && filler !== undefined)) return;
  if (more === 0) return yield base;
  const fillers = filler === undefined ? [random.letters(more), '0'.repeat(more)] : [filler.repeat(more)];
  for (let at = base.length; at >= 0; at -= characters.pop()?.length ?? 1) {
    const own = filler === undefined ? [(characters.at(-1) ?? '').repeat(more)] : [];
    for (const one of [...fillers, ...own]) {
      const text = base.slice(0, at) + one + base.slice(at);
      if (one !== '' && fits(text)) return yield text;
    }
  }
}

/**
 * Whether a text is no longer than every implementation has to take it: mailboxes (RFC 5321 §4.5.3.1) and the labels of
 * names (RFC 1035 §2.3.4) are bounded, and so are numbers.
 */
export function isBounded({ format }: Schema, text: string): boolean {
  if (format === 'duration') return text.length <= 12;
  if (format !== 'email') return true;
  if (text.length > 254) return false;
  const [local = '', domain = ''] = text.split('@');
  return local.length <= 64 && domain.split('.').every((one) => one.length <= 63);
}
