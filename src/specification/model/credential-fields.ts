import { stated } from '../reading/said.ts';
import type { Specification } from './specification.ts';

/** The header fields in which credentials stand, in lower case (language §5.1). */
export function credentialFields({
  authentication,
}: Pick<Specification, 'authentication'>): ReadonlySet<string> {
  const schemes = [...(stated(stated(authentication)?.schemes)?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  return new Set(
    schemes.flatMap((scheme) => {
      const type = stated(scheme.type);
      if (type === 'mutualTLS') return [];
      if (type !== 'apiKey') return ['authorization'];
      const where = stated(scheme.in);
      if (where === 'cookie') return ['cookie'];
      return where === 'header' ? (stated(scheme.name)?.toLowerCase() ?? []) : [];
    }),
  );
}
