import { hash, randomBytes, type ScryptOptions, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { cost } from './hash-cost.ts';

/**
 * The form of a secret that the service made: it is long and random, so one round of SHA-256 keeps it, and an item
 * can be found by it.
 */
export function digestOf(secret: unknown): string {
  return `sha256:${hash('sha256', textOf(secret), 'base64url')}`;
}

const derived: (secret: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt);

/** The form of a secret that was given, worked out beside the service's own work. */
export async function hashed(secret: unknown): Promise<string> {
  const salt = randomBytes(16);
  const { N, r, p, length } = cost;
  return written(salt, await derived(textOf(secret), salt, length, { N, r, p }));
}

/** The same at once, for a secret that comes to light within a transaction. */
export function hashedNow(secret: unknown): string {
  const salt = randomBytes(16);
  const { N, r, p, length } = cost;
  return written(salt, scryptSync(textOf(secret), salt, length, { N, r, p }));
}

function written(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** A made secret that nobody has, which takes as long to compare as one that somebody has. */
export const nobodysDigest = 'sha256:';

/** A secret nobody has: what is given where there is no item is compared with it, so that it takes as long. */
const nobodys = written(Buffer.alloc(16), Buffer.alloc(cost.length));

/**
 * Whether a given secret is the one that is kept in this form; null: there is none, which takes as long to say.
 * The comparison takes the same time wherever the two differ.
 */
export async function proves(kept: unknown, secret: unknown): Promise<boolean> {
  const [kind, ...parts] = (typeof kept === 'string' ? kept : nobodys).split(':');
  if (kind === 'sha256') return same(Buffer.from(digestOf(secret)), Buffer.from(kept as string));
  const [N, r, p] = parts.slice(0, 3).map(Number) as [number, number, number];
  const [salt, hash] = parts.slice(3).map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  const found = await derived(textOf(secret), salt, hash.length, { N, r, p });
  return same(found, hash) && typeof kept === 'string';
}

/** Whether a given secret is the one that is kept as it was given; compared as long wherever the two differ. */
export function isSame(kept: unknown, secret: unknown): boolean {
  return typeof kept === 'string' && same(Buffer.from(digestOf(kept)), Buffer.from(digestOf(secret)));
}

function same(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function textOf(secret: unknown): string {
  return typeof secret === 'string' ? secret : JSON.stringify(secret);
}
