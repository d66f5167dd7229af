import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { GivenCredentials } from '../../src/conformance/access/wallet.ts';
import { selfSigned } from '../../src/conformance/events/certificate.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';

export function exampleOf(name: string, place = 'examples'): string {
  return readFileSync(fileURLToPath(new URL(`../../${place}/${name}.md`, import.meta.url)), 'utf8');
}

/** What the operator gives, of the schemes of an example. */
const given: Readonly<Record<string, GivenCredentials>> = {
  broker: { basic: { platform: 'open sesame' } },
  'parcel-desk': { desk: { office: 'open sesame' } },
  subscriptions: { accounts: { office: 'open sesame' } },
};

/** The certificate of the receiver, which the service trusts as long as it runs. */
const certified = selfSigned(['127.0.0.1'], Date.now());
const trusted = getCACertificates();

/** @param data where the service keeps what it keeps */
export async function testOwnService(
  name: string,
  document: string,
  seed: number,
  data: string,
): Promise<Report> {
  const of = specificationOf(document, `${name}.md`);
  const credentials = of.authentication.kind === 'stated' ? (given[name] ?? {}) : {};
  setDefaultCACertificates([...trusted, certified.certificate]);
  const service = await serve(of, { data, credentials, allowPrivate: ['127.0.0.1'] });
  try {
    return await testService(of, { url: service.url, seed, credentials, receiver: { certified } });
  } finally {
    setDefaultCACertificates(trusted);
    await service.close();
  }
}

/** The share of checks that end in *conforms* or *violates* (language §F.2). */
export function shareJudged({ counts, results }: Report): number {
  return (counts.conforms.stated + counts.violates.stated) / results.length;
}
