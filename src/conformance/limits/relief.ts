import type { Persona } from '../access/persona.ts';
import { ended } from '../refusals/groups.ts';
import { stockUp } from '../stock.ts';
import type { Trial } from '../trial.ts';
import { leftOf } from './pace.ts';

/** How many requests one scenario is taken to need at the most. */
const enough = 60;

/**
 * Somebody new of the same kind takes over where rates let in few more requests of one who asks, with items of its own.
 * It is done between scenarios alone, so that what one of them sees is seen by one.
 */
export async function relieved(trial: Trial): Promise<void> {
  const { persona, cast } = trial;
  const usual = persona && (await anotherFor(trial, persona));
  if (usual) trial.persona = usual;
  let isAnother = usual !== null;
  for (const [index, one] of cast.entries()) {
    const another = await anotherFor(trial, one);
    if (another) cast[index] = another;
    isAnother ||= another !== null;
  }
  if (!isAnother) return;
  for (const kept of [trial.seenLists, trial.spares, trial.stock, trial.around, trial.seen]) kept.clear();
  await stockUp(trial);
}

async function anotherFor(trial: Trial, persona: Persona): Promise<Persona | null> {
  const least = persona.item && leftOf(trial, persona);
  if (!least || least.left >= Math.min(least.of / 2, enough)) return null;
  await ended(trial.groups, trial.of);
  const another = await trial.enter(persona);
  // What comes from outside is carried on.
  for (const [name, credential] of persona.credentials)
    if (trial.of.credentials?.has(name)) another?.credentials.set(name, credential);
  return another;
}
