import type { Validate } from '../typing.ts';

/** Part 1 refers to no other part (language §1). */
export const validate: Validate = () => undefined;
