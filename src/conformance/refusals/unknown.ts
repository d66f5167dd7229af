import { boundFields, type Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import type { Scenario } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { keyOf } from '../item.ts';
import { type Item, item as itemOf } from '../partly.ts';
import { makeAndRemove, perform } from '../perform.ts';
import { unknownItem } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { deed } from '../success.ts';
import { operationFor, type Trial } from '../trial.ts';
import { oddKeys } from './odd-keys.ts';

/** An item that is not there: one that never was, those that cannot be, one that was removed (language §H.4, 7). */
export function unknown(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const { subject, key } = operation;
  if (subject === null) return [];
  const bound = boundFields(operation);
  const [name = ''] = bound;
  const field = subject.fields.get(name);
  const nobodys = (): Item => keyOf(trial.fresh, subject, bound);
  const remover = operationFor(of, subject, 'delete');
  const cases: (readonly [string, () => Promise<Item>])[] = [
    ['that nobody made', () => Promise.resolve(nobodys())],
    ...(field ? oddKeys(trial, field) : []).map(
      ([shown, key]) =>
        [
          `with ${shown} for ${name}`,
          () => Promise.resolve(itemOf(subject, [...nobodys().known, [name, key]], [])),
        ] as const,
    ),
    ...(remover ? [['that was removed', () => makeAndRemove(trial, remover, subject)] as const] : []),
  ];
  return cases.map(([label, item]) =>
    refusing(trial, {
      says: `${key} of ${withArticle(subject.name)} ${label}`,
      operation,
      cites: deed(operation),
      reasons: [unknownItem(operation)],
      must: doesJustThat(of, operation),
      item,
      send: async (gone) => {
        const body = bodyFor(trial, operation, 'most');
        const { exchange } = await perform(trial, operation, {
          ...(gone && { item: gone }),
          ...(body !== undefined && { body }),
        });
        return { exchange, given: body };
      },
    }),
  );
}
