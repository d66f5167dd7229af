import { basename, resolve } from 'node:path';
import { printable } from '../../report/text.ts';
import { storeSecretVariable } from '../../service/access/sealed-key.ts';
import { hostLimits } from '../../service/message/host-limits.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { isPostgres } from '../../service/store/open.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { durationOf } from '../../specification/reading/duration.ts';
import { type Given, type Terminal, text, texts, UsageError } from '../command.ts';
import { secretIn } from './configuration.ts';
import { credentialsOf } from './credentials.ts';
import { noteOf, told } from './faults.ts';
import { heldUpLog } from './held-up.ts';
import { hostLimitLog, hostLimitsOf } from './host-limits.ts';
import { explained, jsonLog } from './request-log.ts';
import { summing } from './summing.ts';

/** What the service is started with. Throws {@link UsageError} where an option is none. */
export function optionsOf(
  given: Given,
  specification: Specification,
  terminal: Terminal,
): ServiceOptions & { data: string } {
  const host = text(given, 'host');
  const url = text(given, 'url');
  const counter = text(given, 'limits');
  const limits = hostLimitsOf(given);
  const data = placeOf(given, specification);
  const readStore = readStoreOf(given, data);
  const log = summing(terminal.error);
  return {
    port: portOf(text(given, 'port') ?? '8080'),
    data,
    ...(readStore !== undefined && { readStore }),
    ...(host !== undefined && { host }),
    ...(counter !== undefined && { counter }),
    ...(url !== undefined && { url: urlOf(url) }),
    after: pairsOf(texts(given, 'after'), '--after R.MOVE=DURATION'),
    deliver: pairsOf(texts(given, 'deliver'), '--deliver NAME=URL'),
    secrets: secretsIn(terminal.environment),
    storeSecrets: storeSecretsIn(terminal.environment),
    credentials: credentialsOf(given, terminal),
    allowPrivate: texts(given, 'allow-private'),
    trustedProxies: texts(given, 'trusted-proxy'),
    exposeUnauthenticated: given.values['expose-unauthenticated'] === true,
    limits,
    onHostLimit: hostLimitLog({ ...hostLimits, ...limits }, terminal.error, terminal.now ?? Date.now),
    ...logOf(given, specification, terminal),
    graceMs: graceOf(text(given, 'grace')),
    onFault: (fault, ids) => log(told(fault), noteOf(ids)),
    onReplica: (why) =>
      log(why === null ? 'the replica is read again' : `${why}; the store is read in its place`),
    onRefused: ({ method, url }, reason) =>
      log(`400 ${printable(`${method} ${url.split('?')[0]}`)}: ${printable(reason)}`),
  };
}

/** Who hears of requests: `--log` and `--explain` tell of those that were answered 501 as well. */
function logOf(
  given: Given,
  specification: Specification,
  terminal: Terminal,
): Pick<ServiceOptions, 'onHeldUp' | 'onAnswered'> {
  const log = text(given, 'log');
  if (log !== undefined && log !== 'json') throw new UsageError(`--log is json, and not ${log}`);
  if (log !== undefined) return { onAnswered: jsonLog(terminal.out, () => new Date()) };
  const onHeldUp = heldUpLog(specification, terminal.error);
  return given.values['explain'] === true
    ? { onHeldUp, onAnswered: explained(specification, terminal.out) }
    : { onHeldUp };
}

/** Where the items of a document's service are kept. */
export function placeOf(given: Given, specification: Specification): string {
  return storeOf(given) ?? `.tacet/${fileName(specification)}.sqlite`;
}

/** Where items are kept, as `--data` or `--store` names it. */
function storeOf(given: Given): string | undefined {
  const [file, store] = [text(given, 'data'), text(given, 'store')];
  if (store === undefined) return file;
  if (file !== undefined) throw new UsageError('--data and --store name two stores; name one');
  const place = storeNamed(store);
  if (place !== store || isPostgres(store)) return place;
  throw new UsageError('--store is postgres://USER@HOST/DATABASE, or sqlite:FILE');
}

/** The standby that is read as well; undefined: none is. */
function readStoreOf(given: Given, data: string): string | undefined {
  const place = text(given, 'read-store');
  if (place === undefined) return undefined;
  if (!isPostgres(data))
    throw new UsageError('--read-store is a standby of a database; name that with --store postgres://…');
  if (isPostgres(place)) return place;
  throw new UsageError('--read-store is postgres://USER@HOST/DATABASE');
}

/** A store by its address, in which a file may stand as it is. */
export function storeNamed(address: string): string {
  return address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : address;
}

function portOf(written: string): number {
  const port = Number(written);
  if (/^\d+$/.test(written) && port <= 65535) return port;
  throw new UsageError(`${written} is no port: a number from 0 to 65535 is wanted`);
}

/** The grace period, in milliseconds: a little less, so that the process has ended when it is over. */
function graceOf(written: string | undefined): number {
  const span = durationOf(written ?? 'PT10S');
  if (span === undefined || span.months > 0)
    throw new UsageError(`${written} is no duration; write --grace PT10S, or PT1M`);
  return Math.max(0, span.rest - Math.min(500, span.rest / 10));
}

/** Options of the form `NAME=VALUE`, any number of times. */
function pairsOf(written: readonly string[], form: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    written.map((one) => {
      const equals = one.indexOf('=');
      if (equals === -1) throw new UsageError(`${one} is not ${form}`);
      return [one.slice(0, equals), one.slice(equals + 1)];
    }),
  );
}

/** What signs deliveries, by their names: the environment's, since others can read the options of a process. */
export function secretsIn(environment: Terminal['environment']): Readonly<Record<string, string>> {
  const prefix = 'TACET_SECRET_';
  const variables = Object.keys(environment).filter((name) => name.startsWith(prefix));
  return Object.fromEntries(
    [...new Set(variables.map((name) => name.replace(/_FILE$/, '')))].flatMap((variable) => {
      const secret = secretIn(environment, variable);
      return secret === undefined ? [] : [[variable.slice(prefix.length), secret] as const];
    }),
  );
}

/** What the key is encrypted under that signs credentials: the current secret first, others after spaces. */
function storeSecretsIn(environment: Terminal['environment']): string[] {
  return (secretIn(environment, storeSecretVariable) ?? '').split(/\s+/).filter((one) => one !== '');
}

function urlOf(written: string): string {
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol))
    throw new UsageError(`${written} is no address: https://HOST/PATH is wanted`);
  return written.replace(/\/+$/, '');
}

/** The document's own name, without its folder and ending. */
function fileName(specification: Specification): string {
  const base = basename(resolve(specification.file));
  return base.replace(/\.[^.]+$/, '') || 'service';
}
