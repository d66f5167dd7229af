import { bodyOf, type Call, type Clinic, concerns, numbered, plain, prescriptionText } from './clinic.ts';
import { type Gate, preferred } from './gate.ts';
import { type Query, queryOf, sizeOf } from './query.ts';
import type { Appointment, Prescription } from './records.ts';
import { compare, Refused, require } from './request.ts';

const media = 'application/json';
const types = [media, 'text/plain'];

function isSeen({ patient, doctor }: Prescription, call: Call): boolean {
  const { id } = call.var.actor;
  return patient === id || doctor === id;
}

function prescriptionOf({ practice, broken }: Clinic, call: Call): Prescription {
  const prescription = numbered(practice.prescriptions, call);
  const isAny = call.req.method === 'DELETE' && broken('revoked-by-others');
  require(prescription !== undefined && (isSeen(prescription, call) || isAny), 'no-prescription');
  return prescription;
}

/** The appointment of the path, for the doctor who has it. Nobody else learns that it is there. */
function treatedBy(clinic: Clinic, call: Call): Appointment {
  const appointment = numbered(clinic.practice.appointments, call);
  const { actor, key } = call.var;
  const isTreated = appointment !== undefined && concerns(clinic, appointment, actor);
  const isAllowed = actor.role === 'doctor' && key.scopes.includes('treat');
  if (clinic.broken('visit-told')) require(isAllowed, 'forbidden');
  require(isTreated && isAllowed, 'no-appointment');
  return appointment;
}

export function addPrescriptions(clinic: Clinic, gate: Gate): void {
  const { app, practice, broken } = clinic;
  app.post('/appointments/:id/prescriptions', gate.opens({ media }), (call) => {
    const appointment = treatedBy(clinic, call);
    const text = { type: 'string', minLength: 1, maxLength: 60 } as const;
    const refills = { type: 'integer', minimum: 0, maximum: 5 } as const;
    const body = bodyOf(call, { drug: text, dose: text, refills }, ['drug', 'dose']);
    require(appointment.status === 'attended' || broken('prescribed-unseen'), 'not-attended');
    const given = { refills: 0, ...body } as Pick<Prescription, 'drug' | 'dose' | 'refills'>;
    const prescription = practice.prescribe(appointment, call.var.actor.id, given);
    return call.json(prescription, 201, { Location: `/prescriptions/${prescription.id}` });
  });

  app.get('/prescriptions', gate.opens({ scope: 'read' }), (call) => listPrescriptions(clinic, call));

  app.get('/prescriptions/:id', gate.opens({ scope: 'read', accepts: types }), (call) => {
    const prescription = prescriptionOf(clinic, call);
    plain(call);
    call.header('Vary', 'Accept');
    const accept = broken('weights-ignored')
      ? call.req.header('Accept')?.replaceAll(/;q=[\d.]+/g, '')
      : call.req.header('Accept');
    const isText = preferred(accept, types) === 'text/plain';
    return isText
      ? call.body(prescriptionText(prescription), 200, { 'Content-Type': 'text/plain' })
      : call.json(prescription);
  });

  app.post('/prescriptions/:id/refills', gate.opens({ scope: 'book', roles: ['patient'] }), (call) => {
    const prescription = prescriptionOf(clinic, call);
    plain(call);
    practice.refill(prescription);
    return call.json(prescription);
  });

  app.delete(
    '/prescriptions/:id',
    gate.opens({ scope: 'treat', roles: ['doctor'], accepts: null }),
    (call) => {
      const prescription = prescriptionOf(clinic, call);
      plain(call);
      if (prescription.status !== 'active') throw new Refused('wrong-status');
      prescription.status = 'revoked';
      return call.body(null, 204);
    },
  );
}

function listPrescriptions({ practice, broken }: Clinic, call: Call): Response {
  const query = queryOf(call.var.search, {
    status: { type: 'string', enum: ['active', 'revoked', 'ended'] },
    left: { type: 'boolean' },
    limit: { type: 'integer', minimum: 1 },
    offset: { type: 'integer', minimum: 0 },
  });
  const { status, left } = query;
  const found = [...practice.prescriptions.values()]
    .filter(
      (one) =>
        isSeen(one, call) &&
        (status === undefined || one.status === status) &&
        (left === undefined || one.left > 0 === (left === 'true')),
    )
    .sort((a, b) => compare(b.writtenAt, a.writtenAt));
  const size = sizeOf(query);
  const offset = Number(query['offset'] ?? 0);
  const total = broken('links-of-page') ? Math.min(found.length, size) : found.length;
  call.header('Link', linksOf(call.var.search, { query, size, offset, total }));
  return call.json(found.slice(offset, offset + size));
}

/** The pages around a page (RFC 8288). */
function linksOf(
  search: string,
  { size, offset, total }: { query: Query; size: number; offset: number; total: number },
): string {
  const parts = search.split('&').filter((part) => part !== '' && !/^offset=/.test(part));
  const link = (rel: string, at: number): string =>
    `<${`/prescriptions?${[...parts, `offset=${at}`].join('&')}`}>; rel="${rel}"`;
  const last = Math.max(0, Math.ceil(total / size) - 1) * size;
  return [
    link('first', 0),
    ...(offset > 0 && total > 0 ? [link('prev', Math.max(0, offset - size))] : []),
    ...(offset + size < total ? [link('next', offset + size)] : []),
    link('last', last),
  ].join(', ');
}
