import type { Deviation } from '../deviations/deviation.ts';
import { keyOf } from '../deviations/deviation.ts';
import type { Suspect } from './suspect.ts';

/** Why a deviation is not told. */
export type Reason = 'equal' | 'invisible' | 'open' | 'beyond' | 'not reached' | 'not found';

export function reasonOf({ deviation, isRead, isInfected, isOpen }: Suspect): Reason {
  const { address } = deviation.said;
  if (!isRead && beyond.test(address)) return 'beyond';
  if (isEqual(deviation)) return 'equal';
  if (isShownMore(deviation) || isInfected) return 'invisible';
  if (isOpen) return 'open';
  return isRead ? 'not found' : 'not reached';
}

/** What has no place in a prediction: `withoutPlace` in the test of the keys. */
const beyond =
  /^events\b|\.cors\b|^versioning\b|^limits\.(sizes|times|concurrency|defaults)\b|\.media$|\.(life|remembers|within|challenge)$/;

/** Statements that say the same in other words, each by a rule of the language. */
function isEqual({ said, says }: Deviation): boolean {
  const key = keyOf(said);
  // No client gives the value, so nothing refuses it (language §2.2).
  if (key === 'final') return true;
  // `minLength: 0` and no `minLength` are the same (language §H.1).
  return (key === 'minLength' || key === 'minItems') && says === 'it is 0';
}

/** An answer may show more than is listed: this is listed apart, and violates nothing. */
function isShownMore({ said, says }: Deviation): boolean {
  return keyOf(said) === 'readable' && says.startsWith('it is true');
}
