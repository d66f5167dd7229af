import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Handlers } from '../../service/handlers/worked.ts';
import { type Service, type ServiceOptions, StartRefused, serve } from '../../service/service.ts';
import { StoreRefused } from '../../service/store/store.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Given, text, UsageError } from '../command.ts';
import { boundHeapGrowth } from './heap-growth.ts';

/** Starts the service. Throws {@link UsageError} where it cannot start, with what to do. */
export async function start(specification: Specification, options: ServiceOptions): Promise<Service> {
  boundHeapGrowth();
  try {
    return await serve(specification, options);
  } catch (error) {
    if (error instanceof StartRefused || error instanceof StoreRefused) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    const where = `${options.host ?? '127.0.0.1'}:${options.port}`;
    if (code === 'EADDRINUSE') throw new UsageError(`${where} is in use; name another with --port`);
    if (code === 'EACCES')
      throw new UsageError(`${where} is not for this user; name a port from 1024 with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`${where} is no address of this machine`);
    throw error;
  }
}

/** The functions that the module of `--handlers` exports. Throws {@link UsageError} where it is none. */
export async function handlersOf(given: Given): Promise<Handlers> {
  const file = text(given, 'handlers');
  if (file === undefined) return {};
  try {
    const module = (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
    const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
    return Object.fromEntries(functions) as Handlers;
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${(error as Error).message}`);
  }
}

/** What a document states, beside the functions that are given: those that are not are open (language §I). */
export function withHandlers(document: Specification, handlers: Handlers): Specification {
  return { ...document, handlers: new Set(Object.keys(handlers)) };
}

/** Resolves when the process is asked to end. */
export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
