import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { openHolds } from '../specification/openness/holds.ts';
import type { Address, Part } from '../specification/reading/address.ts';
import { rest, step } from '../specification/reading/address.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { Answer } from '../specification/vocabulary/answer.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import type { Exchange } from './http.ts';
import { isHole } from './partly.ts';
import { type Names, workOut } from './solve.ts';
import { all, assumed, known, type Truth, unknown, unseen, yes } from './verdict.ts';

/** Whether a list names all there is; open lists leave it unknown (language §D). */
export const closed = once((of: Specification, list: Address): Truth => {
  return of.completeness.closed(list) ? yes : unknown(rest(list));
});

/** What is claimed of a point that is stated; unknown while it is open, true where it is free (language §B). */
export function stating<T>(said: Said<T>, claim: (value: T | null) => Truth): Truth {
  if (said.kind === 'open') return unknown(said.address);
  const truth = said.kind === 'any' ? yes : claim(said.kind === 'stated' ? said.value : null);
  return said.assumed ? assumed(truth) : truth;
}

/** Whether a part adds nothing: `(none)`, or a closed list whose entries do not bear on what is checked. */
export function nothingOf(of: Specification, part: Part): Truth {
  const said: Said<unknown> = of[part];
  return stating(said, (value) => (value === null ? yes : closed(of, part)));
}

/** Whether no constraint is left to be stated on these members, or on all of them together (language §D, H.1). */
export function constraintsKnown(of: Specification, resource: Resource, members: readonly string[]): Truth {
  const fields = members.flatMap((name) => resource.fields.get(name) ?? []);
  return all(
    closed(of, resource.address),
    closed(of, `${resource.address}.fields`),
    ...fields.flatMap((field) => [closed(of, field.address), typeKnown(of, field)]),
  );
}

/** A type that is open stays so where the list of constraints is closed (language §D.4). */
function typeKnown(of: Specification, { address }: Field): Truth {
  const type = step(address, 'type');
  return of.points.get(type)?.state === 'open' ? unknown(type) : yes;
}

/** Whether the reasons to refuse are all known, and none of one's own (language §H.4, 15) holds of the request. */
export function allReasons(
  of: Specification,
  operation: Operation | null,
  names: Names,
  but: readonly string[] = [],
): Truth {
  if (of.errors.kind === 'open') return closed(of, 'errors.codes');
  const own = (operation ? ownConditions(of, operation) : []).filter(({ code }) => !but.includes(code));
  const holds = own.map(({ code, condition }) => {
    const value = workOut(condition.template, names);
    if (isHole(value)) return unseen(`whether ${code} holds cannot be worked out from outside`);
    return known(value !== true, `${code} holds of this request`);
  });
  return all(
    stating(of.errors, (errors) => (errors === null ? yes : closed(of, 'errors.codes'))),
    ...holds,
  );
}

/** The expressions for which an operation refuses, with their rows. */
export const ownConditions = once((of: Specification, operation: Operation) => {
  const codes = stated(stated(of.errors)?.codes);
  return [...(codes ?? [])].flatMap(([code, said]) => {
    const row = stated(said);
    const operations = row && stated(row.operations);
    if (row === undefined || (operations && !operations.some((one) => one.text === operation.name)))
      return [];
    return (stated(row.when) ?? []).flatMap((condition) =>
      condition.expression ? [{ code, row, condition: condition.expression }] : [],
    );
  });
});

/** Whether a refusal can only be the one that was asked for, or a row of `but`: nothing else could refuse it first. */
export function onlyThisReason(
  of: Specification,
  operation: Operation | null,
  names: Names,
  but: readonly string[] = [],
): Truth {
  return all(
    nothingOf(of, 'versioning'),
    allReasons(of, operation, names, but),
    operation ? all(closed(of, operation.address), isCarriedOut(of, operation)) : yes,
  );
}

/** Whether nothing is open for which an operation is not carried out, and answered as nothing states (language §F.5). */
export function isCarriedOut(of: Specification, operation: Operation): Truth {
  return all(...openHolds(of, operation).map((point) => unknown(point)));
}

/** Whether it is stated what an answer shows. @param answer null where it cannot be told which one applies */
export function isTold(answer: Answer | null): Truth {
  if (answer === null) return unseen('which answer applies cannot be told');
  return stating(answer.body, (body) => known(body !== null, 'its answer shows nothing'));
}

/** Whether each member is kept and shown as it is given: nothing may still be stated that alters one (language §2). */
export const asKept = once((of: Specification, resource: Resource): Truth => {
  return all(...[...resource.fields.values()].map((field) => closed(of, field.address)));
});

/** Whether an operation does just what `does` says: nothing that may still be stated is done besides. */
export function doesJustThat(of: Specification, operation: Operation): Truth {
  return closed(of, operation.address);
}

/** Whether the request was carried out: a stated status of a success, or a 2xx (RFC 9110 §15.3). */
export function succeeded(exchange: Exchange, operation: Operation): Truth {
  const { response, failure } = exchange;
  if (response === null) return unseen(`no answer came: ${failure}`);
  const answers = stated(operation.response) ?? [];
  const isStated = answers.some((answer) => stated(answer.status)?.includes(response.status));
  if (isStated || (response.status >= 200 && response.status < 300)) return yes;
  if (response.status >= 400) return known(false, `the answer was ${response.status}`);
  return unseen(`an answer with ${response.status} tells neither success nor refusal`);
}

/** Whether any answer came: of what is not there none tells nothing. */
export function isAnswered({ response, failure }: Exchange): Truth {
  return response === null ? unseen(`no answer came: ${failure}`) : yes;
}

/** Whether the request was refused: an error status (RFC 9110 §15.5, §15.6) that no stated success has. */
export function refused(exchange: Exchange, operation: Operation | null): Truth {
  const { response, failure } = exchange;
  if (response === null) return unseen(`no answer came: ${failure}`);
  const answers = (operation && stated(operation.response)) ?? [];
  const isSuccess = answers.some((answer) => stated(answer.status)?.includes(response.status));
  if (response.status >= 400 && !isSuccess) return yes;
  if (response.status < 300 || isSuccess)
    return known(false, `it was not refused: the answer was ${response.status}`);
  return unseen(`an answer with ${response.status} tells neither success nor refusal`);
}

/** The claim that a request succeeds: no answer at all is none of a success. */
export function isSuccess(exchange: Exchange, operation: Operation): Truth {
  return exchange.response === null ? known(false) : succeeded(exchange, operation);
}

/** The claim that a request is refused: no answer at all is no refusal. */
export function isRefusal(exchange: Exchange, operation: Operation | null): Truth {
  return exchange.response === null ? known(false) : refused(exchange, operation);
}

/** An answer as found, for people: its status, or why there is none. */
export function answerFound({ response, failure }: Exchange): string {
  return response === null ? `no answer: ${failure}` : `status ${response.status}`;
}
