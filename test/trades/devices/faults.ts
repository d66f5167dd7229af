import type { Fault, Step, Trade } from '../witness.ts';
import { hookFaults } from './hook-faults.ts';
import { start } from './service.ts';
import {
  acknowledges,
  alerts,
  commissions,
  device,
  does,
  fleet,
  inUse,
  owners,
  probe,
  reading,
  refused,
  release,
  reports,
  retires,
  sees,
  tagged,
  takenAt,
} from './steps.ts';

const registering: readonly Fault[] = [
  {
    id: 'serial-unanchored',
    statement: 'resources.Device.fields.serial.pattern',
    what: 'A serial number may have more before and after it.',
    witness: [
      ...owners('ann'),
      fleet(),
      refused('ann', 'POST /fleets/{fleet.id}/devices', 422, 'invalid', { ...probe, serial: 'PR0000012' }),
    ],
  },
  {
    id: 'label-in-units',
    statement: 'resources.Device.fields.label.maxLength',
    what: 'The length of a label is counted in units of UTF-16.',
    witness: [...owners('ann'), fleet(), device({ label: '\u{1F321}'.repeat(20) })],
  },
  {
    id: 'interval-default',
    statement: 'resources.Device.fields.interval.default',
    what: 'A device that states no interval has to report each minute.',
    witness: [
      ...owners('ann'),
      fleet(),
      does('ann', 'POST /fleets/{fleet.id}/devices', 201, { device: { interval: 300 } }, probe),
    ],
  },
  {
    id: 'bounds-edited',
    statement: 'resources.Device.invariants["the lower bound is below the upper bound"]',
    what: 'The bounds of a device are compared when it is registered, but not when it is changed.',
    witness: [
      ...owners('ann'),
      fleet(),
      device(),
      reading,
      tagged(refused('ann', 'PATCH /devices/PR000001', 409, 'bounds', { low: 100 }), '{seen#etag}'),
    ],
  },
  {
    id: 'fleet-name-exact',
    statement: 'resources.Fleet.unique[0].caseless',
    what: 'Two fleets of an owner have names that differ in letter case alone.',
    witness: [
      ...owners('ann'),
      fleet(),
      refused('ann', 'POST /fleets', 409, 'name_taken', { name: 'NORTH' }),
    ],
  },
  {
    id: 'fleet-of-retired-deleted',
    statement: 'resources.Device.fields.fleet.ifDeleted',
    what: 'A fleet is deleted although retired devices belong to it.',
    witness: [
      ...owners('ann'),
      fleet(),
      device(),
      retires(),
      refused('ann', 'DELETE /fleets/{fleet.id}', 409, 'in_use'),
    ],
  },
  {
    id: 'cursor-loses-ties',
    statement: 'endpoints["GET /devices"].request.query.cursor.page',
    what: 'A cursor keeps the values that the list is sorted by, and no more: devices with equal values are lost.',
    witness: [
      ...owners('ann'),
      fleet(),
      device(),
      device({ serial: 'PR000002' }),
      does('ann', 'GET /devices?sort=label&limit=1', 200, { total: 2 }, undefined, 'page'),
      sees('ann', '/devices?sort=label&limit=1&cursor={page.next}', { devices: [{ serial: 'PR000002' }] }),
    ],
  },
  {
    id: 'if-match-weak',
    statement: 'endpoints["PATCH /devices/{serial}"].conditional.ifMatch',
    what: 'A weak tag is taken for the strong tag of a device.',
    witness: [
      ...owners('ann'),
      fleet(),
      device(),
      reading,
      tagged(refused('ann', 'PATCH /devices/PR000001', 412, 'changed', { label: 'Attic' }), 'W/{seen#etag}'),
    ],
  },
  {
    id: 'other-fleet-forbidden',
    statement: 'errors.codes.other_fleet.as',
    what: 'Whoever registers a device in the fleet of another owner learns that the fleet exists.',
    witness: [
      ...owners('ann', 'bob'),
      fleet(),
      refused('bob', 'POST /fleets/{fleet.id}/devices', 404, 'no_fleet', probe),
    ],
  },
];

