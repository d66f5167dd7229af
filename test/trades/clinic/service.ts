import type { Server } from 'node:http';
import { parseArgs } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { listening } from '../../listening.ts';
import type { Running } from '../witness.ts';
import { addAppointments, addVisits } from './appointment-routes.ts';
import type { Call, Clinic, Variables } from './clinic.ts';
import { Courier } from './courier.ts';
import { elsewhere, Gate, isMiscoded, versions } from './gate.ts';
import { addHooks } from './hook-routes.ts';
import { addKeys, addPatients } from './patient-routes.ts';
import { Practice } from './practice.ts';
import { addPrescriptions } from './prescription-routes.ts';
import type { Broken } from './records.ts';
import { Refused } from './request.ts';
import { addSlots } from './slot-routes.ts';

interface Options {
  readonly fault: string | null;
  readonly now: () => number;
}

function onError(error: Error, call: Call): Response {
  if (!(error instanceof Refused)) return call.body(null, 500);
  if (error.status === 401) call.header('WWW-Authenticate', 'Bearer');
  const content = JSON.stringify(error.body);
  return call.body(content, error.status as 400, { 'Content-Type': 'application/problem+json' });
}

/** The application, with one planted fault or none. */
function build(broken: Broken, now: () => number): Clinic {
  const practice = new Practice(broken, now);
  const courier = new Courier(broken, now);
  practice.onEvent = (event) => courier.tell(event, practice.people);
  const app = new Hono<{ Variables: Variables }>();
  const clinic: Clinic = { app, practice, courier, broken };
  const gate = new Gate(clinic);
  app.onError(onError);
  app.use(versions(clinic));
  app.use(async (call, next) => {
    const { pathname } = new URL(call.req.url);
    call.set('search', /\?([^#]*)/.exec(call.req.url)?.[1] ?? '');
    if (isMiscoded(pathname)) throw new Refused('unreadable');
    await next();
  });
  for (const add of [addKeys, addPatients, addSlots, addAppointments, addVisits, addPrescriptions, addHooks])
    add(clinic, gate);
  elsewhere(app);
  app.notFound((call) => call.body(null, 404));
  return clinic;
}

/** Starts the service, with one planted fault or none. */
export async function start({ fault, now }: Options): Promise<Running> {
  const { app, practice, courier } = build((id) => id === fault, now);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const sweep = setInterval(() => {
    practice.settle();
    courier.settle();
  }, 10);
  const { url, close } = await listening(server);
  return {
    address: url,
    isBusy: () => courier.isBusy,
    due: () => {
      const times = [practice.due(), courier.due()].filter((time) => time !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
    close: async () => {
      clearInterval(sweep);
      courier.close();
      await close();
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { fault: { type: 'string' } } });
  const { address } = await start({ fault: values.fault ?? null, now: Date.now });
  console.log(address);
}
