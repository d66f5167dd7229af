import type { Steps } from '../../source/turns.ts';
import type { Specification } from '../model/specification.ts';
import type { Part } from '../reading/address.ts';
import type { Reading } from '../reading/reading.ts';
import { checkBytes } from './bytes.ts';
import { checkExamples } from './examples.ts';
import * as authentication from './parts/authentication.ts';
import * as endpoints from './parts/endpoints.ts';
import * as errors from './parts/errors.ts';
import * as events from './parts/events.ts';
import * as limits from './parts/limits.ts';
import * as resources from './parts/resources.ts';
import * as service from './parts/service.ts';
import * as states from './parts/states.ts';
import * as versioning from './parts/versioning.ts';
import { Typing, type Validate } from './typing.ts';

const rooms: { readonly [P in Part]: { readonly validate: Validate } } = {
  service,
  resources,
  states,
  endpoints,
  authentication,
  events,
  errors,
  limits,
  versioning,
};

/**
 * What the parts say of one another, once all nine are read.
 *
 * @param kept the specification by which items are kept, and so read by expressions: the newest version's
 */
export function* validateInSteps(of: Specification, reading: Reading, kept: Specification = of): Steps<void> {
  const typing = new Typing(kept, reading, of === kept);
  for (const room of Object.values(rooms)) {
    yield* room.validate(of, typing, reading) ?? [];
    yield;
  }
  checkBytes(of, reading);
  // An older version may lack an operation that an example comes after.
  if (of === kept) checkExamples(of, typing, reading);
}
