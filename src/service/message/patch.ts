import type { Failing, Held } from './refusal.ts';

export type Members = Record<string, unknown>;

/** What a body asks of an item: members that are given values, and members that go. */
export interface Given {
  readonly set: Members;
  /** By name; the values say nothing. */
  readonly gone: Members;
}

/** What a patch asks of the item that has these members, or why it cannot be applied to it. */
export type Patch = (before: Members) => Asked;
export type Asked = Given | Failing | Held;
