import type { Address, Part } from '../specification/address.ts';
import { rest } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { type Said, stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import type { Exchange } from './http.ts';
import { all, assumed, known, type Truth, unknown, unseen, yes } from './verdict.ts';

/** Whether a list names all there is; open lists leave it unknown (language §D). */
export function closed(of: Specification, list: Address): Truth {
  return of.completeness.closed(list) ? yes : unknown(rest(list));
}

/** What is claimed of a point that is stated; unknown while it is open, true where it is free (language §B). */
export function stating<T>(said: Said<T>, claim: (value: T | null) => Truth): Truth {
  if (said.kind === 'open') return unknown(said.address);
  const truth = said.kind === 'any' ? yes : claim(said.kind === 'stated' ? said.value : null);
  return said.assumed ? assumed(truth) : truth;
}

/** Whether a part adds nothing: `(none)`, or a closed list whose entries do not bear on what is checked. */
function nothingOf(of: Specification, part: Part): Truth {
  const said: Said<unknown> = of[part];
  return stating(said, (value) => (value === null ? yes : closed(of, part)));
}

/**
 * Whether nothing that is stated, or could still be, refuses a request that gives these members: "this should
 * have succeeded" is guarded by it (language §F.2).
 */
export function nothingRefuses(of: Specification, operation: Operation, members: readonly string[]): Truth {
  const { subject } = operation;
  const truths = [
    nothingOf(of, 'authentication'),
    nothingOf(of, 'limits'),
    nothingOf(of, 'versioning'),
    allReasons(of, operation),
    closed(of, operation.address),
  ];
  if (subject && operation.method !== 'GET') {
    truths.push(
      nothingOf(of, 'states'),
      closed(of, subject.address),
      closed(of, `${subject.address}.fields`),
    );
    for (const name of members) {
      const field = subject.fields.get(name);
      if (field) truths.push(closed(of, field.address));
    }
  }
  return all(...truths);
}

/** Whether the reasons to refuse are all known, and none is an expression that is judged by the service alone. */
export function allReasons(of: Specification, operation: Operation | null): Truth {
  return stating(of.errors, (errors) => {
    if (errors === null) return yes;
    const own = [...(stated(errors.codes) ?? [])].flatMap(([code, said]) => {
      const row = stated(said);
      const conditions = (row && stated(row.when)) ?? [];
      const operations = row && stated(row.operations);
      const here =
        operation !== null && (!operations || operations.some((one) => one.text === operation.name));
      return here && conditions.some((one) => one.expression !== null)
        ? [unseen(`errors.codes.${code} refuses by an expression, which this version does not work out`)]
        : [];
    });
    return all(closed(of, 'errors.codes'), ...own);
  });
}

/** Whether a refusal can only be the one that was asked for: nothing else that could be stated refuses it first. */
export function onlyThisReason(of: Specification, operation: Operation | null): Truth {
  return all(
    nothingOf(of, 'authentication'),
    nothingOf(of, 'limits'),
    nothingOf(of, 'versioning'),
    allReasons(of, operation),
    operation ? closed(of, operation.address) : yes,
  );
}

/** Whether items stay as they are while nobody changes them: no machine moves them by itself (language §3.3). */
export function steady(of: Specification, resource: Resource): Truth {
  return all(nothingOf(of, 'states'), closed(of, `${resource.address}.fields`));
}

/** Whether each member is kept and shown as it is given: nothing may still be stated that alters one (language §2). */
export function asKept(of: Specification, resource: Resource): Truth {
  return all(...[...resource.fields.values()].map((field) => closed(of, field.address)));
}

/** Whether an operation does just what `does` says: nothing that may still be stated is done besides. */
export function doesJustThat(of: Specification, operation: Operation): Truth {
  return closed(of, operation.address);
}

/** Whether the request was carried out: a stated status of a success, or a 2xx (RFC 9110 §15.3). */
export function succeeded(exchange: Exchange, operation: Operation): Truth {
  const { response, failure } = exchange;
  if (response === null) return unseen(`no answer came: ${failure}`);
  const answers = stated(operation.response) ?? [];
  const isStated = answers.some((answer) => stated(answer.status) === response.status);
  if (isStated || (response.status >= 200 && response.status < 300)) return yes;
  if (response.status >= 400) return known(false, `the answer was ${response.status}`);
  return unseen(`an answer with ${response.status} tells neither success nor refusal`);
}

/** Whether the request was refused: an error status (RFC 9110 §15.5, §15.6) that no stated success has. */
export function refused(exchange: Exchange, operation: Operation | null): Truth {
  const { response, failure } = exchange;
  if (response === null) return unseen(`no answer came: ${failure}`);
  const answers = (operation && stated(operation.response)) ?? [];
  const isSuccess = answers.some((answer) => stated(answer.status) === response.status);
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
