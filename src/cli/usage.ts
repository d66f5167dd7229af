import { Refused } from '../load/refused.ts';

/** The command is used wrongly: its message is shown with a pointer to the help, and the exit code is 2. */
export class UsageError extends Refused {}
