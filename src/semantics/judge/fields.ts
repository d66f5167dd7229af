import { essence, isMediaRange, mediaParameter, rangesOf } from '../../specification/reading/media.ts';

/**
 * Whether a field names a media type as it is stated: with the parameters that are stated, and perhaps others, such as the
 * boundary of parts; or one of a stated range.
 */
export function isMediaType(stated: string, found: string): boolean {
  if (isMediaRange(stated)) return rangesOf(found).includes(essence(stated));
  const parameters = [...stated.matchAll(/;[ \t]*([^\s=;]+)=/g)].map(([, name = '']) => name.toLowerCase());
  return (
    essence(stated) === essence(found) &&
    parameters.every(
      (name) => mediaParameter(stated, name)?.toLowerCase() === mediaParameter(found, name)?.toLowerCase(),
    )
  );
}

/** The names of a field that is a list of them, in lower case. */
export function namesIn(field: string | undefined): readonly string[] {
  return (field ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
