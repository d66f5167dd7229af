import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { isWritten } from '../model/denied.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import type { Typing } from './typing.ts';

/** What is known of a request before one of several operations is chosen. */
const known: readonly string[] = ['path', 'query', 'headers', 'media', 'version'];

/** Operations under one `METHOD /path`, of which a request means one (language §4.1, `when`). */
export function checkAlternatives(of: Specification, typing: Typing, reading: Reading): void {
  const lists = Map.groupBy(of.operations, ({ endpoint }) => endpoint.among);
  for (const [among, operations] of lists)
    for (const [at, operation] of operations.entries()) {
      const { when } = operation.endpoint;
      if (among === null && when.kind === 'stated')
        reading.report('idle', when.at, { key: 'when', where: 'an operation that is alone on its path' });
      const isLast = at === operations.length - 1;
      const isLeftOut = when.kind === 'none' || (when.kind === 'open' && !isWritten(of, when));
      if (among !== null && isLeftOut && !isLast) {
        const problem = 'an operation without when is the last: no request means those after it';
        reading.report('contradiction', operation.at, { problem });
      }
      if (among !== null && when.kind === 'stated') checkWhen(operation, typing, reading);
    }
}

function checkWhen(operation: Operation, typing: Typing, reading: Reading): void {
  const when = stated(operation.endpoint.when);
  if (when === undefined) return;
  const read = expressionsIn(when.template).flatMap(({ syntax }) => pathsRead(syntax));
  const others = read.filter(([root, member]) => root !== 'request' || !known.includes(member ?? ''));
  for (const [root, member] of others) {
    const name = root === 'request' && member !== undefined ? `request.${member}` : (root ?? '');
    reading.report('alternative-reads', when.node.span, { name });
  }
  if (others.length === 0) typing.truth(when, { situation: 'request', subject: null, bound: [], operation });
}
