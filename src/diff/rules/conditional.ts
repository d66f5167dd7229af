import { get } from '../../source/node.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** Conditional requests and repeats (language §4.3, §4.4). */
export const conditional: Rule = {
  name: 'conditional',
  section: '4.3',
  at: ['conditional', 'idempotency'].flatMap((key) => [`endpoints/*/${key}`, `endpoints/*/${key}/*`]),
  judge: ({ path, before, after }) => {
    if (path.at(-1) === 'life') return [];
    const asked = (value: unknown): boolean => value === 'required' || value === true;
    const whole = path.length === 3;
    const must = whole
      ? ['ifMatch', 'required'].some((key) => asked(statedValue(get(after, key))))
      : asked(statedValue(after));
    if (must) return [breaking('a request without the field is refused')];
    if (path.at(-1) === 'etag' && before && after) return [breaking('tags that clients have are others now')];
    if (path.at(-1) === 'compare' && after) return [harmless('more tags are taken')];
    if (before === undefined) return [harmless('requests may carry the field')];
    if (['ifMatch', 'required'].includes(path.at(-1) as string) && after)
      return [harmless('the field may be left out')];
    return [breaking('the field is understood in another way, or no longer')];
  },
};
