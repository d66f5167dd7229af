import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Appointment,
  type Broken,
  dayMicros,
  type Event,
  isOpen,
  type Key,
  keys,
  microsOf,
  type Person,
  type Prescription,
  people,
  type Slot,
  written,
} from './records.ts';
import { require } from './request.ts';

/** Everything that the clinic keeps, in memory. Whoever uses it settles first what is due. */
export class Practice {
  readonly people = new Map<string, Person>();
  readonly keys = new Map<string, Key>();
  readonly slots = new Map<number, Slot>();
  readonly appointments = new Map<number, Appointment>();
  readonly prescriptions = new Map<number, Prescription>();
  readonly broken: Broken;
  onEvent: (event: Event) => void = () => {};
  readonly #clock: () => number;
  #slotsMade = 0;
  #latest = 0;

  constructor(broken: Broken, clock: () => number) {
    this.broken = broken;
    this.#clock = clock;
    for (const [id, role, given, family, email, born] of people) {
      const updatedAt = written(this.now());
      this.people.set(id, { id, role, given, family, email, phone: null, born, updatedAt });
    }
    for (const [index, [owner, name, scopes, token]] of keys.entries()) {
      const id = `00000000-0000-4000-8000-00000000000${index + 1}`;
      this.keys.set(id, { id, owner, name, scopes, token });
    }
  }

  /** Microseconds since 1970, later than ever before. */
  now(): number {
    this.#latest = Math.max(this.#clock() * 1000, this.#latest + 1);
    return this.#latest;
  }

