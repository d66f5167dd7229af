import type { Rule } from './rule.ts';
import { answer } from './rules/answer.ts';
import { authorization } from './rules/authorization.ts';
import { base } from './rules/base.ts';
import { conditional } from './rules/conditional.ts';
import { constraint } from './rules/constraint.ts';
import { content } from './rules/content.ts';
import { cors } from './rules/cors.ts';
import { defaultValue } from './rules/default.ts';
import { delivery } from './rules/delivery.ts';
import { derived } from './rules/derived.ts';
import { differs } from './rules/differs.ts';
import { effect } from './rules/effect.ts';
import { endpoint } from './rules/endpoint.ts';
import { errorCode } from './rules/error-code.ts';
import { errorOrder } from './rules/error-order.ts';
import { errorPayload } from './rules/error-payload.ts';
import { event } from './rules/event.ts';
import { field } from './rules/field.ts';
import { guard } from './rules/guard.ts';
import { header } from './rules/header.ts';
import { identifier } from './rules/identifier.ts';
import { initial } from './rules/initial.ts';
import { invariant } from './rules/invariant.ts';
import { machine } from './rules/machine.ts';
import { operationName } from './rules/operation-name.ts';
import { others } from './rules/others.ts';
import { parameter } from './rules/parameter.ts';
import { path } from './rules/path.ts';
import { pathParameter } from './rules/path-parameter.ts';
import { payload } from './rules/payload.ts';
import { quota } from './rules/quota.ts';
import { rate } from './rules/rate.ts';
import { readable } from './rules/readable.ts';
import { reference } from './rules/reference.ts';
import { requestBody } from './rules/request-body.ts';
import { requestMedia } from './rules/request-media.ts';
import { required } from './rules/required.ts';
import { resource } from './rules/resource.ts';
import { scheme } from './rules/scheme.ts';
import { secret } from './rules/secret.ts';
import { size } from './rules/size.ts';
import { state } from './rules/state.ts';
import { status } from './rules/status.ts';
import { time } from './rules/time.ts';
import { transition } from './rules/transition.ts';
import { unique } from './rules/unique.ts';
import { version } from './rules/version.ts';
import { view } from './rules/view.ts';
import { words } from './rules/words.ts';
import { writable } from './rules/writable.ts';

/** Every rule about a difference, in the order of the parts of the language. */
export const rules: readonly Rule[] = [
  resource,
  identifier,
  field,
  constraint,
  required,
  others,
  readable,
  writable,
  defaultValue,
  unique,
  invariant,
  reference,
  derived,
  secret,
  view,
  machine,
  state,
  initial,
  transition,
  guard,
  base,
  endpoint,
  operationName,
  effect,
  parameter,
  path,
  pathParameter,
  requestBody,
  requestMedia,
  cors,
  conditional,
  status,
  answer,
  content,
  payload,
  header,
  scheme,
  authorization,
  event,
  delivery,
  errorCode,
  errorPayload,
  errorOrder,
  words,
  rate,
  quota,
  time,
  size,
  version,
  differs,
];
