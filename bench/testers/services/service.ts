import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Description } from './description.ts';

/** A service of this folder, as its files have it. */
export interface Service {
  readonly name: string;
  /** The path of its OpenAPI file. */
  readonly file: string;
  readonly description: Description;
  /** What each fault does, by the name that `FAULT` takes. */
  readonly faults: Readonly<Record<string, string>>;
  /** Secrets by scheme and by the name of who has them, as `tacet test --credentials` takes them. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The header fields of a request with the first credential. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A service that runs, with a fault or without. */
export interface Running {
  readonly url: string;
  end(): void;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** The names of all services, in the order of the alphabet. */
export function serviceNames(): string[] {
  return readdirSync(here)
    .filter((name) => existsSync(join(here, name, 'faults.json')))
    .sort();
}

/** The service of this name. Throws if there is none. */
export function readService(name: string): Service {
  const file = join(here, name, 'openapi.yaml');
  const description = parse(readFileSync(file, 'utf8')) as Description;
  const { faults, credentials } = JSON.parse(readFileSync(join(here, name, 'faults.json'), 'utf8'));
  const [scheme, said] = Object.entries(description.components.securitySchemes ?? {})[0] ?? [];
  if (scheme === undefined || said === undefined) {
    return { name, file, description, faults, credentials: {}, headers: {} };
  }
  const secret = String(Object.values(credentials)[0]);
  const headers = said.type === 'http' ? { Authorization: `Bearer ${secret}` } : { [said.name]: secret };
  return { name, file, description, faults, credentials: { [scheme]: credentials }, headers };
}

/** Starts the service afresh, on a port that is free. Rejects if it ends before it listens. */
export async function start({ name }: Service, fault: string | null): Promise<Running> {
  const isTypeScript = existsSync(join(here, name, 'service.ts'));
  const [command, file] = isTypeScript ? [process.execPath, 'service.ts'] : ['python3', 'service.py'];
  const child = spawn(command, [join(here, name, file)], {
    env: { ...process.env, PORT: '0', FAULT: fault ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await addressOf(child), end: () => void child.kill() };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the service ended before it listened');
}
