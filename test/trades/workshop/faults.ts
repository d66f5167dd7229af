import type { Trade } from '../witness.ts';
import { ofAccountsAndBikes } from './account-faults.ts';
import { ofJobs } from './job-faults.ts';
import { ofQuotes } from './quote-faults.ts';
import { start } from './service.ts';

export const workshop: Trade = {
  name: 'workshop',
  document: new URL('workshop.md', import.meta.url),
  start,
  credentials: {
    ann: { Authorization: 'Bearer {ann.token}' },
    bob: { Authorization: 'Bearer {bob.token}' },
    mia: { Authorization: 'Bearer {mia.token}' },
  },
  faults: [...ofAccountsAndBikes, ...ofJobs, ...ofQuotes],
};
