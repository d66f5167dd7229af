import { names } from './contestants.ts';
import type { Target } from './statistics.ts';

/** The ratios to reach, tacet's reading over the other's: rates for the works, times for the start. */
export const targets: Readonly<Record<string, Readonly<Record<string, Target>>>> = {
  create: {
    [names.transactions]: { atLeast: 5 },
    [names.grouped]: { atLeast: 1.1 },
    [names.ceiling]: { atLeast: 0.85 },
    [names.jsonServer]: { atLeast: 20 },
    [names.prism]: { atLeast: 5 },
    [names.postgres]: { atLeast: 1.5 },
  },
  read: {
    [names.grouped]: { atLeast: 1.1 },
    [names.ceiling]: { atLeast: 0.85 },
    [names.jsonServer]: { atLeast: 5 },
    [names.prism]: { atLeast: 5 },
    [names.postgres]: { atLeast: 1 },
  },
  list: {
    [names.postgres]: { atLeast: 1 },
    [names.grouped]: { atLeast: 1.3 },
    [names.ceiling]: { atLeast: 0.9 },
    [names.jsonServer]: { atLeast: 4 },
  },
  parts: {
    [names.withoutParts]: { atLeast: 0.75 },
  },
  start: {
    [names.transactions]: { atMost: 1 },
    [names.jsonServer]: { atMost: 1 },
    [names.prism]: { atMost: 0.15 },
  },
};
