import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listening, type Running } from '../listening.ts';
import { readJson } from './kit.ts';

/**
 * The service of `test/documents/events/feed.yaml`, written from the document alone, on bare `node:http`. One fault can
 * be planted in it at a time.
 */

export const faults = [
  'a note that is added is not told of',
  'a note that is added is told of twice',
  'a removal is not told of',
  'the body tells something else',
  'the body tells more',
  'the body is left out',
  'what was is told of what is',
  'the kind is another',
  'the type is another',
  'the id is another',
  'the source is another',
  'it is no CloudEvent',
  'a small note is told of as a large one',
  'a note that is refused is told of',
  'a removal that is refused is told of',
  'what happens is told of in the wrong order',
  'who was away is not told what happened',
  'who was away is told the last once more',
  'a bell that rings by itself is not told of',
  'a bell is told of as it was',
] as const;

/** What nobody stated: found where the list is closed. */
export const inventions = ['a kind that nobody listed'] as const;

export type Fault = (typeof faults)[number] | (typeof inventions)[number];

export async function startFeed(fault: Fault | null = null): Promise<Running> {
  const notes = new Map<string, { id: string; size: number }>();
  const bells = new Map<string, { readonly id: string; readonly due: number; timer: NodeJS.Timeout }>();
  const readers = new Set<ServerResponse>();
  const past: { readonly id: string; readonly text: string }[] = [];
  let held: (() => void) | undefined;
  let url = '';
  const tell = (kind: string, data: Record<string, unknown> | undefined): void => {
    const id = randomUUID();
    const event = {
      specversion: '1.0',
      id: fault === 'the id is another' ? randomUUID() : id,
      source: fault === 'the source is another' ? 'feed' : `${url}/feed`,
      type: fault === 'the type is another' ? 'note' : kind,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      data:
        fault === 'the body tells something else'
          ? { ...data, id: 'x' }
          : fault === 'the body tells more'
            ? { ...data, more: 1 }
            : data,
    };
    const sent =
      fault === 'it is no CloudEvent'
        ? event.data
        : fault === 'the body is left out'
          ? { ...event, data: undefined }
          : event;
    const text = `id: ${id}\nevent: ${fault === 'the kind is another' ? `x.${kind}` : kind}\ndata: ${JSON.stringify(sent)}\n\n`;
    const write = (): void => {
      past.push({ id, text });
      for (const reader of readers) reader.write(text);
    };
    if (
      fault === 'what happens is told of in the wrong order' &&
      kind === 'note.added' &&
      held === undefined
    ) {
      held = write;
      return;
    }
    write();
    held?.();
    held = undefined;
  };
  const changed = (kind: string, data: Record<string, unknown>): void => {
    if (fault === 'a kind that nobody listed') tell('note.seen', {});
    if (fault === 'a note that is added is not told of' && kind === 'note.added') return;
    if (fault === 'a removal is not told of' && kind === 'note.removed') return;
    tell(kind, data);
    if (fault === 'a note that is added is told of twice' && kind === 'note.added') tell(kind, data);
  };
  /** What becomes of a bell after a fifth of a second. */
  const ring = (id: string): void => {
    const is = fault === 'a bell is told of as it was' ? 'wound' : 'rung';
    if (fault !== 'a bell that rings by itself is not told of') tell('bell.rung', { id, was: 'wound', is });
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '' } = request;
      const path = target.split('?')[0] ?? '';
      const json = (status: number, body?: unknown): void => {
        const text = body === undefined ? '' : JSON.stringify(body);
        response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' });
        response.end(text);
      };
      if (method === 'GET' && path === '/feed') {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(':\n\n');
        const last = past.findIndex((one) => one.id === request.headers['last-event-id']);
        const from = fault === 'who was away is told the last once more' ? last : last + 1;
        if (last !== -1 && fault !== 'who was away is not told what happened')
          for (const { text } of past.slice(from)) response.write(text);
        readers.add(response);
        response.on('close', () => readers.delete(response));
        return;
      }
      const bell = bells.get(/^\/bells\/([^/]+)$/.exec(path)?.[1] ?? '');
      const status = (due: number): string => (Date.now() < due ? 'wound' : 'rung');
      if (method === 'GET' && bell) return json(200, { id: bell.id, status: status(bell.due) });
      if (method === 'POST' && path === '/bells') {
        const one = { id: randomUUID(), due: Date.now() + 200 };
        bells.set(one.id, { ...one, timer: setTimeout(() => ring(one.id), 200) });
        return json(201, { id: one.id, status: 'wound' });
      }
      const [, id] = /^\/notes\/([^/]+)$/.exec(path) ?? [];
      const known = notes.get(id ?? '');
      if (method === 'POST' && path === '/notes') {
        const size = sizeIn(Buffer.concat(chunks).toString());
        if (size === undefined) {
          if (fault === 'a note that is refused is told of')
            tell('note.added', { id: randomUUID(), size: 1 });
          return json(400);
        }
        const note = { id: randomUUID(), size };
        notes.set(note.id, note);
        changed('note.added', { id: note.id, size });
        if (size >= 50 || fault === 'a small note is told of as a large one')
          tell('note.large', { id: note.id });
        json(201, note);
      } else if (method === 'GET' && path === '/notes') json(200, [...notes.values()]);
      else if (known === undefined) {
        const isTold = fault === 'a removal that is refused is told of' && method === 'DELETE';
        if (isTold) tell('note.removed', { id });
        json(404);
      } else if (method === 'GET') json(200, known);
      else if (method === 'PUT') {
        const size = sizeIn(Buffer.concat(chunks).toString());
        if (size === undefined) return json(400);
        const before = known.size;
        known.size = size;
        if (before !== size)
          changed('note.sized', { was: fault === 'what was is told of what is' ? size : before, is: size });
        json(200, known);
      } else {
        notes.delete(known.id);
        changed('note.removed', { id: known.id });
        json(204);
      }
    });
  });
  const running = await listening(server);
  url = running.url;
  return {
    url,
    close: () => {
      for (const { timer } of bells.values()) clearTimeout(timer);
      return running.close();
    },
  };
}

/** The size that a body gives; undefined where it gives none that is one. */
function sizeIn(content: string): number | undefined {
  const size = (readJson(content) as { readonly size?: unknown } | null | undefined)?.size;
  return typeof size === 'number' && Number.isInteger(size) && size >= 0 && size <= 99 ? size : undefined;
}
