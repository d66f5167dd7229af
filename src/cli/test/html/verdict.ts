import type { Result, Verdict } from '../../../conformance/result.ts';
import { type Markup, markup } from '../../html/markup.ts';

/** A verdict as the name of a class. */
export function nameOf(verdict: Verdict): string {
  return verdict.replaceAll(' ', '-');
}

const marks: Readonly<Record<Verdict, string>> = {
  conforms: '✓',
  violates: '✗',
  'not exercised': '○',
  'not stated': '?',
};

/** A verdict's sign, beside which its name stands, or is told. */
export function mark(verdict: Verdict): Markup {
  return markup`<span class="mark ${nameOf(verdict)}" aria-hidden="true">${marks[verdict]}</span>`;
}

/** The verdict that counts most of those on one statement. */
export function worst(results: readonly Result[]): Verdict {
  const order: readonly Verdict[] = ['violates', 'not stated', 'conforms', 'not exercised'];
  return order.find((verdict) => results.some((one) => one.verdict === verdict)) ?? 'not exercised';
}
