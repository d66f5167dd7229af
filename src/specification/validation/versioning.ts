import type { Validate } from '../typing.ts';

/** What part 9 says of other parts (language §9). */
export const validate: Validate = () => undefined;
