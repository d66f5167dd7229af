/**
 * Whether a client takes content of one of these media types, by its Accept field (RFC 9110 §12.5.1). Without
 * the field, or without one range in it that can be read, it takes any.
 */
export function accepts(accept: string | undefined, media: readonly string[]): boolean {
  return accepted(accept, media).some((weight) => weight > 0);
}

/** With which weight a client takes each of these media types; 0: it does not. */
export function accepted(accept: string | undefined, media: readonly string[]): readonly number[] {
  const ranges = (accept ?? '').split(',').flatMap((written) => rangeOf(written) ?? []);
  return media.map((one) => (ranges.length === 0 ? 1 : quality(ranges, one)));
}

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: readonly string[];
  readonly quality: number;
}

function rangeOf(written: string): Range | undefined {
  const [name = '', ...parameters] = written.split(';').map((part) => part.trim().toLowerCase());
  const found = /^([^\s/]+)\/([^\s/]+)$/.exec(name);
  if (found === null) return undefined;
  const weight = parameters.find((one) => one.startsWith('q='));
  const [, type, subtype] = found as unknown as [string, string, string];
  return {
    type,
    subtype,
    parameters: parameters.filter((one) => one !== '' && one !== weight),
    quality: weight === undefined ? 1 : Number(weight.slice(2)),
  };
}

/** That of the most specific range that the media type is in. */
function quality(ranges: readonly Range[], media: string): number {
  const of = rangeOf(media);
  if (of === undefined) return 1;
  let best = { specificity: -1, quality: 0 };
  for (const { type, subtype, parameters, quality } of ranges) {
    const fits =
      (type === '*' || type === of.type) &&
      (subtype === '*' || subtype === of.subtype) &&
      parameters.every((one) => of.parameters.includes(one));
    const specificity = Number(type !== '*') + Number(subtype !== '*') + parameters.length;
    if (fits && specificity > best.specificity) best = { specificity, quality };
  }
  return best.quality;
}
