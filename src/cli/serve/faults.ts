import { TooManySteps } from '../../expression/steps.ts';
import { CannotWorkOut } from '../../expression/values.ts';
import { printable } from '../../report/text.ts';
import type { RequestIds } from '../../service/http/request-ids.ts';
import { Unsent } from '../../service/message/reply.ts';
import { FateUnknown, NotKept, NotRead } from '../../service/store/store.ts';
import { at } from '../../source/text.ts';

/** A fault as one who runs the service can use it: what is wrong with the file, or where the code is at fault. */
export function told(fault: unknown): string {
  if (fault instanceof NotKept || fault instanceof NotRead || fault instanceof FateUnknown)
    return ['store', fault.message, ...(fault.cause instanceof Error ? [fault.cause.message] : [])].join(
      ': ',
    );
  if (fault instanceof CannotWorkOut || fault instanceof TooManySteps)
    return `internal: ${unevaluated(fault)}`;
  if (fault instanceof Unsent) return `${fault.message}: ${unevaluated(fault.cause as CannotWorkOut)}`;
  return `internal: ${(fault as Error).stack ?? String(fault)}`;
}

/** An expression that cannot be evaluated, with its place and the reason. */
function unevaluated({ expression, message }: CannotWorkOut | TooManySteps): string {
  if (expression === undefined) return message;
  const place = expression.at === undefined ? '' : `${at(expression.at)}: `;
  return `${place}\${${printable(expression.text)}} cannot be evaluated: ${message}`;
}

/** By what the request of a fault is found in other logs. */
export function noteOf(ids: RequestIds | undefined): string {
  if (ids === undefined) return '';
  return ` (request ${ids.request}${ids.trace === null ? '' : `, trace ${ids.trace}`})`;
}
