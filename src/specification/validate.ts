import type { Part } from './address.ts';
import type { Reading } from './reading.ts';
import type { Specification } from './specification.ts';
import { Typing, type Validate } from './typing.ts';
import * as authentication from './validation/authentication.ts';
import * as endpoints from './validation/endpoints.ts';
import * as errors from './validation/errors.ts';
import * as events from './validation/events.ts';
import * as limits from './validation/limits.ts';
import * as resources from './validation/resources.ts';
import * as service from './validation/service.ts';
import * as states from './validation/states.ts';
import * as versioning from './validation/versioning.ts';

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
export function validate(of: Specification, reading: Reading, kept: Specification = of): void {
  const typing = new Typing(kept, reading);
  for (const room of Object.values(rooms)) room.validate(of, typing, reading);
}
