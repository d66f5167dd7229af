import { bodyOf, type Call, type Clinic, holds, numbered, plain, slotShown } from './clinic.ts';
import type { Gate } from './gate.ts';
import { ordering, queryOf, sizeOf } from './query.ts';
import { microsOf, type Slot } from './records.ts';
import { require } from './request.ts';

const media = 'application/json';

export function addSlots(clinic: Clinic, gate: Gate): void {
  const { app, practice, broken } = clinic;
  app.post('/slots', gate.opens({ scope: 'treat', roles: ['doctor'], media }), (call) => {
    const start = { type: 'string', format: 'date-time' } as const;
    const length = call.var.isOld
      ? { hours: { type: 'number', enum: [0.25, 0.5, 0.75, 1] } }
      : { minutes: { type: 'integer', enum: [15, 30, 45, 60] } };
    const given = bodyOf(call, { start, ...length }, ['start', ...Object.keys(length)]) as {
      readonly start: string;
      readonly minutes?: number;
      readonly hours?: number;
    };
    holds('start', Math.floor(microsOf(given.start) / 1000) * 1000 > practice.now());
    const minutes = given.minutes ?? Math.round(Number(given.hours) * 60);
    const slot = practice.openSlot(call.var.actor.id, given.start, minutes);
    return call.json(slotShown(clinic, call, slot), 201);
  });

  app.get('/slots', gate.opens({ scope: 'read' }), (call) => call.json(listSlots(clinic, call)));

  app.delete('/slots/:id', gate.opens({ scope: 'treat', roles: ['doctor'], accepts: null }), (call) => {
    const slot = numbered(practice.slots, call);
    require(slot !== undefined, 'no-slot');
    require(slot.doctor === call.var.actor.id || broken('slot-closed-by-others'), 'not-yours');
    plain(call);
    const isUsed = [...practice.appointments.values()].some((one) => one.slot === slot.id);
    require(!isUsed, 'slot-in-use');
    practice.slots.delete(slot.id);
    return call.body(null, 204);
  });
}

function listSlots(clinic: Clinic, call: Call): object {
  const { practice, broken } = clinic;
  const time = { type: 'string', format: 'date-time' } as const;
  const query = queryOf(call.var.search, {
    doctor: { type: 'string' },
    from: time,
    to: time,
    free: { type: 'boolean' },
    after: { type: 'integer' },
    limit: { type: 'integer', minimum: 1 },
  });
  const { doctor, from, to, free, after } = query;
  const last = after === undefined ? undefined : practice.slots.get(Number(after));
  if (after !== undefined) holds('after', last !== undefined, 'refers');
  const size = sizeOf(query);
  const order = ordering(['start', 'id']);
  const end = (slot: Slot): number => microsOf(broken('to-of-start') ? slot.start : slot.end);
  const found = [...practice.slots.values()]
    .filter(
      (slot) =>
        (doctor === undefined || slot.doctor === doctor) &&
        (from === undefined || microsOf(slot.start) >= microsOf(from)) &&
        (to === undefined || end(slot) <= microsOf(to)) &&
        (free === undefined || !practice.isTaken(slot.id) === (free === 'true')),
    )
    .sort(order);
  const beyond = last === undefined ? found : found.filter((slot) => order(slot, last) > 0);
  return {
    slots: beyond.slice(0, size).map((slot) => slotShown(clinic, call, slot)),
    total: found.length,
  };
}
