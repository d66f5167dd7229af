import { type Alert, type Device, type Reading, type Registry, random } from './registry.ts';
import {
  check,
  compare,
  digits,
  instantOf,
  integer,
  oneOf,
  pageOf,
  query,
  Refused,
  require,
  text,
  time,
  word,
} from './request.ts';
import type { Answer, Call, Report, Routes } from './route.ts';

const windowMicros = 60_000_000;
const mostInWindow = 6;
const lifeMicros = 3_600_000_000;

/** At most six readings of a device in a minute: a window begins with its first reading. */
export function pace(registry: Registry): (device: Device) => Readonly<Record<string, string>> {
  const windows = new Map<string, { readonly ends: number; count: number }>();
  return (device) => {
    const now = registry.now();
    const key = registry.broken('rate-of-owner') ? device.owner : device.serial;
    const open = windows.get(key);
    const window = open !== undefined && now < open.ends ? open : { ends: now + windowMicros, count: 0 };
    windows.set(key, window);
    if (window.count >= mostInWindow) {
      const seconds = Math.ceil((window.ends - now) / 1_000_000);
      throw new Refused('too_many', { 'X-Readings-Left': '0', 'Retry-After': String(seconds) });
    }
    window.count += 1;
    return { 'X-Readings-Left': String(mostInWindow - window.count) };
  };
}

interface Repeat {
  readonly content: string;
  readonly answer: Answer;
  readonly ends: number;
}

/** What `POST /readings` does. */
export function reporting(registry: Registry): (report: Report) => Answer {
  const repeats = new Map<string, Repeat>();
  return ({ device, search, body, headers }) => {
    const isUsed = device.status === 'active' || device.status === 'silent';
    require(isUsed || (registry.broken('retired-reports') && device.status === 'retired'), 'not_in_use');
    query(search);
    check(body, { value: integer(-10_000, 10_000), takenAt: time }, ['value', 'takenAt']);
    const now = registry.now();
    const takenAt = String(body['takenAt']);
    const isPast = String(instantOf(takenAt)) <= String(instantOf(registry.written(now)));
    require(isPast || registry.broken('taken-later'), 'invalid');
    const field = headers['idempotency-key'] || undefined;
    const key = registry.broken('repeat-of-all') ? String(field) : `${device.serial} ${field}`;
    const content = JSON.stringify([body['value'], takenAt]);
    const repeat = field === undefined ? undefined : repeats.get(key);
    if (repeat !== undefined && now < repeat.ends) {
      require(repeat.content === content, 'key_reused');
      return { ...repeat.answer, headers: { 'Idempotent-Replayed': 'true' } };
    }
    const reading = take(registry, device, Number(body['value']), takenAt);
    const answer = { status: 201, body: reading };
    if (field !== undefined) repeats.set(key, { content, answer, ends: now + lifeMicros });
    return answer;
  };
}

function take(registry: Registry, device: Device, value: number, takenAt: string): Reading {
  const { broken } = registry;
  const isHigh = value > device.high || (broken('high-at-bound') && value === device.high);
  const verdict = value < device.low ? 'low' : isHigh ? 'high' : 'normal';
  const open = registry.openAlerts(device.serial);
  const raised = verdict !== 'normal' && (open.length === 0 || broken('second-alert'));
  const { serial } = device;
  const reading: Reading = {
    ...{ id: registry.readings.length + 1, device: serial, value, takenAt, verdict, raised },
    at: registry.written(),
  };
  registry.readings.push(reading);
  device.lastValue = value;
  if (!broken('due-not-renewed')) device.dueAt = registry.due(device);
  if (raised) {
    const data = { device: serial, kind: verdict, value };
    registry.tellOf(device, 'alert.raised', data);
    if (broken('raised-twice')) registry.tellOf(device, 'alert.raised', data);
  }
  if (device.status === 'silent' && !broken('silent-stays')) {
    device.status = 'active';
    registry.tellOf(device, 'device.recovered', { serial, value });
  }
  if (raised) raise(registry, device, verdict, value);
  if (verdict === 'normal')
    for (const alert of open)
      if (alert.status === 'open' || !broken('acknowledged-stays')) registry.resolve(alert);
  return reading;
}

function raise(registry: Registry, device: Device, kind: Alert['kind'], value: number): void {
  const alert: Alert = {
    ...{ id: `alt_${random(12)}`, device: device.serial, owner: device.owner, kind, value, note: '' },
    ...{ status: 'open', acknowledgedBy: null, raisedAt: registry.written(), resolvedAt: null },
  };
  registry.alerts.set(alert.id, alert);
}

export function alertRoutes(registry: Registry): Routes {
  const { alerts, broken } = registry;
  /** The alert of the path, if the client may see it. */
  const alertIn = ({ actor, params }: Call): Alert => {
    const alert = alerts.get(params['id'] ?? '');
    require(alert !== undefined, 'no_alert');
    require(alert.owner === actor.name || actor.role === 'support', 'no_alert');
    return alert;
  };

  return {
    'GET /alerts': {
      handle: ({ actor, search }) => {
        const status = oneOf('open', 'acknowledged', 'resolved');
        const given = query(search, { status, device: word, limit: digits(1, 50), page: digits(1) });
        const found = [...alerts.values()]
          .filter(({ owner }) => owner === actor.name || actor.role === 'support')
          .filter((one) => given['status'] === undefined || one.status === given['status'])
          .filter((one) => given['device'] === undefined || one.device === given['device'])
          .sort((a, b) => compare(b.raisedAt, a.raisedAt) || compare(a.id, b.id));
        const page = pageOf(found, given, 10).map((alert) => registry.showAlert(alert));
        return { status: 200, body: { alerts: page, page: Number(given['page'] ?? 1), total: found.length } };
      },
    },

    'GET /alerts/:id': {
      handle: (call) => {
        const alert = alertIn(call);
        query(call.search);
        return { status: 200, body: registry.showAlert(alert) };
      },
    },

    'POST /alerts/:id/acknowledgement': {
      hasBody: true,
      handle: (call) => {
        const known = broken('acknowledged-by-all') ? alerts.get(call.params['id'] ?? '') : undefined;
        const alert = known ?? alertIn(call);
        query(call.search);
        check(call.body, { note: text(0, 100) }, ['note']);
        require(alert.status === 'open', 'wrong_status');
        alert.status = 'acknowledged';
        alert.acknowledgedBy = call.actor.name;
        alert.note = String(call.body['note']);
        const { id, device, acknowledgedBy: by, note, owner } = alert;
        registry.tell(
          'alert.acknowledged',
          { owner, subject: `alerts/${id}` },
          { alert: id, device, by, note },
        );
        return { status: 200, body: registry.showAlert(alert) };
      },
    },

    'POST /alerts/:id/resolution': {
      handle: (call) => {
        const alert = alertIn(call);
        query(call.search);
        require(alert.status !== 'resolved' || broken('resolved-again'), 'wrong_status');
        registry.resolve(alert);
        return { status: 200, body: registry.showAlert(alert) };
      },
    },
  };
}
