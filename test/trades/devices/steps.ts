import type { Json, Pattern, Step } from '../witness.ts';

type Members = Readonly<Record<string, Json>>;

export const does = (
  as: string,
  ask: string,
  status: number,
  shows?: Pattern,
  body?: Json,
  keep?: string,
): Step => ({
  ask,
  as,
  status,
  ...(shows !== undefined && { shows }),
  ...(body !== undefined && { body }),
  ...(keep !== undefined && { keep }),
});
export const sees = (as: string, path: string, shows: Pattern): Step => does(as, `GET ${path}`, 200, shows);
export const refused = (as: string, ask: string, status: number, error: string, body?: Json): Step =>
  does(as, ask, status, { error }, body);
export const tagged = (step: Step, tag: string): Step => ({ ...step, headers: { 'If-Match': tag } }) as Step;

/** Support opens accounts, which are kept by their names. */
export const owners = (...names: string[]): Step[] =>
  names.map((name) => does('desk', 'POST /accounts', 201, { role: 'owner' }, { name }, name));
/** Ann makes a fleet, which is kept as `fleet`. */
export const fleet = (as = 'ann', keep = 'fleet', name = 'North'): Step =>
  does(as, 'POST /fleets', 201, {}, { name }, keep);
export const probe = { serial: 'PR000001', model: 'probe', label: 'Cellar' };
/** A device of the fleet: a probe, or what differs from it. Its answer is kept by its serial number. */
export const device = (more: Members = {}, of = 'fleet', as = 'ann'): Step => {
  const body = { ...probe, ...more };
  return does(as, `POST /fleets/{${of}.id}/devices`, 201, {}, body, String(body.serial));
};
export const commissions = (serial = 'PR000001', as = 'ann'): Step =>
  does(as, `POST /devices/${serial}/commissioning`, 200, { status: 'active' });
/** Ann has a fleet with a probe in use. */
export const inUse = (more: Members = {}): Step[] => [...owners('ann'), fleet(), device(more), commissions()];
export const takenAt = '2026-03-02T09:59:00Z';
export const reports = (value: number, shows: Pattern = {}, as = 'probe'): Step =>
  does(as, 'POST /readings', 201, shows, { value, takenAt }, 'reading');
/** The newest alert, kept as `alerts`. */
export const alerts: Step = does('ann', 'GET /alerts', 200, {}, undefined, 'alerts');
export const acknowledges = (as: string): Step =>
  does(
    as,
    'POST /alerts/{alerts.alerts.0.id}/acknowledgement',
    200,
    { status: 'acknowledged' },
    { note: 'Seen' },
  );
export const retires = (serial = 'PR000001'): Step =>
  does('ann', `POST /devices/${serial}/retirement`, 200, { status: 'retired' });
export const release = (build: number, model = 'probe'): Step =>
  does('desk', 'POST /releases', 201, {}, { model, build });
export const updates = (build: number): Step =>
  does('ann', 'POST /devices/PR000001/firmware', 200, { build }, { build });
export const reading: Step = does('ann', 'GET /devices/PR000001', 200, {}, undefined, 'seen');

/** An owner has a hook at a receiver of its own; the hook is kept as `ann-hook`. */
export const hook = (
  kinds: readonly string[],
  answers: readonly number[] = [],
  as = 'ann',
  inbox = 'inbox',
): Step[] => [
  { listens: inbox, answers },
  does(as, 'POST /hooks', 201, {}, { url: `{${inbox}.url}`, kinds }, `${inbox}-hook`),
];
/** The next delivery to a receiver is of this kind. */
export const receives = (type: string, data: Pattern = {}, inbox = 'inbox'): Step => ({
  receives: inbox,
  deliveries: [{ content: { type, data }, key: `{${inbox}-hook.secret}` }],
});
/** The same, after some seconds. */
export const later = (after: number, step: Step): Step => ({ ...step, after }) as Step;
