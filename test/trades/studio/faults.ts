import type { Trade } from '../witness.ts';
import { bookingFaults } from './booking-faults.ts';
import { houseFaults } from './house-faults.ts';
import { start } from './service.ts';
import type { Person } from './steps.ts';
import { wishFaults } from './wish-faults.ts';

const bearer = (session: Person): Record<string, string> => ({ Authorization: `Bearer {${session}.token}` });

export const studio: Trade = {
  name: 'studio',
  document: new URL('studio.md', import.meta.url),
  start,
  credentials: { ann: bearer('ann'), bob: bearer('bob'), kit: bearer('kit') },
  faults: [...houseFaults, ...bookingFaults, ...wishFaults],
};
