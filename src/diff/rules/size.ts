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

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  KiB: 1024,
  MB: 1e6,
  MiB: 1024 ** 2,
  GB: 1e9,
  GiB: 1024 ** 3,
};

function bytes(written: unknown): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(String(written)) ?? [];
  const factor = units[unit ?? ''];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
