import type { Checked, Failing } from '../message/refusal.ts';
import type { OthersRule } from '../shape/schema.ts';

/** What stands under the one member that a body is put into, and what is wrong with the object that has it. */
export type Unwrapped =
  | {
      readonly kind: 'value';
      readonly isThere: boolean;
      readonly value: unknown;
      readonly wrong: Checked | null;
    }
  | { readonly kind: 'malformed' };

/** Takes a body out of the member that it is put into (language §H.3); that object has no other members (§H.4, 9). */
export function unwrap(body: unknown, under: string, { rule, address }: OthersRule): Unwrapped {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kind: 'malformed' };
  const members = body as Readonly<Record<string, unknown>>;
  const isThere = Object.hasOwn(members, under);
  const others = Object.keys(members).filter((name) => name !== under);
  const failures: Failing[] = isThere ? [] : [failing(under, 'required', null)];
  if (rule === 'refuse') failures.push(...others.map((name) => failing(name, 'others', members[name])));
  const held = rule === null && others.length > 0 ? { held: [address] } : null;
  const wrong = failures.length > 0 || held ? { failures, held } : null;
  return { kind: 'value', isThere, value: isThere ? members[under] : null, wrong };
}

function failing(name: string, keyword: string, value: unknown): Failing {
  const subjects = [`body.${name}.${keyword}`, ...(keyword === 'others' ? ['body.others'] : [])];
  return { field: name, keyword, value, limit: null, subjects };
}
