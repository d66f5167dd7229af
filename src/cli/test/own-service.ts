import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carried } from '../../load/carried.ts';
import { handlersIn } from '../../specification/model/handlers.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { documentOf, type Given, type Terminal, text, texts } from '../command.ts';
import { credentialsOf } from '../serve/credentials.ts';
import { type Moved, type Moving, movedBy } from '../serve/moved-clock.ts';
import { UsageError } from '../usage.ts';
import { type Passing, passing } from './passing.ts';

type Credentials = ReturnType<typeof credentialsOf>;

/** The service that is tested where no address is given: our own, of the same document. */
export interface OwnService extends Passing {
  readonly url: string;
  /** What the tester may ask with. */
  readonly credentials: Credentials;
  /** Aborted once the tester is asked to end, or the service has ended by itself. */
  readonly signal: AbortSignal;
  /** Ends it, and removes what it kept. */
  readonly close: () => Promise<void>;
}

/** What `serve` is told besides. */
const passedOn = { one: ['assume', 'handlers'], several: ['after', 'deliver'] } as const;

/**
 * Starts the service that a document states in a process of its own, on a port that is free, with data in a temporary
 * folder. The operator's credentials are those that are given, and random ones for the schemes for which none are.
 * Throws {@link UsageError} where it does not start, or lacks a function.
 */
export async function startOwn(given: Given, of: Specification, terminal: Terminal): Promise<OwnService> {
  refuseWithoutFunctions(given, of);
  const { keys, credentials } = credentialsFor(of, credentialsOf(given, terminal));
  const folder = mkdtempSync(join(tmpdir(), 'tacet-test-'));
  const words = [
    ...['serve', documentOf(given), '--port', '0', '--data', join(folder, 'data.sqlite')],
    // Receivers of events are the tester's own, and on this machine.
    ...['--allow-private', '127.0.0.1'],
    ...passedOn.one.flatMap((name) => pair(name, text(given, name))),
    ...passedOn.several.flatMap((name) => texts(given, name).flatMap((value) => pair(name, value))),
  ];
  const child = spawn(process.execPath, [fileURLToPath(carried('bin/tacet.js')), ...words], {
    env: {
      ...terminal.environment,
      TACET_CREDENTIALS: JSON.stringify({ ...keys, ...credentials }),
      [movedBy]: String(process.pid),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const gone = new AbortController();
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      gone.abort();
      resolve();
    }),
  );
  let isUp = false;
  const close = async (): Promise<void> => {
    const isByItself = isUp && gone.signal.aborted && !terminal.ended.aborted;
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
    if (isByItself) terminal.error(`tacet: its own service ended by itself\n${said}`);
    else
      for (const [fault] of said.matchAll(/^(internal|store): .*(\n {2,}.*)*/gm))
        terminal.error(`${fault}\n`);
  };
  try {
    const url = await addressOf(child, () => said);
    isUp = true;
    const signal = AbortSignal.any([terminal.ended, gone.signal]);
    return { url, credentials, signal, close, ...passing(moving(child)) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An operation whose function is not given answers 501 (language §I): then nothing stated of it can be tested. */
function refuseWithoutFunctions(given: Given, of: Specification): void {
  if (text(given, 'handlers') !== undefined) return;
  const called = handlersIn(of).flatMap(({ kind, name }) => (kind === 'operation' ? [name] : []));
  const names = [...new Set(called)];
  if (names.length === 0) return;
  const word = names.length === 1 ? 'function' : 'functions';
  throw new UsageError(`its own service lacks the ${word} ${names.join(', ')}: --handlers FILE`);
}

/** Moves the clock of the service; tells null once it has ended. */
function moving(child: ChildProcess): (aheadMs: number) => Promise<number | null> {
  const asked = new Map<number, (next: number | null) => void>();
  let turns = 0;
  child.on('message', ({ turn, next }: Moved) => {
    asked.get(turn)?.(next);
    asked.delete(turn);
  });
  child.once('close', () => {
    for (const tell of asked.values()) tell(null);
  });
  return (aheadMs) =>
    new Promise((resolve) => {
      const turn = turns++;
      asked.set(turn, resolve);
      child.send({ turn, aheadMs } satisfies Moving, (error) => error && resolve(null));
    });
}

function pair(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}`, value];
}

/** The address that it prints when it listens. Throws {@link UsageError} with what it said where it ends before. */
function addressOf(child: ChildProcess, said: () => string): Promise<string> {
  let out = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
      const [, address] = /^ {2}address {2}(\S+)$/m.exec(out) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => reject(new UsageError(`its own service did not start\n${said().trim()}`)));
  });
}

/** What the operator gives: what the tester may ask with, and keys of tokens, which are for the service alone. */
function credentialsFor(
  of: Specification,
  given: Credentials,
): { readonly keys: Credentials; readonly credentials: Credentials } {
  const [keys, credentials]: [Record<string, Credentials[string]>, Record<string, Credentials[string]>] = [
    {},
    { ...given },
  ];
  for (const [name, said] of stated(stated(of.authentication)?.schemes) ?? []) {
    if (Object.hasOwn(given, name)) continue;
    const held = stated(stated(said)?.credentials);
    const made = { tester: randomBytes(32).toString('hex') };
    if (held?.kind === 'operator') credentials[name] = made;
    if (held?.kind === 'foreign' && (stated(held.algorithms) ?? []).some((one) => one.startsWith('HS')))
      keys[name] = made;
  }
  return { keys, credentials };
}
