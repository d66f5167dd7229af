import { request as httpRequest } from 'node:http';
import { presented } from '../../console/senders.ts';
import { existingText, readFound, sourcesOf } from '../../load/files.ts';
import { ledgerBeside } from '../../load/ledger.ts';
import type { Message } from '../../semantics/message/message.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Given, hasErrors, printDiagnostics, readDocument, type Terminal } from '../command.ts';
import { type OwnService, startOwn } from '../test/own-service.ts';
import { UsageError } from '../usage.ts';

interface Running {
  readonly service: OwnService;
  readonly specification: Specification;
  /** The texts that it was started with. */
  readonly texts: string;
}

/** The longest that an answer is waited for, and so much of it is shown. */
const waitMs = 30_000;
const mostShown = 64 * 1024;

/** The services of the documents that requests were sent to, each until its document changes. */
export class Services {
  readonly #running = new Map<string, Running>();

  /** Sends a request to the service of a document, which is started if it does not run; null: the document has errors. */
  async send(
    given: Given,
    message: Message,
    scheme: string | undefined,
    terminal: Terminal,
  ): Promise<string | null> {
    const running = await this.#runningOf(given, terminal);
    if (running === null) return null;
    const { service, specification } = running;
    const who = scheme === undefined ? undefined : credentialOf(running, scheme);
    const query = new URLSearchParams(who?.query).toString();
    const { method, target, headers, body } = message;
    const path = query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
    const note =
      specification.operations.length === 0 ? '\n(no endpoint is stated: every request is 404)' : '';
    return `${await answered(`${service.url}${path}`, { method, headers: { ...headers, ...who?.headers }, body })}${note}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ service }) => service.close()));
    this.#running.clear();
  }

  async #runningOf(given: Given, terminal: Terminal): Promise<Running | null> {
    const [document = ''] = given.positionals;
    const texts = JSON.stringify([sourcesOf(readFound(document)), existingText(ledgerBeside(document))]);
    const before = this.#running.get(document);
    if (before?.texts === texts && !before.service.signal.aborted) return before;
    this.#running.delete(document);
    await before?.service.close();
    const { specification, diagnostics } = readDocument(given);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, terminal);
      return null;
    }
    const service = await startOwn(given, specification, terminal);
    const running = { service, specification, texts };
    this.#running.set(document, running);
    return running;
  }
}

function credentialOf({ service, specification }: Running, scheme: string) {
  const kept = Object.hasOwn(service.credentials, scheme) ? service.credentials[scheme] : undefined;
  const [known] = Object.entries(kept ?? {});
  const found = known && presented(specification, scheme, { name: known[0], secret: known[1] });
  if (!found) {
    const names = Object.keys(service.credentials);
    throw new UsageError(
      `the operator gives no credential of ${scheme}${names.length > 0 ? `, but of ${names.join(', ')}` : ''}; get one by a request, and send it in headers`,
    );
  }
  return found;
}

function answered(url: string, { method, headers, body }: Omit<Message, 'target'>): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = httpRequest(
      url,
      { method, headers: { ...headers, ...length }, timeout: waitMs },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const end = (): void => {
          const fields = Object.entries(answer.headers).map(
            ([name, value]) => `${name}: ${[value].flat().join(', ')}`,
          );
          const shown = Buffer.concat(chunks).subarray(0, mostShown).toString('utf8');
          resolve([`${answer.statusCode} ${answer.statusMessage}`, ...fields, '', shown].join('\n'));
        };
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          // A stream of events does not end by itself.
          if (size > mostShown) answer.destroy();
        });
        answer.once('close', end);
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`no answer within ${waitMs / 1000} seconds`)));
    sent.once('error', (error) => reject(new UsageError(`the service does not answer: ${error.message}`)));
    sent.end(body);
  });
}
