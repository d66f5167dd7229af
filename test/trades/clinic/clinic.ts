import type { Context, Hono } from 'hono';
import type { Courier } from './courier.ts';
import type { Practice } from './practice.ts';
import type { Appointment, Broken, Key, Person, Prescription, Slot } from './records.ts';
import { type Body, Failures, require, type Shape } from './request.ts';

/** What is known of a request once it has come in. */
export interface Variables {
  key: Key;
  actor: Person;
  body: Body;
  content: Buffer;
  /** Whether the request is of the version before. */
  isOld: boolean;
  search: string;
}

export type Call = Context<{ Variables: Variables }>;
export type App = Hono<{ Variables: Variables }>;

export interface Clinic {
  readonly app: App;
  readonly practice: Practice;
  readonly courier: Courier;
  readonly broken: Broken;
}

/** The number in the path, as an item has it. */
export function numbered<T>(items: ReadonlyMap<number, T>, call: Call): T | undefined {
  const id = call.req.param('id') ?? '';
  return /^(0|[1-9]\d*)$/.test(id) ? items.get(Number(id)) : undefined;
}

/** Judges the body of a request together with a query that has no parameters. */
export function bodyOf(
  call: Call,
  shapes: Readonly<Record<string, Shape>>,
  required: readonly string[],
): Body {
  const failures = new Failures();
  for (const name of new URLSearchParams(call.var.search).keys()) failures.add(name, 'others');
  failures.members(call.var.body, shapes, required);
  failures.end();
  return call.var.body;
}

/** Refuses the parameters of a query: the operation has none. */
export function plain(call: Call): void {
  const failures = new Failures();
  for (const name of new Set(new URLSearchParams(call.var.search).keys())) failures.add(name, 'others');
  failures.end();
}

/** Refuses a value that fits its shape and does not hold. */
export function holds(field: string, isTrue: boolean, keyword = 'holds'): void {
  if (isTrue) return;
  const failures = new Failures();
  failures.add(field, keyword);
  failures.end();
}

/** Whether somebody sees an appointment. */
export function concerns({ practice }: Clinic, one: Appointment, { id, role }: Person): boolean {
  return one.patient === id || practice.slotOf(one).doctor === id || role === 'staff';
}

export function appointmentOf(clinic: Clinic, call: Call): Appointment {
  const appointment = numbered(clinic.practice.appointments, call);
  require(appointment !== undefined && concerns(clinic, appointment, call.var.actor), 'no-appointment');
  return appointment;
}

// What is shown, in the version of the request

export function personShown({ practice }: Clinic, { var: { isOld } }: Call, person: Person): object {
  const name = isOld && { name: `${person.given} ${person.family}` };
  return { ...person, open: practice.openOf(person.id), ...name };
}

export function slotShown({ practice, broken }: Clinic, { var: { isOld } }: Call, slot: Slot): object {
  const { minutes, ...rest } = slot;
  const free = !practice.isTaken(slot.id);
  return { ...rest, ...(isOld && !broken('minutes-as-hours') ? { hours: minutes / 60 } : { minutes }), free };
}

export function appointmentShown(clinic: Clinic, call: Call, appointment: Appointment): object {
  const { notes, isReminded: _, judgedFor: __, ...rest } = appointment;
  const { doctor, start } = clinic.practice.slotOf(appointment);
  const { actor, isOld } = call.var;
  const isSeen = actor.id === doctor || (actor.role === 'staff' && clinic.broken('notes-for-staff'));
  const isDone = isOld && rest.status === 'attended';
  return { ...rest, doctor, start, ...(isDone && { status: 'done' }), ...(isSeen && { notes }) };
}

export function prescriptionText({ drug, dose, left, refills }: Prescription): string {
  return `${drug}, ${dose} (${left} of ${refills} refills left)`;
}
