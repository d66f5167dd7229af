import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Running } from '../listening.ts';
import { isObject, type Members, Refusal, readJson, serve } from './kit.ts';

/**
 * The service of `test/documents/events/office.yaml`, written from the document alone: bare `node:http`, and the text of
 * Standard Webhooks 1.0. One fault can be planted in it at a time.
 */

export const faults = [
  'an event is forgotten',
  'an event of the last parcel is forgotten',
  'what is refused is told of',
  'an event is sent twice under two ids',
  'an event tells something else',
  'an event is of another kind',
  'an event is about something else',
  'what happens to a parcel is told of in the wrong order',
  'a note is told of',
  'the signature is of something else',
  'the signature is by another key',
  'nothing is signed',
  'the header field is left out',
  'the media type is another',
  'the hooks of others are sent to',
  'hooks are sent kinds that they do not want',
  'what was not taken is not sent again',
  'what was not taken is sent again at once',
  'what is sent again has another id',
  'a redirect is followed',
  'a stated success is sent again',
  'another success ends the attempts',
  'the second pause is left out',
  'the second pause is short',
  'it is tried once too often',
  'no answer is waited for without end',
  'a hook that fails is kept',
] as const;

export type Fault = (typeof faults)[number];

interface Event {
  readonly id: string;
  readonly kind: string;
  readonly content: string;
}

const kinds = ['parcel.added', 'parcel.sized', 'parcel.removed'];

