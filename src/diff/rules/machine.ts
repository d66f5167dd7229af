import { breaking, harmless, type Rule, stored } from '../rule.ts';

/** A machine as a whole (language §3.1). */
export const machine: Rule = {
  name: 'machine',
  section: '3.1',
  at: ['states/*'],
  judge: ({ before, after }) => {
    if (before && after) return [];
    return after
      ? [breaking('only the listed moves are made now'), stored('kept items may be in no listed state')]
      : [breaking('its transitions can be asked for no longer'), harmless('the field holds any value')];
  },
};
