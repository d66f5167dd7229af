import type { Specification } from '../../specification/model/specification.ts';
import { senderOf } from '../access/sender.ts';
import { refusal } from '../change/refusal.ts';
import { unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { beyond } from './beyond.ts';
import { unsupportedMedia } from './content/media.ts';
import { tooLargeBody } from './content/size.ts';
import { refusalsUnseen } from './cors/permission.ts';
import { boundItems } from './find.ts';
import { bodyOf } from './given/body.ts';
import { namesOf } from './given/names.ts';
import { headerRefusals, pathRefusals, queryRefusals } from './given/query.ts';
import { type Request, refusalStatuses } from './prediction.ts';
import { type Result, refused } from './result.ts';

/**
 * What comes of a request to an operation of which it is open what it does (language §F.5). Without its credential, if
 * it does not fit its shape, or if its path names an item that is not there, it is refused, and changes nothing. For which of
 * all reasons, nobody knows.
 *
 * @returns undefined: it is not known that the request is refused
 */
export function refusedWhatever(
  before: World,
  world: World,
  request: Request,
  now: Value,
): Result | undefined {
  const { operation } = request;
  if (!isOfUnknownWork(request, world.specification)) return undefined;
  if (tooLargeBody(request, world).length + unsupportedMedia(request).length > 0) return undefined;
  const ambient = namesOf(request, true, world, now);
  const sender = senderOf(operation, request.credentials, new Moment(world, ambient));
  const moment = new Moment(world, { ...ambient, actor: sender.actor });
  const refusals = [
    ...(refusalsUnseen(operation, sender, moment) ?? []),
    ...boundItems(operation, request, world).missing.map((resource) => refusal('unknown', resource)),
    ...pathRefusals(request, world),
    ...queryRefusals(request, world),
    ...headerRefusals(request, world),
    ...bodyOf(request, moment, null).refusals,
  ];
  if (refusals.length === 0) return undefined;
  const { prediction } = refused(before, request, refusals, moment);
  const any = { ...prediction, status: refusalStatuses, headers: {}, body: unknown([]) };
  return { prediction: any, events: [], world: before };
}

/** Whether it is open what an operation does, and nothing else keeps it from being carried out here. */
function isOfUnknownWork({ operation }: Request, specification: Specification): boolean {
  const open = beyond(operation, specification);
  return operation.does.kind === 'open' && open?.because.size === 1;
}
