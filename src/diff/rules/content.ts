import { breaking, harmless, type Rule } from '../rule.ts';

/** The media types of content: of a request those that are taken, of an answer those that are sent (language §4.2, §H.3). */
export const content: Rule = {
  name: 'content',
  section: 'H.3',
  at: ['endpoints/*/request', 'endpoints/*/response', 'errors/payload', 'errors/codes/*'].flatMap((place) => [
    `${place}/content`,
    `${place}/content/*`,
  ]),
  judge: ({ path, before, after }) => {
    const key = path.at(-1) as string;
    if (key === 'content')
      return before && after ? [] : [breaking('content comes, or is wanted, in another form')];
    const verb = path[2] === 'request' ? 'taken' : 'sent';
    if (before && after) return [];
    return [after ? harmless(`${key} is ${verb} too`) : breaking(`${key} is ${verb} no longer`)];
  },
};
