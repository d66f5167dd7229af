import { breaking, harmless, type Rule } from '../rule.ts';
import { come, statedValue } from '../value.ts';

/** How often one may ask (language §8). */
export const rate: Rule = {
  name: 'rate',
  section: '8',
  at: ['rates', 'concurrency'].flatMap((kind) =>
    ['', '/allow', '/operations', '/when'].map((key) => `limits/${kind}/*${key}`),
  ),
  judge: (difference) => {
    const { path, before, after } = difference;
    const key = path[3];
    // Without these, every request is counted.
    if (key === 'operations' && before && after)
      return come(difference).length > 0
        ? [breaking(`requests of ${come(difference).join(', ')} are counted too`)]
        : [harmless('fewer requests are counted')];
    if ((key === 'operations' || key === 'when') && !(before && after))
      return [after ? harmless('fewer requests are counted') : breaking('all requests are counted')];
    const [was, is] = [statedValue(before), statedValue(after)];
    if (before === undefined) return [breaking('requests beyond it are refused')];
    if (after === undefined) return [harmless('requests beyond it are taken')];
    if (typeof was !== 'number' || typeof is !== 'number') return [];
    return [is < was ? breaking('fewer requests are taken') : harmless('more requests are taken')];
  },
};
