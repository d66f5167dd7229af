import { createServer, type IncomingMessage } from 'node:http';

const fault = process.env['FAULT'];

interface Vehicle {
  id: string;
  plate: string;
  model: string;
  odometer: number;
  status: 'available' | 'on_trip';
  note: string | null;
}
interface Trip {
  id: string;
  vehicleId: string;
  driver: string;
  startedAt: string;
  endedAt: string | null;
  distance: number | null;
}

let vehicles: Vehicle[] = [
  { id: 'v1', plate: 'KB-1000', model: 'Sprinter', odometer: 51200, status: 'on_trip', note: null },
  { id: 'v2', plate: 'KB-1001', model: 'Transit', odometer: 800, status: 'available', note: null },
];
let trips: Trip[] = [
  {
    id: 't1',
    vehicleId: 'v1',
    driver: 'R. Okafor',
    startedAt: '2030-01-01T06:00:00Z',
    endedAt: null,
    distance: null,
  },
];
let made = 2;
let tripsMade = 1;

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Body = Record<string, unknown>;
type Answer = [status: number, body?: unknown];

const check = (isRight: boolean, message: string): void => {
  if (!isRight) throw new Refusal(400, message);
};
const isText = (value: unknown, most: number, least = 1): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isNote = (value: unknown): boolean => value == null || isText(value, 200, 0);

const vehicleOf = (id: string): Vehicle => {
  const vehicle = vehicles.find((each) => each.id === id);
  if (vehicle === undefined) throw new Refusal(404, 'no such vehicle');
  return vehicle;
};

function addVehicle(body: Body): Answer {
  const { plate, model, odometer = 0, note = null, ...rest } = body;
  check(Object.keys(rest).length === 0, 'unknown members');
  check(typeof plate === 'string' && /^[A-Z]{2}-[0-9]{3,4}$/.test(plate), 'plate');
  check(isText(model, 40), 'model');
  check(isCount(odometer, 1_000_000), 'odometer');
  check(isNote(note), 'note');
  if (vehicles.some((each) => each.plate === plate)) throw new Refusal(409, 'the plate is known');
  made = fault === 'ids-reused' ? vehicles.length + 1 : made + 1;
  const vehicle = { id: `v${made}`, plate, model, odometer, status: 'available', note } as Vehicle;
  vehicles.push(vehicle);
  return [201, vehicle];
}

function changeVehicle(id: string, body: Body): Answer {
  const vehicle = vehicleOf(id);
  const { model, note, ...rest } = body;
  check(Object.keys(rest).length === 0, 'unknown members');
  check(!('model' in body) || isText(model, 40), 'model');
  check(isNote(note), 'note');
  const target = fault === 'patch-of-copy' ? { ...vehicle } : vehicle;
  if (fault === 'patch-clears-note') target.note = null;
  Object.assign(target, body);
  return [200, target];
}

function removeVehicle(id: string): Answer {
  const vehicle = vehicleOf(id);
  if (vehicle.status === 'on_trip' && fault !== 'remove-on-trip')
    throw new Refusal(409, 'the vehicle is on a trip');
  if (fault === 'remove-next') vehicles.splice(vehicles.indexOf(vehicle), 2);
  else vehicles = vehicles.filter((each) => each !== vehicle);
  trips = trips.filter((trip) => trip.vehicleId !== id);
  return [204];
}

function startTrip(id: string, body: Body): Answer {
  const vehicle = vehicleOf(id);
  check(isText(body['driver'], 60), 'driver');
  if (vehicle.status === 'on_trip' && fault !== 'start-twice')
    throw new Refusal(409, 'the vehicle is on a trip');
  tripsMade += 1;
  const trip: Trip = {
    id: `t${tripsMade}`,
    vehicleId: id,
    driver: body['driver'] as string,
    startedAt: new Date().toISOString(),
    endedAt: null,
    distance: null,
  };
  trips.push(trip);
  if (fault !== 'start-keeps-status') vehicle.status = 'on_trip';
  return [201, trip];
}

function endTrip(id: string, body: Body): Answer {
  const trip = trips.find((each) => each.id === id);
  if (trip === undefined) throw new Refusal(404, 'no such trip');
  const vehicle = vehicleOf(trip.vehicleId);
  const odometer = body['odometer'] as number;
  check(isCount(odometer, 2_000_000), 'odometer');
  if (trip.endedAt !== null) throw new Refusal(409, 'the trip has ended');
  if (odometer < vehicle.odometer) throw new Refusal(422, 'the odometer went back');
  trip.distance = odometer - vehicle.odometer;
  trip.endedAt = new Date().toISOString();
  if (fault !== 'odometer-kept') vehicle.odometer = odometer;
  if (fault === 'end-frees-all') for (const each of vehicles) each.status = 'available';
  if (fault !== 'end-keeps-status') vehicle.status = 'available';
  return [200, trip];
}

function listVehicles(query: URLSearchParams): Answer {
  const status = query.get('status');
  check(status === null || status === 'available' || status === 'on_trip', 'status');
  return [200, { vehicles: vehicles.filter((each) => status === null || each.status === status) }];
}

function listTrips(id: string): Answer {
  vehicleOf(id);
  const own = trips.filter((trip) => fault === 'trips-of-all' || trip.vehicleId === id);
  return [200, fault === 'trips-oldest-first' ? own : own.reverse()];
}

function route(method: string, url: URL, body: () => Body): Answer {
  const [, first, id = '', last] =
    /^\/(vehicles|trips)(?:\/([^/]+))?(?:\/(trips|end))?$/.exec(url.pathname) ?? [];
  switch (`${method} ${first}${id && '/ID'}${last ? `/${last}` : ''}`) {
    case 'GET vehicles':
      return listVehicles(url.searchParams);
    case 'POST vehicles':
      return addVehicle(body());
    case 'GET vehicles/ID':
      return [200, vehicleOf(id)];
    case 'PATCH vehicles/ID':
      return changeVehicle(id, body());
    case 'DELETE vehicles/ID':
      return removeVehicle(id);
    case 'GET vehicles/ID/trips':
      return listTrips(id);
    case 'POST vehicles/ID/trips':
      return startTrip(id, body());
    case 'POST trips/ID/end':
      return endTrip(id, body());
    default:
      throw new Refusal(404, 'no such path');
  }
}

async function answer(request: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  try {
    if (request.headers['x-fleet-key'] !== 'fleet-secret') throw new Refusal(401, 'send a valid key');
    return route(request.method!, new URL(request.url!, 'http://fleet'), () => {
      try {
        const body: unknown = JSON.parse(text);
        if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
      } catch {}
      throw new Refusal(400, 'the body must be a JSON object');
    });
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500;
    return [status, { title: (error as Error).message, status }];
  }
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request);
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
