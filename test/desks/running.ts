import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '../../src/conformance/events/certificate.ts';
import { freePort } from '../listening.ts';
import { startDesk } from './fastify/desk.ts';
import type { Fault } from './faults/mutation.ts';
import { passing } from './passing.ts';

/** The desks, each in a process of its own, by what they are written with. */
const commands = {
  fastify: [process.execPath, fileURLToPath(new URL('fastify/desk.ts', import.meta.url))],
  python: ['python3', fileURLToPath(new URL('python/desk.py', import.meta.url))],
} as const;

export type Kind = keyof typeof commands;

/** Whom the operator lets in as the office: by scheme and name, as the tester is given them. */
export const credentials = { desk: { office: 'the office key' } };

/** By what the tester receives webhooks; the desks are told to trust it. */
const certified = selfSigned(['127.0.0.1'], Date.now());

export interface Options {
  readonly fault?: Fault | undefined;
  /** How long the tester waits at the most; where it is left out and time does not pass when it is waited for, as usual with it. */
  readonly patience?: keyof typeof patience;
}

/** Past the minute that the parcel desk counts requests in; and past the 14 days after which a parcel expires. */
const patience = { usual: 65_000, longest: 15 * 24 * 3600 * 1000 } as const;

/**
 * A desk, where the tester hears of it, and the time by which it is tested. The one on Fastify runs in this process, where time passes when it is waited
 * for; the one in Python in a process of its own, by the machine's clock.
 */
export async function started(kind: Kind, { fault, patience: which }: Options = {}) {
  const port = await freePort();
  // What is said to lead to the tester is known to: nothing that comes there was sent.
  const receiver = { certified, port, url: `https://127.0.0.1:${port}` };
  if (kind !== 'fastify') {
    const desk = await startProcess(kind, { fault });
    return { desk, receiver, ...(which && { patienceMs: patience[which] }) };
  }
  const { wait, ...clock } = passing();
  const trust = certified.certificate;
  const desk = await startDesk({ port: 0, secrets: credentials.desk, trust, clock, ...(fault && { fault }) });
  return { desk, receiver, now: clock.now, wait, patienceMs: patience[which ?? 'usual'] };
}

export interface Running {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a desk on a free port of this machine. Throws where it ends before it is there. */
async function startProcess(kind: Kind, { fault }: Options = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  const trust = join(folder, 'trusted.pem');
  writeFileSync(trust, certified.certificate);
  const [command, file] = commands[kind];
  const environment = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    DESK_SECRETS: JSON.stringify(credentials.desk),
    ...(fault && { DESK_FAULT: JSON.stringify(fault) }),
  };
  const child = spawn(command, [file, '--port', '0', '--trust', trust], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): boolean => child.kill('SIGTERM');
  process.once('exit', end);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    // A fault may let every request fail: what is told of that is not kept whole.
    if (told.length < 4000) told += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [line] = /^http:\S+$/m.exec(printed) ?? [];
      if (line !== undefined && printed.includes('\n')) resolve(line);
    });
    child.once('error', reject);
    void ended.then(() => reject(new Error(`the desk in ${kind} did not start: ${told}`)));
  });
  return {
    url,
    close: async () => {
      end();
      await ended;
      process.off('exit', end);
      rmSync(folder, { recursive: true });
    },
  };
}
