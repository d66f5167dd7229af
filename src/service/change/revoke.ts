import type { Issuer } from '../access/issuer.ts';
import type { RequestView } from '../message/frame.ts';
import type { Doing } from '../transaction/doing.ts';

/** Ends the credential of a scheme that the request came with, if it did. */
export type Revoke = (doing: Doing, scheme: string | null) => void;

export function compileRevoke(issuer: Issuer | null): Revoke {
  return ({ tx, now, frame }, scheme) => {
    const request = frame({}).names['request'] as RequestView | null;
    const credential = scheme === null ? undefined : request?.presented.get(scheme);
    if (scheme !== null && credential !== undefined) issuer?.revoke(scheme, credential, tx, now);
  };
}