const devicesInUse: readonly Fault[] = [
  {
    id: 'retire-in-use',
    statement: 'states["Device.status"].transitions.retire.from',
    what: 'A device that was never in use cannot be retired.',
    witness: [...owners('ann'), fleet(), device(), retires()],
  },
  {
    id: 'due-not-renewed',
    statement: 'endpoints["POST /readings"].also[0].with.dueAt',
    what: 'A device counts as silent one interval after it was commissioned, although it reports.',
    witness: [
      ...inUse(),
      { wait: 200 },
      reports(20),
      { wait: 200 },
      sees('ann', '/devices/PR000001', { status: 'active' }),
    ],
  },
  {
    id: 'silent-stays',
    statement: 'endpoints["POST /readings"].also[1].recover',
    what: 'A silent device that reports again still counts as silent.',
    witness: [...inUse(), { wait: 301 }, reports(20), sees('ann', '/devices/PR000001', { status: 'active' })],
  },
  {
    id: 'old-token',
    statement: 'endpoints["POST /devices/{serial}/token"].does.with.token',
    what: 'The token of a device that was replaced is still good.',
    witness: [
      ...inUse(),
      does('ann', 'POST /devices/PR000001/token', 200),
      refused('probe', 'POST /readings', 401, 'bad_key', { value: 20, takenAt }),
    ],
  },
  {
    id: 'retired-reports',
    statement: 'authentication.authorization.report.rule',
    what: 'A device reports although it is retired.',
    witness: [
      ...inUse(),
      retires(),
      refused('probe', 'POST /readings', 403, 'not_in_use', { value: 20, takenAt }),
    ],
  },
  {
    id: 'same-build',
    statement: 'errors.codes.not_newer.when',
    what: 'A device is updated to the build that it has.',
    witness: [
      ...inUse(),
      release(1),
      refused('ann', 'POST /devices/PR000001/firmware', 409, 'not_newer', { build: 1 }),
    ],
  },
];

const readings: readonly Fault[] = [
  {
    id: 'taken-later',
    statement: 'resources.Reading.fields.takenAt.holds["it is not to come"]',
    what: 'A reading may be taken in the future.',
    witness: [
      ...inUse(),
      refused('probe', 'POST /readings', 422, 'invalid', { value: 20, takenAt: '{now+60}' }),
    ],
  },
  {
    id: 'high-at-bound',
    statement: 'endpoints["POST /readings"].does.with[1].verdict',
    what: 'A reading of exactly the upper bound counts as too high.',
    witness: [...inUse(), reports(100, { verdict: 'normal' })],
  },
  {
    id: 'second-alert',
    statement: 'endpoints["POST /readings"].does.with[1].raised',
    what: 'A device whose alert is not resolved gets another alert.',
    witness: [...inUse(), reports(101, { raised: true }), reports(102, { raised: false })],
  },
  {
    id: 'acknowledged-stays',
    statement: 'endpoints["POST /readings"].also[3].where',
    what: 'A reading within the bounds resolves open alerts, but none that was acknowledged.',
    witness: [
      ...inUse(),
      reports(101),
      alerts,
      acknowledges('ann'),
      reports(20),
      sees('ann', '/alerts', { alerts: [{ status: 'resolved' }] }),
    ],
  },
  {
    id: 'acknowledged-by-all',
    statement: 'endpoints["POST /alerts/{id}/acknowledgement"].does.where',
    what: 'An owner acknowledges the alerts of another owner.',
    witness: [
      ...inUse(),
      ...owners('bob'),
      reports(101),
      alerts,
      refused('bob', 'POST /alerts/{alerts.alerts.0.id}/acknowledgement', 404, 'no_alert', { note: 'Seen' }),
    ],
  },
  {
    id: 'resolved-again',
    statement: 'states["Alert.status"].transitions.resolve.from',
    what: 'An alert that is resolved is resolved once more.',
    witness: [
      ...inUse(),
      reports(101),
      alerts,
      does('ann', 'POST /alerts/{alerts.alerts.0.id}/resolution', 200, { status: 'resolved' }),
      refused('ann', 'POST /alerts/{alerts.alerts.0.id}/resolution', 409, 'wrong_status'),
    ],
  },
  {
    id: 'repeat-of-all',
    statement: 'endpoints["POST /readings"].idempotency.per',
    what: 'The key of a repeated reading is compared with the keys of all devices.',
    witness: [
      ...inUse(),
      device({ serial: 'PR000002' }),
      commissions('PR000002'),
      { ...reports(20, { device: 'PR000001' }), headers: { 'Idempotency-Key': 'k1' } } as Step,
      { ...reports(20, { device: 'PR000002' }, 'other'), headers: { 'Idempotency-Key': 'k1' } } as Step,
    ],
  },
  {
    id: 'rate-of-owner',
    statement: 'limits.rates.reporting.per',
    what: 'The readings of all devices of an owner are counted together.',
    witness: [
      ...inUse(),
      device({ serial: 'PR000002' }),
      commissions('PR000002'),
      reports(20),
      {
        ...reports(20, {}, 'other'),
        fields: { 'x-readings-left': '5' },
      } as Step,
    ],
  },
];

export const devices: Trade = {
  name: 'devices',
  document: new URL('devices.md', import.meta.url),
  start: ({ fault, now }) => start({ port: 0, fault, now }),
  credentials: {
    desk: { Authorization: 'Bearer key_desk-5d1c80e27fa94b36' },
    ann: { Authorization: 'Bearer {ann.key}' },
    bob: { Authorization: 'Bearer {bob.key}' },
    probe: { 'X-Device-Token': '{PR000001.token}' },
    other: { 'X-Device-Token': '{PR000002.token}' },
  },
  faults: [...registering, ...devicesInUse, ...readings, ...hookFaults],
};
