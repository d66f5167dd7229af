import { step } from '../../../specification/reading/address.ts';
import type { ConditionName } from '../../../specification/vocabulary/condition.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described, Parameter } from '../operations.ts';
import { textIn } from '../place.ts';

/** A header parameter by whose value a request is known again, as it is called: `Idempotency-Key`, `X-Idempotency-Token`. */
const called = /(?:^|[-_])idempoten(?:cy|ce|t)[-_]?(?:key|token|id)$/i;

/** The header parameter by which a change is known again; undefined: there is none. */
export function keyOf({ method, parameters }: Described): Parameter | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  return parameters.find((each) => each.in === 'header' && called.test(each.name));
}

/** What is asked of an operation that has such a parameter (language §4.4). */
export function questionOfKey({ name }: Parameter): string {
  return `is a request that comes again with its ${name} answered as at first, and for how long?`;
}

/**
 * That a change with such a parameter is carried out once for each key. How long a key is remembered, its description may say;
 * else a day, as is usual. Whether it has to be there, the parameter says.
 */
export function ofRepeats(operations: readonly Described[]): readonly Guess[] {
  return operations.flatMap((operation): Guess[] => {
    const key = keyOf(operation);
    if (key === undefined) return [];
    const told = lifeIn(textIn(key.place, 'description') ?? '');
    const how =
      told === undefined ? 'keys are remembered for a day, as a rule' : 'its description says how long';
    return [
      {
        at: `${step('endpoints', operation.key)}.idempotency`,
        value: { header: key.name, life: told ?? 'PT24H', per: 'actor' },
        why: `the parameter is called ${key.name}; ${how}`,
        confidence: 'likely',
      },
    ];
  });
}

/**
 * What a status refuses of requests with keys, if an operation that takes them lists it: 409 those of which the first is not
 * answered yet, 422 another request with a key that was used, if it is listed; else 409 that, too (the draft of the field
 * `Idempotency-Key`, section 2.7).
 */
export function keyConditions(status: number, operations: readonly Described[]): readonly ConditionName[] {
  const lists = (code: string): boolean =>
    operations.some(
      (each) => keyOf(each) !== undefined && each.failures.some((failure) => failure.status === code),
    );
  if (status === 422 && lists('422')) return ['key reused'];
  if (status === 409 && lists('409')) return lists('422') ? ['key busy'] : ['key reused', 'key busy'];
  return [];
}

const units: Readonly<Record<string, (count: number) => string>> = {
  minute: (count) => `PT${count}M`,
  hour: (count) => `PT${count}H`,
  day: (count) => `P${count}D`,
  week: (count) => `P${7 * count}D`,
};

/** The only duration of which a text tells; undefined: there is none, or there are several. */
function lifeIn(text: string): string | undefined {
  const found = [...text.matchAll(/\b(\d{1,4}|an?|one)[ -]?(minute|hour|day|week)s?\b/gi)];
  const [[, count = '', unit = ''] = []] = found;
  const whole = /\d/.test(count) ? Number(count) : 1;
  return found.length === 1 && whole > 0 ? units[unit.toLowerCase()]?.(whole) : undefined;
}