  #emit(kind: string, { patient }: { readonly patient: string }, data: object): void {
    this.onEvent({ id: randomUUID(), kind, patient, at: written(this.now()), data });
  }

  // Timers

  /** When something happens by itself next, in milliseconds; null if nothing does. */
  due(): number | null {
    const times = this.#timers().map(({ at }) => Math.ceil(at / 1000));
    return times.length === 0 ? null : Math.min(...times);
  }

  settle(): void {
    const now = this.now();
    const due = this.#timers().filter(({ at }) => at <= now);
    for (const { fire } of due.sort((a, b) => a.at - b.at)) fire();
  }

  #timers(): { readonly at: number; readonly fire: () => void }[] {
    const appointments = [...this.appointments.values()];
    const lapses = appointments.filter(
      ({ status }) => status === 'requested' || (status === 'confirmed' && this.broken('confirmed-lapses')),
    );
    const reminders = appointments.filter((one) => !one.isReminded && one.judgedFor !== this.#remindAt(one));
    const active = [...this.prescriptions.values()].filter(({ status }) => status === 'active');
    return [
      ...lapses.map((one) => ({
        at: microsOf(one.requestedAt) + 2 * dayMicros,
        fire: () => {
          one.status = 'lapsed';
        },
      })),
      ...reminders.map((one) => ({ at: this.#remindAt(one), fire: () => this.#remind(one) })),
      ...active.map((one) => ({
        at: microsOf(one.writtenAt) + 90 * dayMicros,
        fire: () => {
          one.status = 'ended';
        },
      })),
    ];
  }

  #remindAt(appointment: Appointment): number {
    return microsOf(this.slotOf(appointment).start) - dayMicros;
  }

  #remind(appointment: Appointment): void {
    appointment.judgedFor = this.#remindAt(appointment);
    const isDue = appointment.status === 'confirmed' || this.broken('reminded-anyway');
    if (!isDue) return;
    appointment.isReminded = true;
    this.#emit('appointment.due', appointment, this.#toldOf(appointment));
  }

  #toldOf(appointment: Appointment): object {
    const { id, patient } = appointment;
    return { appointment: id, patient, start: this.slotOf(appointment).start };
  }

  // Keys

  addKey(owner: string, name: string, scopes: readonly string[]): Key {
    const token = `clk_${randomBytes(16).toString('hex')}`;
    const key: Key = { id: randomUUID(), owner, name, scopes, token };
    this.keys.set(key.id, key);
    return key;
  }

  // Slots

  slotOf({ slot }: Appointment): Slot {
    return this.slots.get(slot) as Slot;
  }

  openSlot(doctor: string, start: string, minutes: number): Slot {
    const from = microsOf(start);
    const to = from + minutes * 60_000_000;
    const others = [...this.slots.values()].filter((one) => one.doctor === doctor);
    const isTaken = (one: Slot): boolean => {
      const [first, last] = [microsOf(one.start), microsOf(one.end)];
      if (this.broken('overlap-of-starts')) return first <= from && from < last;
      return first < to && last > from;
    };
    require(!others.some(isTaken), 'overlap');
    this.#slotsMade += 1;
    const slot = { id: this.#slotsMade, doctor, start: written(from, 3), minutes, end: written(to, 3) };
    this.slots.set(slot.id, slot);
    return slot;
  }

  /** Whether another appointment has a slot. */
  isTaken(slot: number, except?: Appointment): boolean {
    return [...this.appointments.values()].some(
      (one) => one !== except && one.slot === slot && (isOpen(one) || one.status === 'attended'),
    );
  }

  // Appointments

  openOf(patient: string): number {
    return [...this.appointments.values()].filter((one) => one.patient === patient && isOpen(one)).length;
  }

  request(patient: string, slot: Slot, reason: string): Appointment {
    require(microsOf(slot.start) > this.now(), 'slot-over');
    require(!this.isTaken(slot.id), 'slot-taken');
    require(this.openOf(patient) < (this.broken('third-open') ? 3 : 2), 'too-many-open');
    const appointment: Appointment = {
      ...{ id: this.appointments.size + 1, slot: slot.id, patient, reason, status: 'requested', notes: '' },
      ...{ moves: 0, cancelled: null, requestedAt: written(this.now()), isReminded: false, judgedFor: 0 },
    };
    this.appointments.set(appointment.id, appointment);
    return appointment;
  }

  confirm(appointment: Appointment): void {
    require(appointment.status === 'requested', 'wrong-status');
    appointment.status = 'confirmed';
    this.#emit('appointment.confirmed', appointment, this.#toldOf(appointment));
  }

  attend(appointment: Appointment): void {
    require(appointment.status === 'confirmed', 'wrong-status');
    const hasBegun = microsOf(this.slotOf(appointment).start) <= this.now();
    require(hasBegun || this.broken('attended-early'), 'too-early');
    appointment.status = 'attended';
  }

  cancel(appointment: Appointment, by: Person, reason: string): void {
    if (by.role === 'patient' && isOpen(appointment) && !this.broken('cancelled-late'))
      this.#inTime(appointment);
    if (this.broken('refused-and-noted')) appointment.cancelled = reason;
    require(isOpen(appointment), 'wrong-status');
    const wasConfirmed = appointment.status === 'confirmed';
    appointment.status = 'cancelled';
    appointment.cancelled = reason;
    const { id } = appointment;
    this.#emit('appointment.cancelled', appointment, { appointment: id, by: by.role, reason, wasConfirmed });
  }

  #inTime(appointment: Appointment): void {
    const leftMicros = microsOf(this.slotOf(appointment).start) - this.now();
    require(leftMicros >= dayMicros, 'too-late');
  }

  move(appointment: Appointment, by: Person, slot: Slot): void {
    const isPatient = by.role === 'patient';
    require(microsOf(slot.start) > this.now(), 'slot-over');
    require(slot.doctor === this.slotOf(appointment).doctor ||
      this.broken('moved-to-other-doctor'), 'other-doctor');
    require(isOpen(appointment), 'closed');
    require(!isPatient || appointment.moves < 3, 'moved-enough');
    if (isPatient) this.#inTime(appointment);
    require(!this.isTaken(slot.id, appointment) || this.broken('moved-to-taken'), 'slot-taken');
    appointment.slot = slot.id;
    appointment.moves += 1;
  }

  // Prescriptions

  prescribe(
    { id, patient }: Appointment,
    doctor: string,
    given: Pick<Prescription, 'drug' | 'dose' | 'refills'>,
  ): Prescription {
    const { drug, dose, refills } = given;
    const prescription: Prescription = {
      ...{ id: this.prescriptions.size + 1, appointment: id, patient, doctor, drug, dose, refills },
      ...{ left: refills, lastAt: null, status: 'active', writtenAt: written(this.now()) },
    };
    this.prescriptions.set(prescription.id, prescription);
    return prescription;
  }

  refill(prescription: Prescription): void {
    const { lastAt, id } = prescription;
    require(prescription.status === 'active' || this.broken('revoked-refilled'), 'inactive');
    require(prescription.left > 0, 'none-left');
    const now = this.now();
    const isSoon = lastAt !== null && now - microsOf(lastAt) < 7 * dayMicros;
    require(!isSoon || this.broken('refilled-soon'), 'too-soon');
    prescription.left -= 1;
    prescription.lastAt = written(now);
    this.#emit('prescription.refilled', prescription, { prescription: id, left: prescription.left });
  }
}