export async function startOffice(fault: Fault | null = null): Promise<Running> {
  const accounts = new Map<string, Members>();
  const parcels = new Map<string, Members>();
  const hooks = new Map<string, Members>();
  const lines = new Map<string, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let held: { kind: string; parcel: Members; data: Members } | null = null;
  let serviceUrl = '';

  const sign = (id: string, at: number, content: string, key: string): string => {
    const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
    const by = fault === 'the signature is by another key' ? Buffer.from('another key of theirs') : bytes;
    const over = `${id}.${at}.${content}${fault === 'the signature is of something else' ? ' ' : ''}`;
    return `v1,${createHmac('sha256', by).update(over).digest('base64')}`;
  };
  /** Posts an event; resolved with the status of the answer, and where it sends on to. */
  const post = (url: string, { id, kind, content }: Event, key: string) =>
    new Promise<{ status: number; location: string | undefined }>((resolve) => {
      const at = Math.floor(Date.now() / 1000);
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent: false,
          headers: {
            'Content-Type':
              fault === 'the media type is another' ? 'application/json' : 'application/cloudevents+json',
            'Content-Length': Buffer.byteLength(content),
            ...(fault !== 'the header field is left out' && { 'X-Kind': kind }),
            ...(fault !== 'nothing is signed' && {
              'webhook-id': id,
              'webhook-timestamp': String(at),
              'webhook-signature': sign(id, at, content, key),
            }),
          },
        },
        (incoming) => {
          outgoing.setTimeout(0);
          incoming.resume();
          resolve({ status: incoming.statusCode ?? 0, location: incoming.headers.location });
        },
      );
      outgoing.on('error', () => resolve({ status: 0, location: undefined }));
      if (fault !== 'no answer is waited for without end')
        outgoing.setTimeout(1000, () => outgoing.destroy(new Error('no answer')));
      outgoing.end(content);
    });
  const attempt = async (hook: Members, event: Event, tries: number): Promise<void> => {
    const { status, location } = await post(String(hook['url']), event, String(hook['secret']));
    if (location !== undefined && fault === 'a redirect is followed')
      await post(location, event, String(hook['secret']));
    const isTaken =
      fault === 'another success ends the attempts'
        ? status >= 200 && status < 300
        : status === 200 || (status === 204 && fault !== 'a stated success is sent again');
    const most =
      fault === 'the second pause is left out' ? 2 : fault === 'it is tried once too often' ? 4 : 3;
    if (isTaken || fault === 'what was not taken is not sent again') return;
    if (tries >= most) {
      if (fault !== 'a hook that fails is kept') hook['status'] = 'lost';
      return;
    }
    const again =
      fault === 'what is sent again has another id' ? wrapped(JSON.parse(event.content) as Members) : event;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void attempt(hook, again, tries + 1);
      },
      fault === 'what was not taken is sent again at once' ||
        (fault === 'the second pause is short' && tries === 2)
        ? 5
        : 200,
    );
    timers.add(timer);
  };
  const wrapped = ({ type, subject, data }: Members): Event => {
    const id = randomUUID();
    const time = new Date().toISOString();
    const about = { specversion: '1.0', id, source: `${serviceUrl}/office`, type, subject, time };
    return {
      id,
      kind: String(type),
      content: JSON.stringify({ ...about, datacontenttype: 'application/json', data }),
    };
  };
  const send = (kind: string, parcel: Members, data: Members): void => {
    const said = fault === 'an event is of another kind' ? `${kind}ed` : kind;
    const subject = fault === 'an event is about something else' ? 'parcels/x' : `parcels/${parcel['id']}`;
    const told = fault === 'an event tells something else' ? { ...data, id: randomUUID() } : data;
    const event = wrapped({ type: said, subject, data: told });
    for (const hook of hooks.values()) {
      const isOwn = hook['owner'] === parcel['owner'] || fault === 'the hooks of others are sent to';
      const isWanted =
        (hook['kinds'] as string[]).includes(kind) || fault === 'hooks are sent kinds that they do not want';
      if (!isOwn || !isWanted) continue;
      // The tester listens here, and nothing else is to be asked.
      if (!String(hook['url']).startsWith('http://127.0.0.1:')) continue;
      const line = `${hook['id']} ${parcel['id']}`;
      lines.set(
        line,
        (lines.get(line) ?? Promise.resolve()).then(() => attempt(hook, event, 1)),
      );
    }
  };
  let last: unknown;
  const tell = (kind: string, parcel: Members, data: Members): void => {
    if (fault === 'an event is forgotten' && kind === 'parcel.sized') return;
    if (
      fault === 'an event of the last parcel is forgotten' &&
      kind === 'parcel.removed' &&
      parcel['id'] === last
    )
      return;
    if (fault === 'what happens to a parcel is told of in the wrong order' && kind === 'parcel.added') {
      held = { kind, parcel, data };
      timers.add(setTimeout(flush, 100));
      return;
    }
    send(kind, parcel, data);
    if (fault === 'an event is sent twice under two ids') send(kind, parcel, data);
    flush();
  };
  const flush = (): void => {
    const late = held;
    held = null;
    if (late) send(late.kind, late.parcel, late.data);
  };
  const refuse = (status: number): never => {
    throw new Refusal({ status });
  };
  const isSize = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 99;
  const isNote = (value: unknown): value is string => typeof value === 'string' && [...value].length <= 20;

  const running = await serve(({ method, path, segments: [first = '', id = '', what], content }, url) => {
    serviceUrl = url;
    const body = (): Members => {
      const found = readJson(content);
      return isObject(found) ? found : refuse(400);
    };
    const parcelOf = (): Members => parcels.get(id) ?? refuse(404);
    if (method === 'POST' && path === '/accounts') {
      const account = { id: randomUUID() };
      accounts.set(account.id, account);
      return { status: 201, body: account };
    }
    if (method === 'POST' && path === '/parcels') {
      const { owner, size, note } = body();
      const isGood = accounts.has(String(owner)) && isSize(size) && (note === undefined || isNote(note));
      const parcel: Members = { id: randomUUID(), owner, size, ...(note !== undefined && { note }) };
      if (!isGood) {
        if (fault === 'what is refused is told of' && accounts.has(String(owner)))
          tell('parcel.added', parcel, { id: parcel['id'], size: 0 });
        refuse(400);
      }
      last = parcel['id'];
      parcels.set(String(parcel['id']), parcel);
      tell('parcel.added', parcel, { id: parcel['id'], size });
      return { status: 201, body: parcel };
    }
    if (method === 'POST' && path === '/hooks') {
      const { owner, url: to, kinds: wanted } = body();
      const isGood =
        accounts.has(String(owner)) &&
        typeof to === 'string' &&
        URL.canParse(to) &&
        Array.isArray(wanted) &&
        wanted.length > 0 &&
        new Set(wanted).size === wanted.length &&
        wanted.every((one) => kinds.includes(one));
      if (!isGood) refuse(400);
      const secret = `whsec_${randomUUID().replaceAll('-', '')}`;
      const hook: Members = { id: randomUUID(), owner, url: to, kinds: wanted, secret, status: 'heard' };
      hooks.set(String(hook['id']), hook);
      return { status: 201, body: hook };
    }
    if (method === 'GET' && first === 'hooks') return { status: 200, body: hooks.get(id) ?? refuse(404) };
    if (method === 'DELETE' && first === 'hooks') {
      if (!hooks.delete(id)) refuse(404);
      return { status: 204 };
    }
    if (first !== 'parcels' || id === '') return refuse(404);
    const parcel = parcelOf();
    if (method === 'GET' && what === undefined) return { status: 200, body: parcel };
    if (method === 'DELETE' && what === undefined) {
      parcels.delete(id);
      tell('parcel.removed', parcel, { id });
      return { status: 204 };
    }
    if (method === 'PUT' && what === 'size') {
      const { size } = body();
      if (!isSize(size)) return refuse(400);
      const was = parcel['size'];
      const now = { ...parcel, size };
      parcels.set(id, now);
      if (was !== size) tell('parcel.sized', now, { id, was, is: size });
      return { status: 200, body: now };
    }
    if (method === 'PUT' && what === 'note') {
      const { note } = body();
      if (!isNote(note)) return refuse(400);
      const now = { ...parcel, note };
      parcels.set(id, now);
      if (fault === 'a note is told of')
        tell('parcel.sized', now, { id, was: parcel['size'], is: parcel['size'] });
      return { status: 200, body: now };
    }
    return refuse(404);
  });
  return {
    url: running.url,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await running.close();
    },
  };
}
