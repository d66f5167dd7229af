import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A request: content is JSON text. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly content?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The content, as JSON; undefined where it is none. */
  readonly body: unknown;
}

const longestMs = 10_000;

/** Sends a request, on a connection of its own unless an agent is given. Rejects where no answer comes. */
export function ask(
  url: string,
  { method, path, content }: Asked,
  agent: Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: 'application/json',
      Origin: 'http://pages.example',
      ...(content !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(content),
      }),
    };
    const options = { method, headers, agent, timeout: longestMs };
    const asked = request(url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed(text) }),
      );
    });
    asked.once('timeout', () => asked.destroy(new Error(`${method} ${path}: no answer`)));
    asked.once('error', reject);
    asked.end(content);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
