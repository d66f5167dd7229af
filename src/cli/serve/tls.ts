import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { KeyPair } from '../../service/http/listener.ts';
import { UsageError } from '../usage.ts';

/** Where a private key and its certificates are. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
}

/** How often it is looked whether the files have changed, in milliseconds. */
const lookMs = 500;

/**
 * The key and certificates of these files.
 *
 * @throws UsageError if they cannot be read, are none, or do not fit together
 */
export function readPair(files: TlsFiles): KeyPair {
  const [key, cert] = [contentOf('--tls-key', files.key), contentOf('--tls-cert', files.cert)];
  const wanted = <T>(make: () => T, why: string): T => {
    try {
      return make();
    } catch (error) {
      throw new UsageError(`${why} (${(error as Error).message})`);
    }
  };
  const own = wanted(
    () => new X509Certificate(cert),
    `--tls-cert ${files.cert}: PEM is wanted, the service's own certificate first`,
  );
  const secret = wanted(
    () => createPrivateKey(key),
    `--tls-key ${files.key}: PEM is wanted, a private key without a passphrase`,
  );
  if (!own.checkPrivateKey(secret))
    throw new UsageError(
      `--tls-key ${files.key} is not the key of the first certificate in --tls-cert ${files.cert}`,
    );
  wanted(
    () => createSecureContext({ key, cert }),
    `--tls-key ${files.key} and --tls-cert ${files.cert} cannot be used`,
  );
  return { key, cert };
}

/** What hears of new keys and certificates. */
interface Follower {
  readonly print: (text: string) => void;
  readonly use: (pair: KeyPair) => void;
}

/**
 * Reads the files again when they change, or on SIGHUP. While they cannot be used, the former ones stay in use. Gives what
 * ends it.
 */
export function followPair(
  files: TlsFiles,
  first: KeyPair,
  { print, use }: Follower,
  signals: Pick<NodeJS.Process, 'on' | 'off'> = process,
): () => void {
  let now = first;
  const renew = (isAsked: boolean): void => {
    try {
      const pair = readPair(files);
      const isNew = pair.key !== now.key || pair.cert !== now.cert;
      if (isNew) use(pair);
      now = pair;
      if (isNew || isAsked) print(`TLS: ${files.cert} is in use, ${validityOf(pair)}\n`);
    } catch (error) {
      const { message } = error as Error;
      print(`TLS: ${message}; the former certificate stays in use, ${validityOf(now)}\n`);
    }
  };
  let seen = '';
  let isRead = false;
  // Both files are seldom written at once: they are read when they rest from one look to the next.
  const look = (): void => {
    const found = [files.key, files.cert].map(stateOf).join();
    if (found === seen && !isRead) renew(false);
    isRead = found === seen;
    seen = found;
  };
  const asked = (): void => renew(true);
  const looking = setInterval(look, lookMs).unref();
  signals.on('SIGHUP', asked);
  return () => {
    clearInterval(looking);
    signals.off('SIGHUP', asked);
  };
}

/** What is another once a file changes, by its name: containers replace files by turning a link. */
function stateOf(file: string): string {
  try {
    const { dev, ino, size, mtimeMs } = statSync(file);
    return `${dev} ${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

function validityOf({ cert }: KeyPair): string {
  return `valid until ${new Date(new X509Certificate(cert).validTo).toISOString()}`;
}

function contentOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${(error as Error).message}`);
  }
}
