import { randomBytes, randomInt, randomUUID } from 'node:crypto';

export type Broken = (fault: string) => boolean;

export interface Account {
  readonly name: string;
  readonly role: 'owner' | 'support';
  readonly key: string;
}

export interface Fleet {
  readonly id: string;
  readonly owner: string;
  name: string;
  note: string;
  readonly createdAt: string;
}

export interface Release {
  readonly id: string;
  readonly model: string;
  readonly build: number;
  readonly notes: string;
  readonly publishedAt: string;
}

export interface Device {
  readonly serial: string;
  readonly fleet: string;
  readonly owner: string;
  readonly model: string;
  build: number;
  label: string;
  low: number;
  high: number;
  interval: number;
  token: string;
  status: 'registered' | 'active' | 'silent' | 'retired';
  lastValue: number | null;
  dueAt: string | null;
  commissionedAt: string | null;
  retiredAt: string | null;
  readonly registeredAt: string;
}

export interface Reading {
  readonly id: number;
  readonly device: string;
  readonly value: number;
  readonly takenAt: string;
  readonly verdict: 'normal' | 'low' | 'high';
  readonly raised: boolean;
  readonly at: string;
}

export interface Alert {
  readonly id: string;
  readonly device: string;
  readonly owner: string;
  readonly kind: 'low' | 'high';
  readonly value: number;
  note: string;
  status: 'open' | 'acknowledged' | 'resolved';
  acknowledgedBy: string | null;
  readonly raisedAt: string;
  resolvedAt: string | null;
}

export interface Hook {
  readonly id: string;
  readonly owner: string;
  url: string;
  kinds: readonly string[];
  readonly secret: string;
  status: 'active' | 'paused';
  readonly createdAt: string;
}

/** What happened, as hooks are told of it. */
export interface Event {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  readonly subject: string;
  readonly time: string;
  readonly data: object;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function random(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

const secondMicros = 1_000_000;

/** All that is known of devices, in memory. */
export class Registry {
  readonly accounts = new Map<string, Account>([
    ['desk', { name: 'desk', role: 'support', key: 'key_desk-5d1c80e27fa94b36' }],
  ]);
  readonly fleets = new Map<string, Fleet>();
  readonly releases: Release[] = [];
  readonly devices = new Map<string, Device>();
  readonly readings: Reading[] = [];
  readonly alerts = new Map<string, Alert>();
  readonly hooks = new Map<string, Hook>();
  /** Tokens that were replaced, where a fault keeps them. */
  readonly formerTokens = new Map<string, Device>();
  /** Hears of each event. */
  listener: (event: Event) => void = () => {};
  readonly cursorKey = randomBytes(16);
  readonly broken: Broken;
  readonly #clock: () => number;
  #latest = 0;

  constructor(clock: () => number, broken: Broken) {
    this.#clock = clock;
    this.broken = broken;
  }

  /** Milliseconds since 1970. */
  milliseconds(): number {
    return this.#clock();
  }

  /** Microseconds since 1970: the same for all that one request does, and later than for every request before. */
  now(): number {
    return this.#latest;
  }

  written(micros = this.now()): string {
    const fraction = String(micros - Math.floor(micros / secondMicros) * secondMicros).padStart(6, '0');
    return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -5)}.${fraction}Z`;
  }

  due(device: Device): string {
    return this.written(this.now() + device.interval * secondMicros);
  }

  tell(kind: string, { owner, subject }: Pick<Event, 'owner' | 'subject'>, data: object): void {
    this.listener({ id: randomUUID(), kind, owner, subject, time: this.written(), data });
  }

  tellOf(device: Device, kind: string, data: object): void {
    this.tell(kind, { owner: device.owner, subject: `devices/${device.serial}` }, data);
  }

  /** Finds the devices that have not reported in time. */
  settle(): void {
    this.#latest = Math.max(this.#clock() * 1000, this.#latest + 1);
    const now = this.written();
    for (const device of this.devices.values()) {
      if (device.status !== 'active' || device.dueAt === null || device.dueAt > now) continue;
      device.status = 'silent';
      if (!this.broken('silent-untold'))
        this.tellOf(device, 'device.silent', { serial: device.serial, since: device.dueAt });
    }
  }

  openAlerts(serial: string): readonly Alert[] {
    return [...this.alerts.values()].filter(
      ({ device, status }) => device === serial && status !== 'resolved',
    );
  }

  resolve(alert: Alert): void {
    alert.status = 'resolved';
    alert.resolvedAt = this.written();
    const data = { alert: alert.id, device: alert.device, kind: alert.kind };
    this.tell('alert.resolved', { owner: alert.owner, subject: `alerts/${alert.id}` }, data);
  }

  pause(hook: Hook): void {
    if (hook.status === 'paused') return;
    hook.status = 'paused';
    const subject = `hooks/${hook.id}`;
    this.tell('hook.paused', { owner: hook.owner, subject }, { hook: hook.id, url: hook.url });
  }

  showFleet(fleet: Fleet): object {
    const isIn = ({ fleet: id, status }: Device): boolean => id === fleet.id && status !== 'retired';
    const { createdAt, ...first } = fleet;
    return { ...first, devices: [...this.devices.values()].filter(isIn).length, createdAt };
  }

  showDevice({ token: _, ...device }: Device): object {
    return { ...device, alerts: this.openAlerts(device.serial).length };
  }

  showAlert({ owner: _, ...alert }: Alert): object {
    return alert;
  }

  showHook({ owner: _, secret, ...hook }: Hook, isNew = false): object {
    return isNew || this.broken('secret-shown') ? { ...hook, secret } : hook;
  }
}
