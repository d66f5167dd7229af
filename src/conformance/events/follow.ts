import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

import type { Header, Request } from '../http.ts';
import { Unreached } from '../result.ts';
import { bell } from './bell.ts';
import { note, type Telling, type Told } from './told.ts';

/** A stream that is read. */
export interface Following extends Telling {
  /** The header fields of its answer. */
  readonly headers: readonly Header[];
  /** Whether it has ended. */
  readonly hasEnded: () => boolean;
}

/** Begins to read a stream: from its head on, nothing is missed. Throws `Unreached` where it does not begin. */
export function follow({ method, url, headers }: Request): Promise<Following> {
  return new Promise((resolve, reject) => {
    const ask = url.startsWith('https:') ? requestHttps : requestHttp;
    const outgoing = ask(url, { method, headers: Object.fromEntries(headers), agent: false });
    outgoing.on('error', (error) => reject(new Unreached(`the stream did not begin: ${error.message}`)));
    outgoing.on('response', (incoming) => {
      const type = incoming.headers['content-type']?.split(';')[0];
      if (incoming.statusCode === 200 && type === 'text/event-stream') {
        resolve(reading(incoming));
        return;
      }
      incoming.destroy();
      reject(new Unreached(`the stream did not begin: ${incoming.statusCode}, ${type ?? 'no media type'}`));
    });
    outgoing.end();
  });
}

function reading(incoming: IncomingMessage): Following {
  const told: Told[] = [];
  const headers: Header[] = [];
  let text = '';
  const { rawHeaders } = incoming;
  const fields = rawHeaders.flatMap((name, place): Header[] =>
    place % 2 === 0 ? [[name, rawHeaders[place + 1] as string]] : [],
  );
  const { ring, more } = bell();
  let hasEnded = false;
  incoming.on('error', () => {});
  incoming.on('close', () => {
    hasEnded = true;
    ring();
  });
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk.replace(/\r\n?/g, '\n');
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const one = parsed(text.slice(0, end));
      text = text.slice(end + 2);
      if (one) note(told, { ...one, headers, subject: null });
    }
    ring();
  });
  return {
    headers: fields,
    told,
    more,
    hasEnded: () => hasEnded,
    close: async () => void incoming.destroy(),
  };
}

/** A block of lines (WHATWG HTML §9.2); undefined where it holds no data, as a comment. Fields that are not there are null. */
function parsed(block: string): Pick<Told, 'id' | 'kind' | 'content'> | undefined {
  const fields = block.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []);
  const values = (name: string): string[] =>
    fields.flatMap(([, key, value = '']) => (key === name ? [value] : []));
  const data = values('data');
  if (data.length === 0) return undefined;
  return { id: values('id').at(-1) ?? null, kind: values('event').at(-1) ?? null, content: data.join('\n') };
}
