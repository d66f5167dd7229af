import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** What the body of a request is (language §4.2, §E.4). */
export const requestBody: Rule = {
  name: 'request-body',
  section: '4.2',
  at: [
    'endpoints/*/request/body',
    'endpoints/*/request/body/of',
    'endpoints/*/request/required',
    'endpoints/*/request/under',
    'endpoints/*/request/nesting',
  ],
  judge: ({ path, before, after }) => {
    const key = path.at(-1);
    if (key === 'required')
      return [
        statedValue(after) === false
          ? harmless('content may be missing now')
          : breaking('there has to be content now'),
      ];
    if (key === 'body' && after === undefined) return [harmless('a body is looked at no longer')];
    return [
      breaking(key === 'body' && !before ? 'a body is wanted now' : 'a body of another form is wanted'),
    ];
  },
};
