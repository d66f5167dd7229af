import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Scenario } from '../check.ts';
import { isAboutOne } from '../request.ts';
import type { Trial } from '../trial.ts';
import { cached } from './cached.ts';
import { guarded } from './guarded.ts';
import { tags } from './tags.ts';

/** Preconditions, as RFC 9110 §13 reads them, and the tags and times that they are about (language §4.3). */
export function conditional(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const conditions = stated(operation.endpoint.conditional);
  if (conditions === undefined || !isAboutOne(operation) || stated(operation.does)?.verb === 'create')
    return [];
  const reads = ['GET', 'HEAD'].includes(operation.method);
  return [
    ...(reads ? cached(trial, operation, resource, conditions) : []),
    ...(reads ? [] : guarded(trial, operation, resource, conditions)),
    ...(typeof stated(conditions.etag) === 'string' ? tags(trial, operation, resource, conditions) : []),
  ];
}
