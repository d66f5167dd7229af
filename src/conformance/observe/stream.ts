import type { Credential } from '../../semantics/access/credential.ts';
import { type Answer, unseen } from '../../semantics/judge/answer.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import { isKnown, Unknown } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { follow } from '../events/follow.ts';
import { messageOf } from '../requests/message.ts';
import { fieldsOf } from '../traffic/message.ts';
import { type Observer, observedSince } from './observer.ts';

/** A stream that is observed, with the request that began it, and the answer. */
export interface StreamObserver {
  readonly observer: Observer;
  readonly request: Request;
  readonly answer: Answer;
}

/** Reads a stream of Server-Sent Events; null: nobody who is known may read it, or its path names an item. */
export async function observeStream(
  way: string,
  operation: Operation,
  world: World,
  url: string,
): Promise<StreamObserver | null> {
  const request = readers(operation, world, url).find((each) => isOpenTo(each, world));
  if (request === undefined) return null;
  const { method, path, headers } = messageOf(request, world.specification);
  const {
    told,
    more,
    hasEnded,
    close,
    headers: fields,
  } = await follow({
    method,
    url: `${url}${path}`,
    headers: Object.entries(headers),
    body: null,
  });
  const observer: Observer = {
    ...{ way, more, hasEnded, close },
    // An event of a stream has no header fields of its own.
    came: observedSince(way, told, true),
    isHere: () => true,
    isReached: () => true,
  };
  return { observer, request, answer: { status: 200, headers: fieldsOf(fields), body: unseen } };
}

/** The stream as each who is known may ask for it. */
function readers(operation: Operation, world: World, url: string): Request[] {
  const bare: Request = {
    operation,
    path: {},
    query: {},
    headers: {},
    credentials: [],
    content: undefined,
    url,
  };
  if (operation.path.some((segment) => !('literal' in segment))) return [];
  return [bare, ...credentialsOf(world).map((credential) => ({ ...bare, credentials: [credential] }))];
}

/** The credentials that are known. */
export function credentialsOf(world: World): readonly Credential[] {
  const schemes = stated(stated(world.specification.authentication)?.schemes);
  const issued = [...(schemes?.keys() ?? [])].flatMap((scheme) =>
    world.issued(scheme).map(({ token }) => ({ scheme, value: token })),
  );
  const given = world.operators.map(({ scheme, name, secret }): Credential => {
    const isBasic = stated(stated(schemes?.get(scheme))?.scheme)?.toLowerCase() === 'basic';
    return isBasic ? { scheme, value: name, password: secret } : { scheme, value: secret };
  });
  return [...given, ...issued].filter(({ value }) => isKnown(value));
}

/** Whether it is known that the request is answered with 200. */
function isOpenTo(request: Request, world: World): boolean {
  return step(world, request).every(
    ({ prediction: { status } }) => !(status instanceof Unknown) && status.every((each) => each === 200),
  );
}
