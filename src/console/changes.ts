import type { ServerResponse } from 'node:http';

/** Streams of server-sent events, one for each page that is open (HTML §9.2). */
export class Changes {
  readonly #open = new Set<ServerResponse>();

  /** Begins a stream. */
  open(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(': the document and the requests\n\n');
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
  }

  /** Tells all pages of an event. */
  tell(event: 'document' | 'request' | 'test', data: unknown): void {
    for (const response of this.#open) response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    for (const response of this.#open) response.end();
  }
}
