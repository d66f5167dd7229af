/** An entity tag as it stands in a header field (RFC 9110 §8.8.3). */
interface EntityTag {
  readonly isWeak: boolean;
  /** The opaque part, without its quotation marks. */
  readonly opaque: string;
}

/** A tag, or what is none; neither part of it can be taken in two ways, so that it is read in one go. */
const element = /(?:[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*|[^,"]*)(?:,|$)/y;

/**
 * The value of `If-Match` or `If-None-Match`: `*`, or the tags of a list (RFC 9110 §13.1.1, §13.1.2). Empty
 * elements are passed over (§5.6.1.2). What is no tag matches none, so a field in which there is none else
 * matches nothing; from a field that breaks off within a tag, nothing is taken after it.
 */
export function entityTags(field: string): '*' | readonly EntityTag[] {
  if (field.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  element.lastIndex = 0;
  while (element.lastIndex < field.length) {
    const found = element.exec(field);
    if (found === null) break;
    if (found[2] !== undefined) tags.push({ isWeak: found[1] !== undefined, opaque: found[2] });
  }
  return tags;
}

/** Whether a text may stand between the quotation marks of a tag (RFC 9110 §8.8.3). */
export function isTag(text: string): boolean {
  return /^[\x21\x23-\x7e\x80-\xff]*$/.test(text);
}

/** Whether a list names a tag: by the strong comparison, or by the weak one (RFC 9110 §8.8.3.2). */
export function names(tags: readonly EntityTag[], etag: string, comparison: 'strong' | 'weak'): boolean {
  const [own] = entityTags(etag) as readonly [EntityTag];
  if (comparison === 'strong' && own.isWeak) return false;
  return tags.some((tag) => tag.opaque === own.opaque && (comparison === 'weak' || !tag.isWeak));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const longDays = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday';
const month = `(?<month>${months.join('|')})`;
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
/** The form that is sent, and the two obsolete ones that are taken all the same (RFC 9110 §5.6.7). */
const forms = [
  `(?:${days}), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT`,
  `(?:${longDays}), (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT`,
  `(?:${days}) ${month} (?<day>\\d\\d| \\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * The second that an HTTP-date tells, since 1970; null where the field is none (RFC 9110 §5.6.7). A year of two
 * digits is the latest that is not more than 50 years after `now`, in milliseconds since 1970.
 */
export function secondOf(field: string, now: number): number | null {
  const written = field.trim();
  const found = forms.map((form) => form.exec(written)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return null;
  const { day, month: name, year: years, hour, minute, second } = found as Record<string, string>;
  let year = Number(years);
  const parts = [Number(day), Number(hour), Number(minute), Number(second)] as const;
  const at = (): number => Date.UTC(year, months.indexOf(name as string), ...parts) / 1000;
  if (years?.length === 2) {
    const horizon = new Date(now);
    horizon.setUTCFullYear(horizon.getUTCFullYear() + 50);
    year += Math.floor(horizon.getUTCFullYear() / 100) * 100;
    if (at() * 1000 > horizon.getTime()) year -= 100;
  }
  const date = new Date(at() * 1000);
  // A leap second (60) is the first of the next minute; there is no 31 February, and no hour 24.
  const isThere =
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60 &&
    Number(day) > 0 &&
    new Date(Date.UTC(year, months.indexOf(name as string), Number(day))).getUTCDate() === Number(day);
  return isThere ? date.getTime() / 1000 : null;
}

/** A second since 1970 as an HTTP-date (RFC 9110 §5.6.7). */
export function httpDate(second: number): string {
  return new Date(second * 1000).toUTCString();
}
