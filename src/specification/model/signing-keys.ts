import { stated } from '../reading/said.ts';
import type { Delivery } from '../vocabulary/delivery.ts';

type Signed = Pick<Extract<Delivery, { readonly kind: 'webhook' }>, 'sign'>;

/** The keys that a text holds: several, with spaces between them, for Standard Webhooks alone (language §6.3, rule 18). */
export function signingKeysIn(text: string, { sign }: Signed): readonly string[] {
  const isSeveral = stated(sign)?.kind === 'standard-webhooks';
  return (isSeveral ? text.split(' ') : [text]).filter(Boolean);
}
