import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { movedClock } from '../../src/cli/serve/moved-clock.ts';
import { passing } from '../../src/cli/test/passing.ts';
import type { GivenCredentials } from '../../src/conformance/access/given.ts';
import { selfSigned } from '../../src/conformance/events/certificate.ts';
import { type Report, type TestOptions, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';
import type { Surroundings } from './surroundings.ts';

export function exampleOf(name: string, place = 'examples'): string {
  return readFileSync(fileURLToPath(new URL(`../../${place}/${name}.md`, import.meta.url)), 'utf8');
}

/** What the operator gives, of the schemes of a document. */
const given: Readonly<Record<string, GivenCredentials>> = {
  broker: { basic: { platform: 'open sesame' } },
  'parcel-desk': { desk: { office: 'open sesame' } },
  subscriptions: { accounts: { office: 'open sesame' } },
  lending: { desk: { office: 'open sesame' } },
};

/** The certificate of the receiver, which the service trusts as long as it runs. */
const certified = selfSigned(['127.0.0.1'], Date.now());
const trusted = getCACertificates();

/** How a run is another one: of another service, which wakes so late, of these checks alone, or by whoever has less patience. */
interface Otherwise {
  readonly served?: string;
  readonly lateMs?: number;
  readonly options?: Pick<TestOptions, 'patienceMs' | 'onEvent' | 'nats' | 'walks' | 'plan'>;
  /** What the tester asks with, and the operator tells the service, besides. */
  readonly others?: Pick<Surroundings, 'credentials' | 'service'>;
}

/**
 * Tests our own service of a document, by a clock that goes on where the tester waits.
 *
 * @param data where the service keeps what it keeps
 * @param kind what the document is written in
 */
export async function testOwnService(
  name: string,
  document: string,
  seed: number,
  data: string,
  kind: 'md' | 'yaml' = 'md',
  { served = document, lateMs = 0, options: more = {}, others = {} }: Otherwise = {},
): Promise<Report> {
  const of = specificationOf(document, `${name}.${kind}`);
  const credentials = of.authentication.kind === 'stated' ? (given[name] ?? {}) : {};
  setDefaultCACertificates([...trusted, certified.certificate]);
  const clock = movedClock();
  const { options } = clock;
  const wake: typeof options.wake = (at, run) => options.wake(at + lateMs, run);
  const service = await serve(specificationOf(served, `${name}.${kind}`), {
    ...{ data, credentials, allowPrivate: ['127.0.0.1'] },
    ...{ ...options, wake },
    ...others.service,
  });
  const time = passing((ahead) => clock.move(ahead, service));
  try {
    return await testService(of, {
      url: service.url,
      seed,
      credentials: { ...credentials, ...others.credentials },
      receiver: { certified },
      walks: 160,
      ...time,
      ...more,
    });
  } finally {
    setDefaultCACertificates(trusted);
    await service.close();
  }
}
