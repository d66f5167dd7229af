import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { admits } from '../access/admits.ts';
import type { Claim } from '../check.ts';
import { allReasons, answerFound, closed, succeeded } from '../guards.ts';
import type { Names } from '../solve.ts';
import type { Done } from '../trial.ts';
import { all, known, type Truth } from '../verdict.ts';

/** Whether nothing but a rate may refuse. */
export function letsIn(of: Specification, operation: Operation, names: Names): Truth {
  return all(
    admits(of, operation, names),
    allReasons(of, operation, names),
    closed(of, operation.address),
    closed(of, 'limits'),
  );
}

/** The claim that a request is let in. */
export function success(operation: Operation): (done: Done) => Claim {
  return ({ exchange }) => ({
    truth: known(succeeded(exchange, operation).value === true),
    expected: 'a success',
    found: answerFound(exchange),
  });
}
