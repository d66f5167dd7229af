import { isDeepStrictEqual } from 'node:util';
import {
  appointmentOf,
  appointmentShown,
  bodyOf,
  type Call,
  type Clinic,
  concerns,
  holds,
  plain,
} from './clinic.ts';
import type { Gate } from './gate.ts';
import { pageBy, queryOf } from './query.ts';
import type { Appointment, Slot } from './records.ts';
import { type Body, Refused, require } from './request.ts';

const media = 'application/json';
const statuses = ['requested', 'confirmed', 'attended', 'cancelled', 'lapsed'];

/** What a request came to: what it has made, or why it was refused. */
type Outcome = object | Refused;

/** Answers the repeat of a request with the same key as before, refusals too. */
class Repeats {
  readonly #kept = new Map<
    string,
    { readonly asked: Body; readonly untilMs: number; readonly outcome: Outcome }
  >();
  readonly #clinic: Clinic;

  constructor(clinic: Clinic) {
    this.#clinic = clinic;
  }

  once(call: Call, perform: () => object): object {
    const { practice, broken } = this.#clinic;
    const key = call.req.header('Idempotency-Key') ?? '';
    require(key !== '', 'no-repeat-key');
    const kept = `${broken('repeat-keys-shared') ? '' : call.var.actor.id} ${key}`;
    const asked = call.var.body;
    const nowMs = practice.now() / 1000;
    const before = this.#kept.get(kept);
    if (before !== undefined && nowMs < before.untilMs) {
      require(isDeepStrictEqual(before.asked, asked), 'repeat-key-used');
      call.header('Idempotent-Replayed', 'true');
      if (before.outcome instanceof Refused) throw before.outcome;
      return before.outcome;
    }
    const outcome = attempt(perform);
    if (!(outcome instanceof Refused && broken('refusal-forgotten')))
      this.#kept.set(kept, { asked, untilMs: nowMs + 3_600_000, outcome });
    if (outcome instanceof Refused) throw outcome;
    return outcome;
  }
}

function attempt(perform: () => object): Outcome {
  try {
    return perform();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

/** The slot that a body names. */
function slotIn({ practice }: Clinic, body: Body): Slot {
  const slot = practice.slots.get(Number(body['slot']));
  holds('slot', slot !== undefined, 'refers');
  return slot as Slot;
}

export function addAppointments(clinic: Clinic, gate: Gate): void {
  const { app, practice } = clinic;
  const repeats = new Repeats(clinic);
  const book = { scope: 'book', roles: ['patient'], media, isCounted: true } as const;
  app.post('/appointments', gate.opens(book), (call) => {
    const reason = { type: 'string', minLength: 1, maxLength: 200 } as const;
    const body = bodyOf(call, { slot: { type: 'integer' }, reason }, ['slot', 'reason']);
    const slot = slotIn(clinic, body);
    const made = repeats.once(call, () => {
      const appointment = practice.request(call.var.actor.id, slot, String(body['reason']));
      return appointmentShown(clinic, call, appointment);
    });
    const id = Reflect.get(made, 'id') as number;
    return call.json(made, 201, { Location: `/appointments/${id}` });
  });

  app.get('/appointments', gate.opens({ scope: 'read' }), (call) =>
    call.json(listAppointments(clinic, call)),
  );

  app.get('/appointments/:id', gate.opens({ scope: 'read' }), (call) => {
    const appointment = clinic.broken('appointment-of-others')
      ? practice.appointments.get(Number(call.req.param('id')))
      : appointmentOf(clinic, call);
    require(appointment !== undefined, 'no-appointment');
    plain(call);
    return call.json(appointmentShown(clinic, call, appointment));
  });
}

function listAppointments(clinic: Clinic, call: Call): object {
  const { practice, broken } = clinic;
  const { actor, search } = call.var;
  const query = queryOf(search, {
    status: { type: 'string', enum: statuses, many: true },
    doctor: { type: 'string' },
    patient: { type: 'string' },
    day: { type: 'string', format: 'date' },
    sort: { sort: ['requestedAt', 'start', 'status'] },
    limit: { type: 'integer', minimum: 1 },
    cursor: {},
  });
  const { doctor, patient, day, sort = '-requestedAt' } = query;
  const wanted = broken('last-status-alone')
    ? query['status']?.split(',').slice(-1)
    : query['status']?.split(',');
  const rows = [...practice.appointments.values()]
    .map((one) => ({ one, slot: practice.slotOf(one) }))
    .filter(
      ({ one, slot }) =>
        concerns(clinic, one, actor) &&
        (wanted === undefined || wanted.includes(one.status)) &&
        (doctor === undefined || slot.doctor === doctor) &&
        (patient === undefined || one.patient === patient) &&
        (day === undefined || slot.start.slice(0, 10) === day),
    )
    .map(({ one, slot: { start } }) => ({
      one,
      id: one.id,
      requestedAt: one.requestedAt,
      status: one.status,
      start,
    }));
  const order = [...sort.split(','), '-id'];
  const list = ['appointments', actor.id, sort, query['status'], doctor, patient, day].join();
  const { page, next } = pageBy(rows, { order, list, query }, broken('page-repeats'));
  return {
    appointments: page.map(({ one }) => appointmentShown(clinic, call, one)),
    next,
    total: rows.length,
  };
}

/** What becomes of an appointment. */
export function addVisits(clinic: Clinic, gate: Gate): void {
  const { app, practice, broken } = clinic;
  const shown = (call: Call, appointment: Appointment): Response =>
    call.json(appointmentShown(clinic, call, appointment));

  app.post('/appointments/:id/confirmation', gate.opens({}), (call) => {
    const appointment = appointmentOf(clinic, call);
    const { id, role } = call.var.actor;
    const isAllowed = practice.slotOf(appointment).doctor === id || role === 'staff';
    require(isAllowed || broken('confirmed-by-patient'), 'not-yours');
    plain(call);
    practice.confirm(appointment);
    return shown(call, appointment);
  });

  const change = { scope: 'book', roles: ['staff', 'patient'], media } as const;
  app.post('/appointments/:id/cancellation', gate.opens(change), (call) => {
    const appointment = appointmentOf(clinic, call);
    const reason = { type: 'string', minLength: 1, maxLength: 100 } as const;
    const body = bodyOf(call, { reason }, ['reason']);
    practice.cancel(appointment, call.var.actor, String(body['reason']));
    return shown(call, appointment);
  });

  app.post('/appointments/:id/attendance', gate.opens({ scope: 'treat', roles: ['doctor'] }), (call) => {
    const appointment = appointmentOf(clinic, call);
    plain(call);
    practice.attend(appointment);
    return shown(call, appointment);
  });

  const writes = gate.opens({ scope: 'treat', roles: ['doctor'], media });
  app.put('/appointments/:id/notes', writes, (call) => {
    const appointment = appointmentOf(clinic, call);
    const text = { type: 'string', maxLength: 1000 } as const;
    appointment.notes = String(bodyOf(call, { text }, ['text'])['text']);
    return shown(call, appointment);
  });

  const isNewer = async (call: Call, next: () => Promise<void>): Promise<Response | undefined> => {
    if (call.var.isOld && !broken('move-in-old')) return call.body(null, 404);
    await next();
    return undefined;
  };
  app.post('/appointments/:id/move', isNewer, gate.opens({ ...change, isCounted: true }), (call) => {
    const appointment = appointmentOf(clinic, call);
    const slot = slotIn(clinic, bodyOf(call, { slot: { type: 'integer' } }, ['slot']));
    practice.move(appointment, call.var.actor, slot);
    return shown(call, appointment);
  });
}
