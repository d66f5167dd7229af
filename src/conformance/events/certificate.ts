import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its private key, as PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const yearMs = 365 * dayMs;

/**
 * A certificate that signs itself (RFC 5280 §4.1), for these hosts: names or addresses. It is good from a day before
 * `now`, in milliseconds since 1970, for a year.
 */
export function selfSigned(hosts: readonly string[], now: number): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = name('tacet receiver');
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(now - dayMs), time(now + yearMs)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions(hosts))),
  );
  const signature = sign('sha256', content, privateKey);
  return {
    certificate: pem('CERTIFICATE', sequence(content, ecdsaWithSha256, bits(signature))),
    key: pemOf(privateKey),
  };
}

/** Whether a certificate serves for these hosts at a time, with its key. */
export function isGood({ certificate, key }: Certified, hosts: readonly string[], now: number): boolean {
  try {
    const found = new X509Certificate(certificate);
    const serves = hosts.every((host) => (isIP(host) === 0 ? found.checkHost(host) : found.checkIP(host)));
    const isOver = Date.parse(found.validTo) < now + dayMs;
    return serves && !isOver && found.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** It is an authority, so that whoever is told to trust it does; and a server of these hosts. */
function extensions(hosts: readonly string[]): Buffer[] {
  const alternatives = hosts.map((host) =>
    isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, address(host)),
  );
  return [
    sequence(basicConstraints, truth, octets(sequence(truth))),
    sequence(subjectAltName, octets(sequence(...alternatives))),
  ];
}

/** An address as bytes: 4 of IPv4, 16 of IPv6. */
function address(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from(host.split('.').map(Number));
  const [before = '', after] = new URL(`http://[${host}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [first, last] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...zeros, ...last].map((one) => one.padStart(4, '0')).join(''), 'hex');
}

const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'));
const subjectAltName = object('551d11');
const basicConstraints = object('551d13');
const truth = der(0x01, Buffer.from([0xff]));

function name(common: string): Buffer {
  return sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from(common)))));
}

/** RFC 5280 §4.1.2.5: as UTCTime, up to the year 2049. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}

function sequence(...inner: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(inner));
}

function tagged(tag: number, inner: Buffer): Buffer {
  return der(0xa0 | tag, inner);
}

function integer(value: Buffer): Buffer {
  return der(0x02, value);
}

function object(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function octets(inner: Buffer): Buffer {
  return der(0x04, inner);
}

function bits(inner: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), inner]));
}

/** A value as DER writes it (X.690 §8.1): its tag, how long it is, and what it is. */
function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const long = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...long]), content]);
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
