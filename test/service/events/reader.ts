import { get, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

/** One event of a stream, by its fields. */
export interface Read {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A reader of Server-Sent Events (WHATWG HTML §9.2). */
export interface Reader {
  readonly status: number;
  readonly type: string | undefined;
  /** The next event; rejected where the stream ends before. */
  readonly next: () => Promise<Read>;
  /** So many of them. */
  readonly take: (count: number) => Promise<Read[]>;
  /** Resolved when the service ends the stream. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

/** Follows a stream, from its head on. */
export async function follow(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject);
  });
  onTestFinished(() => void response.destroy());
  let text = '';
  let isOver = false;
  let woken = (): void => {};
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      isOver = true;
      woken();
      resolve();
    });
  });
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    woken();
  });
  response.on('error', () => {});
  const next = async (): Promise<Read> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        if (isOver) throw new Error('the stream ended');
        await new Promise<void>((resolve) => {
          woken = resolve;
        });
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const values = (name: string): string[] =>
        lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
      const [id] = values('id');
      if (id !== undefined) return { id, event: values('event').join(), data: values('data').join('\n') };
    }
  };
  const take = async (count: number): Promise<Read[]> => {
    const all: Read[] = [];
    while (all.length < count) all.push(await next());
    return all;
  };
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'],
    next,
    take,
    ended,
    close: () => void response.destroy(),
  };
}
