import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** How often one may ask (language §8). */
export const rate: Rule = {
  name: 'rate',
  section: '8',
  at: ['limits/rates/*', 'limits/rates/*/allow', 'limits/rates/*/operations', 'limits/concurrency/**'],
  judge: ({ before, after }) => {
    const [was, is] = [statedValue(before), statedValue(after)];
    if (before === undefined) return [breaking('requests beyond it are refused')];
    if (after === undefined) return [harmless('requests beyond it are taken')];
    if (typeof was !== 'number' || typeof is !== 'number') return [];
    return [is < was ? breaking('fewer requests are taken') : harmless('more requests are taken')];
  },
};
