import { pathsIn } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { conditionNames } from '../../specification/vocabulary/condition.ts';
import { admits, hasItemRule, readsRequest } from '../access/admits.ts';
import { foresee } from '../foresee/foresee.ts';
import type { Request } from '../http.ts';
import { isMergePatch } from '../merge.ts';
import { isItem } from '../partly.ts';
import { chosen, placeOf, type Reason, rowFor } from '../refusal.ts';
import type { Names } from '../solve.ts';
import { jsonPatch, mediaOf } from '../spell.ts';
import { movesAskedBy } from '../states/machines.ts';
import { all, known, not, type Truth, unseen, yes } from '../verdict.ts';

/** Whether a change sets a field to something that reads who asks. */
const isSetByActor = once((of: Specification, operation: Operation): boolean => {
  const { does, subject } = operation;
  if (subject === null) return false;
  const set = [...subject.fields.values()].flatMap(({ create, update }) => [stated(create), stated(update)]);
  const moves = movesAskedBy(of, operation).flatMap(({ transition }) =>
    [...(stated(transition.set)?.values() ?? [])].map((said) => stated(said)),
  );
  const given = stated(stated(does)?.qualifiers.with) ?? [];
  return [...set, ...moves, ...given].some(
    (one) => one !== undefined && pathsIn(one.template).some(([first]) => first === 'actor'),
  );
});

/** Conditions of which the change alone tells, and nothing of a body that does not fit (language §H.4, 13 and 14). */
const told = conditionNames.slice(
  conditionNames.indexOf('transition refused'),
  conditionNames.indexOf('expression'),
);

/** Conditions of a body that is not read. */
const unread: readonly Reason['name'][] = ['malformed', 'unsupported media', 'too large'];

/**
 * Whether nothing holds of a request besides these reasons that `order` puts before them, or may be answered in their
 * place where it is silent (language §7, F.1).
 */
export function nothingBefore(
  of: Specification,
  operation: Operation | null,
  reasons: readonly Reason[],
  names: Names,
  request: Request,
): Truth {
  if (operation === null) return yes;
  const answering = chosen(of, operation, reasons);
  const places = answering.map((one) => placeOf(of, one));
  const first = places.includes(-1) ? Number.POSITIVE_INFINITY : Math.min(...places);
  const isEarned = (...wanted: readonly Reason['name'][]): boolean =>
    reasons.some(({ name }) => wanted.includes(name));
  const isBefore = (name: Reason['name'], subject = ''): boolean => {
    const reason: Reason = { name, subject, failures: null };
    const place = placeOf(of, { reason, row: rowFor(of, operation, reason) });
    return place >= 0 && place < first;
  };
  const about = operation.subject?.name ?? '';
  const isUnread = isEarned(...unread);
  const isUnfit = reasons.some(
    ({ name, subject }) => name === 'invalid' && !/^(query|headers|path)\./.test(subject),
  );
  const found: Truth[] = [];
  if (isUnfit && answering.some(({ reason }) => told.includes(reason.name)))
    found.push(unseen('of a body that does not fit it is not told what its change would meet'));
  if (isUnfit && isEarned('unknown') && (isMergePatch(operation) || mediaOf(operation) === jsonPatch))
    found.push(unseen('what a patch comes to is told of an item that is there'));
  if (
    !isEarned('not authorized') &&
    isBefore('not authorized', hasItemRule(of, operation) ? about : '') &&
    !(isEarned('unknown') && hasItemRule(of, operation))
  )
    found.push(
      isUnread && readsRequest(of, operation)
        ? unseen('the rule may read what is not read of the request')
        : admits(of, operation, names),
    );
  if (isEarned('unknown') && isBefore('precondition failed'))
    found.push(
      known(
        !request.headers.some(([name]) => name.toLowerCase() === 'if-match'),
        'If-Match fails of what is not there',
      ),
    );
  if (isUnread || isUnfit || isEarned('unknown')) return all(...found);
  const actor = names.get('actor') ?? null;
  if (isBefore('invalid', about) && actor !== null && !isItem(actor) && isSetByActor(of, operation))
    found.push(unseen('what is set by who asks need not fit'));
  for (const { reason, holds } of foresee(of, operation, names).judged) {
    if (reasons.some(({ name, subject }) => name === reason.name && subject === reason.subject)) continue;
    const row = rowFor(of, operation, reason);
    const place = placeOf(of, { reason, row });
    const mayAnswer = place === -1 ? row !== null && holds.value === true : place < first;
    if (mayAnswer) found.push(not(holds));
  }
  return all(...found);
}
