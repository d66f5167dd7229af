import type { Node } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';

/** The answers of an operation, and the body of each as a whole (language §H.3). */
export const answer: Rule = {
  name: 'answer',
  section: 'H.3',
  at: ['response', 'response/body', 'response/media', 'response/under', 'response/when'].map(
    (key) => `endpoints/*/${key}`,
  ),
  judge: ({ path, before, after }) => {
    const key = path.at(-1);
    if (key === 'response')
      return before
        ? [breaking('an answer is no longer sent')]
        : [breaking('an answer is sent that was not before')];
    if (key === 'when') return [breaking('it is sent in other cases')];
    if (key === 'media' && before && after)
      return [breaking('without Accept, the body comes as another media type')];
    if (key !== 'body') return [breaking('the body comes in another form')];
    if (before === undefined) return [harmless('there is a body now')];
    if (after === undefined) return [breaking('there is no body any more')];
    // Two expressions may come to the same; what shows another resource does not.
    const [was, is] = [shows(before), shows(after)];
    return was !== undefined && is !== undefined && was !== is
      ? [breaking(`it shows ${is}, and showed ${was}`)]
      : [];
  },
};

function shows(node: Node): string | undefined {
  return node.kind === 'scalar'
    ? /^\$\{\s*([A-Z][A-Za-z0-9]*)\([\w.]+\)\s*\}$/.exec(node.written)?.[1]
    : undefined;
}
