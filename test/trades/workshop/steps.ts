import { asksBy } from '../asks.ts';
import type { Json, Step } from '../witness.ts';

type Members = Record<string, Json>;

export type Person = 'ann' | 'bob' | 'mia';

export const { does, sees, refused } = asksBy<Person>((code) => ({ code }));

export const signsUp = (name: string, email = `${name}@mail.example`): Step => ({
  ask: 'POST /accounts',
  body: { email, name, password: `${name}-likes-bikes` },
  status: 201,
  shows: { email, role: 'customer', openJobs: 0 },
});

const logsIn = (keep: Person, email: string, password: string): Step => ({
  ask: 'POST /sessions',
  body: { email, password },
  status: 201,
  shows: { token: /./ },
  keep,
});

export const mia = logsIn('mia', 'mia@workshop.example', 'spanner-and-oil');
export const ann = [signsUp('ann'), logsIn('ann', 'ann@mail.example', 'ann-likes-bikes')];
export const bob = [signsUp('bob'), logsIn('bob', 'bob@mail.example', 'bob-likes-bikes')];

/** A customer has a bike, which is kept by its label. */
export const bike = (as: Person, label: string, frame = `FRAME-${label.toUpperCase()}`): Step =>
  does(as, 'POST /bikes', 201, { body: { label, frame }, shows: { label, frame, jobs: 0 }, keep: label });

/** A customer opens a job for a bike, which is kept by a name. */
export const opens = (as: Person, label: string, keep: string, more: Members = {}): Step =>
  does(as, 'POST /jobs', 201, {
    body: { bike: `{${label}.id}`, complaint: `Fix ${keep}`, ...more },
    shows: { status: 'received', total: 0 },
    keep,
  });

/** The mechanic adds a line, which is kept by its text. */
export const lists = (job: string, text: string, price = 1000, quantity = 1): Step =>
  does('mia', `POST /jobs/{${job}.id}/lines`, 201, {
    body: { text, price, quantity },
    shows: { amount: price * quantity, kind: 'part' },
    keep: text,
  });

const moves = (as: Person, job: string, move: string, status: string): Step =>
  does(as, `POST /jobs/{${job}.id}/${move}`, 200, { shows: { status } });

export const quotes = (job: string): Step => moves('mia', job, 'quote', 'quoted');
export const revises = (job: string): Step => moves('mia', job, 'revision', 'received');
export const approves = (as: Person, job: string): Step => moves(as, job, 'approval', 'approved');
export const cancels = (as: Person, job: string): Step => moves(as, job, 'cancellation', 'cancelled');

/** Ann and Mia are here, and Ann has opened a job for her bike. */
export const opened: readonly Step[] = [...ann, mia, bike('ann', 'racer'), opens('ann', 'racer', 'brakes')];

export const day = 86_400;
