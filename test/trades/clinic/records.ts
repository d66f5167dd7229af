export interface Person {
  readonly id: string;
  readonly role: 'doctor' | 'patient' | 'staff';
  given: string;
  family: string;
  readonly email: string;
  phone?: string | null;
  readonly born: string;
  updatedAt: string;
}

export interface Key {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly token: string;
}

export interface Slot {
  readonly id: number;
  readonly doctor: string;
  readonly start: string;
  readonly minutes: number;
  readonly end: string;
}

export interface Appointment {
  readonly id: number;
  slot: number;
  readonly patient: string;
  readonly reason: string;
  status: 'requested' | 'confirmed' | 'attended' | 'cancelled' | 'lapsed';
  notes: string;
  moves: number;
  cancelled: string | null;
  readonly requestedAt: string;
  isReminded: boolean;
  /** For which time it was judged whether a reminder is due, in milliseconds. */
  judgedFor: number;
}

export interface Prescription {
  readonly id: number;
  readonly appointment: number;
  readonly patient: string;
  readonly doctor: string;
  readonly drug: string;
  readonly dose: string;
  readonly refills: number;
  left: number;
  lastAt: string | null;
  status: 'active' | 'revoked' | 'ended';
  readonly writtenAt: string;
}

/** What is told of an appointment or a prescription. */
export interface Event {
  readonly id: string;
  readonly kind: string;
  readonly patient: string;
  readonly at: string;
  readonly data: object;
}

export type Broken = (fault: string) => boolean;

export const dayMicros = 86_400_000_000;

export const people = [
  ['S0001', 'staff', 'Sam', 'Stone', 'sam@clinic.example', '1980-01-01'],
  ['D0001', 'doctor', 'Dora', 'Day', 'dora@clinic.example', '1970-02-02'],
  ['D0002', 'doctor', 'Drew', 'Dean', 'drew@clinic.example', '1975-03-03'],
  ['P0001', 'patient', 'Pia', 'Park', 'pia@mail.example', '1990-04-04'],
  ['P0002', 'patient', 'Paul', 'Penn', 'paul@mail.example', '2001-05-05'],
] as const;

export const keys = [
  ['S0001', 'desk', ['read', 'book', 'manage'], 'clk_sam_0f2e9d'],
  ['D0001', 'ward', ['read', 'treat', 'manage'], 'clk_dora_7ab31c'],
  ['D0002', 'ward', ['read', 'treat', 'manage'], 'clk_drew_5d04e8'],
  ['P0001', 'phone', ['read', 'book', 'manage'], 'clk_pia_c3917f'],
  ['P0002', 'phone', ['read', 'book'], 'clk_paul_88b6a2'],
  ['P0001', 'watch', ['read'], 'clk_watch_41d5e0'],
] as const;

export const isOpen = ({ status }: Appointment): boolean => status === 'requested' || status === 'confirmed';

/** A time in microseconds, with that many digits of a second. */
export function written(micros: number, digits = 6): string {
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${fraction.slice(0, digits)}Z`;
}

/** The microseconds of a time of RFC 3339. */
export function microsOf(time: string): number {
  const [, whole = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(time.toUpperCase()) ?? [];
  return Date.parse(`${whole}${zone}`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
