import { breaking, type Rule } from '../rule.ts';

/** What an operation does: another verb, or about something else (language §H.2). */
export const effect: Rule = {
  name: 'effect',
  section: 'H.2',
  at: ['endpoints/*/does', 'endpoints/*/does/*', 'endpoints/*/does/request/**'],
  judge: ({ path, before, after }) => {
    const key = path.at(-1) as string;
    if (path[3] === 'request') return [breaking('it sends other requests')];
    if (key === 'order') return [breaking('the list comes in another order')];
    if (key === 'same') {
      const now =
        before === undefined ? 'settled now' : after === undefined ? 'a choice now' : 'another thing';
      return [breaking(`leaving every value as it was is ${now}`)];
    }
    if (key === 'present' || key === 'absent') return [breaking('it comes to something else')];
    if (unjudged.includes(key)) return [];
    if (before === undefined) return [breaking('it does this now')];
    return [breaking(after ? 'it does something else' : 'it does this no longer')];
  },
};

/** Qualifiers whose expressions or values cannot be told apart as more and less. */
const unjudged = ['with', 'where', 'when', 'for', 'as', 'by', 'gives', 'may'];
