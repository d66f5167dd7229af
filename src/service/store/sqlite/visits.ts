import { mostSteps, TooManySteps } from '../../../expression/steps.ts';

/**
 * The elements of lists that a statement goes through, once for each row that it looks at: as these hold up the whole
 * process, they are steps of the expression (language §G.7).
 */
let visited = 0;

/** Stands before a statement's run. */
export function beginVisits(): void {
  visited = 0;
}

/** Stands before each element is looked at; true in SQL. Throws `TooManySteps`. */
export function visit(): 1 {
  visited += 1;
  if (visited > mostSteps) throw new TooManySteps();
  return 1;
}
