import type { Validate } from '../typing.ts';

/** What part 8 says of other parts (language §8). */
export const validate: Validate = () => undefined;
