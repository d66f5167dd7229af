import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';

/** What the service is called and what it is for, as far as part 1 says (language §1). */
export function described(specification: Specification): {
  readonly name: string;
  readonly purpose: string | null;
} {
  const part = stated(specification.service);
  return { name: specification.name, purpose: (part && stated(part.purpose)) ?? null };
}
