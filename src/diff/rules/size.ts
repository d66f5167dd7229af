import { bytesIn } from '../../specification/size.ts';
import { breaking, harmless, type Rule } from '../rule.ts';
import { statedValue } from '../value.ts';

/** How large, and how many (language §8). */
export const size: Rule = {
  name: 'size',
  section: '8',
  at: ['limits/sizes/*'],
  judge: ({ before, after }) => {
    if (before === undefined) return [breaking('what is larger is refused')];
    if (after === undefined) return [harmless('what is larger is taken')];
    const [was, is] = [bytes(statedValue(before)), bytes(statedValue(after))];
    if (was === undefined || is === undefined) return [];
    if (was === is) return [harmless('it is the same size, written otherwise')];
    return [is < was ? breaking('less is taken') : harmless('more is taken')];
  },
};

function bytes(written: unknown): number | undefined {
  const [, number, unit = 'B'] = /^(\d+)(?: ?([A-Za-z]+))?$/.exec(String(written)) ?? [];
  const factor = bytesIn[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
