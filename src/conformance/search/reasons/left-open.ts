import { leastOfPage } from '../../../semantics/request/given/query.ts';
import { queryParameters } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Answer } from '../../../specification/vocabulary/answer.ts';
import { keyOf, operationOf } from '../../deviations/deviation.ts';
import { fieldOf, isGivenIn, type Rule } from './same-meaning.ts';
import { isDeleted } from './visible.ts';

/**
 * Without these statements nothing is said of what they are about: not even a list that is complete says what follows of that
 * (principles, rule 1). So whoever does what is stated does what is left to say, too.
 */
export const leftOpen: Rule = {
  name: 'without the statement, nothing is said of it',
  reason: 'open',
  holds: ({ said, says }, specification) => {
    if (says === 'it is left out') return isLeftOpen(said, specification);
    const [, place] = /^element (\d+) is left out$/.exec(says) ?? [];
    if (place === undefined) return isBeforePage(said, says, specification);
    return isOnlyAnswer(said, Number(place) - 1) || isLastOfOrder(said, Number(place));
  },
};

/** What a function of the operator does and gives, no document says (language §I): whatever is answered may be right. */
export const ofFunction: Rule = {
  name: 'a function of the operator answers, and nothing says what',
  reason: 'open',
  holds: ({ said }, specification) => {
    if (!/^endpoints\b.*\.(does|response)\b/.test(said.address)) return false;
    const operation = operationOf(said, specification);
    return operation !== undefined && stated(operation.does)?.verb === 'handled';
  },
};

/** Whether a page is to begin before the first one: which page that is, nothing says (language §4.5). */
function isBeforePage(said: Said<unknown>, says: string, specification: Specification): boolean {
  const [, value] = /^it is (-?\d+)$/.exec(says) ?? [];
  const operation = operationOf(said, specification);
  if (value === undefined || !operation || said.kind !== 'stated') return false;
  const parameter = queryParameters(operation).find(({ shape }) => shape.keywords.get('minimum') === said);
  const least = leastOfPage[(parameter && stated(parameter.roles.page)) ?? ''];
  return least !== undefined && said.value === least && Number(value) < least;
}

/** Whether it is what a list is sorted by last: items that are alike in the rest may come in any order. */
function isLastOfOrder(said: Said<unknown>, place: number): boolean {
  if (!said.address.endsWith('.does.order') || said.kind !== 'stated') return false;
  return Array.isArray(said.value) && said.value.length === place;
}

function isLeftOpen(said: Said<unknown>, specification: Specification): boolean {
  // What becomes of members that nobody stated, and which item of a list is first (language §4.2, §F.1).
  if (/\.request\.others$|\.does\.order$/.test(said.address)) return true;
  const field = fieldOf(said, specification);
  if (field === undefined) return isTaken(said, specification);
  const resource = specification.resourcesByName.get(field.resource);
  switch (keyOf(said)) {
    case 'ifDeleted': {
      const to = stated(field.refers)?.resource;
      return to !== undefined && isDeleted(to, specification);
    }
    case 'create': {
      // The form of an identifier that the service has to make (principles, "When a point is open").
      const names = (resource && stated(resource.identifier))?.map(({ text }) => text) ?? [];
      return names.includes(field.name) && !isGivenIn(field, specification);
    }
    default:
      return false;
  }
}

/** Whether it is a transition that an operation makes: without it, nobody knows what the operation does. */
function isTaken({ address }: Said<unknown>, { operations }: Specification): boolean {
  const [, resource, name] = /^states\["(\w+)\.\w+"\]\.transitions\.([^.[]+)$/.exec(address) ?? [];
  return (
    name !== undefined &&
    operations.some(({ does, subject }) => subject?.name === resource && stated(does)?.verb === name)
  );
}

/** Whether what an element answers is answered by no other one: those left are for other cases (language §4.6, `when`). */
function isOnlyAnswer(said: Said<unknown>, place: number): boolean {
  if (!/^endpoints\b.*\.response$/.test(said.address) || said.kind !== 'stated') return false;
  const answers = said.value as readonly Answer[];
  return answers.every(({ when }, at) => (stated(when) === undefined) === (at === place));
}
