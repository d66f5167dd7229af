import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { dirname } from 'node:path';
import { type Certified, isGood, selfSigned } from '../../conformance/events/certificate.ts';
import type { ListeningOptions } from '../../conformance/events/listening.ts';
import type { ReceiverOptions } from '../../conformance/events/receiver.ts';
import { makeFolder } from '../../source/folder.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Given, type Terminal, text } from '../command.ts';
import { secretsIn } from '../serve/options.ts';
import { UsageError } from '../usage.ts';

/** What the options about receiving events are for, as the help shows it. */
export const listeningHelp = `  --nats URL        the broker where the implementation publishes: nats://HOST, with JetStream
  --receiver HOST:PORT
                    where webhooks are received, with TLS or without (default 127.0.0.1, on a port
                    that is free); what the operator has sent there goes to /NAME, by the
                    delivery's name, and what signs it is in TACET_SECRET_NAME
  --receiver-url URL
                    the address under which the implementation reaches the receiver
  --receiver-certificate FILE, --receiver-key FILE
                    its certificate and private key (PEM); without them it makes its own, and
                    keeps it in .tacet/receiver.pem, which the implementation has to trust:
                    NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, or as it does
`;

export const listeningOptions = {
  nats: { type: 'string' },
  receiver: { type: 'string' },
  'receiver-url': { type: 'string' },
  'receiver-certificate': { type: 'string' },
  'receiver-key': { type: 'string' },
} as const;

/** Where a certificate that the receiver made is kept, its key, and all that a service started here is to trust. */
const kept = {
  certificate: '.tacet/receiver.pem',
  key: '.tacet/receiver.key',
  trusted: '.tacet/trusted.pem',
};

/** How the tester hears events. Throws {@link UsageError} where the options do not say it. */
export function listeningOf(
  given: Given,
  of: Specification,
  terminal: Pick<Terminal, 'environment' | 'error' | 'now'>,
): ListeningOptions {
  const url = urlOf(given);
  const at = placeOf(text(given, 'receiver'));
  const certified = hasWebhook(of) ? certifiedOf(given, at.host, url, terminal) : undefined;
  const receiver: ReceiverOptions = {
    ...at,
    ...(url !== undefined && { url }),
    ...(certified && { certified }),
  };
  const nats = natsOf(given);
  return { receiver, secrets: secretsIn(terminal.environment), ...(nats !== undefined && { nats }) };
}

function urlOf(given: Given): string | undefined {
  const url = text(given, 'receiver-url');
  if (url !== undefined && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)))
    throw new UsageError(`${url} is no address of a receiver: write it as https://HOST:PORT`);
  return url?.replace(/\/+$/, '');
}

/** What a service on Node that is started here is told, so that it trusts the receiver besides whom it would. */
export function trusting(
  given: Given,
  { environment }: Pick<Terminal, 'environment'>,
): Terminal['environment'] {
  const own = text(given, 'receiver-certificate') ?? kept.certificate;
  const { NODE_EXTRA_CA_CERTS: others } = environment;
  if (!existsSync(own)) return environment;
  if (others !== undefined && existsSync(others))
    writeFileSync(kept.trusted, `${contentOf(others)}\n${contentOf(own)}`);
  return { ...environment, NODE_EXTRA_CA_CERTS: others === undefined ? own : kept.trusted };
}

function natsOf(given: Given): string | undefined {
  const nats = text(given, 'nats');
  if (nats !== undefined && (!URL.canParse(nats) || !['nats:', 'tls:'].includes(new URL(nats).protocol)))
    throw new UsageError(`${nats} is no address of a broker: nats://HOST is wanted`);
  return nats;
}

function placeOf(written: string | undefined): Pick<ReceiverOptions, 'host' | 'port'> {
  if (written === undefined) return {};
  const [, host = '', port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(written) ?? [];
  if (port === '' || Number(port) > 65535)
    throw new UsageError(`${written} is no place to listen: 127.0.0.1:9000 is wanted`);
  const bare = host.replace(/^\[|\]$/g, '');
  if (host.includes(':') && !isIPv6(bare))
    throw new UsageError(`${written} is no place to listen: 127.0.0.1:9000 is wanted`);
  return { port: Number(port), ...(bare !== '' && { host: bare }) };
}

function hasWebhook(of: Specification): boolean {
  const ways = [...(stated(stated(of.events)?.delivery)?.values() ?? [])];
  return ways.some((said) => stated(said)?.kind === 'webhook');
}

/** The certificate that is given, or one that is kept from an earlier run, or a new one, which is kept. */
function certifiedOf(
  given: Given,
  host: string | undefined,
  url: string | undefined,
  { error, now = Date.now }: Pick<Terminal, 'error' | 'now'>,
): Certified {
  const [certificate, key] = [text(given, 'receiver-certificate'), text(given, 'receiver-key')];
  if ((certificate === undefined) !== (key === undefined))
    throw new UsageError('--receiver-certificate and --receiver-key go together');
  if (certificate !== undefined && key !== undefined)
    return { certificate: contentOf(certificate), key: contentOf(key) };
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', ...reached(host, url)])];
  if (existsSync(kept.certificate) && existsSync(kept.key)) {
    const found = { certificate: contentOf(kept.certificate), key: contentOf(kept.key) };
    if (isGood(found, hosts, now())) return found;
  }
  const made = selfSigned(hosts, now());
  makeFolder(dirname(kept.certificate));
  writeFileSync(kept.certificate, made.certificate);
  writeFileSync(kept.key, made.key, { mode: 0o600 });
  error(
    `tacet: the certificate of the receiver is new, in ${kept.certificate}: have the implementation trust it (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE)\n`,
  );
  return made;
}

/** The hosts under which the receiver is reached, but for those of this machine. */
function reached(host: string | undefined, url: string | undefined): readonly string[] {
  const bare = url === undefined ? host : new URL(url).hostname.replace(/^\[|\]$/g, '');
  return bare === undefined || ['0.0.0.0', '::'].includes(bare) ? [] : [bare];
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
