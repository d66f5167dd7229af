import { breaking, harmless, type Rule } from '../rule.ts';

/** What every error is sent as (language §7, §E.16). */
export const errorPayload: Rule = {
  name: 'error-payload',
  section: '7',
  at: [
    'errors/payload',
    ...['media', 'under', 'body'].flatMap((key) => [`errors/payload/${key}`, `errors/codes/*/${key}`]),
  ],
  judge: ({ path, before, after }) => {
    if (path.at(-1) === 'payload' && before && after) return [];
    return [before ? breaking('errors come in another form') : harmless('errors have a form now')];
  },
};
