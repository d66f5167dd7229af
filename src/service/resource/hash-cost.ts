/**
 * How a given secret is kept: scrypt (RFC 7914), with what it takes to work it out again. 16 MiB and some 50 ms of
 * one processor: one of the settings that OWASP's Password Storage Cheat Sheet holds equal.
 */
export const cost = { N: 2 ** 14, r: 8, p: 5, length: 32 } as const;
