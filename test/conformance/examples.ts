import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GivenCredentials } from '../../src/conformance/access/wallet.ts';
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

/** @param data where the service keeps what it keeps */
export async function testOwnService(
  name: string,
  document: string,
  seed: number,
  data: string,
): Promise<Report> {
  const of = specificationOf(document, `${name}.md`);
  const credentials = of.authentication.kind === 'stated' ? (given[name] ?? {}) : {};
  const service = await serve(of, { data, credentials });
  try {
    return await testService(of, { url: service.url, seed, credentials });
  } finally {
    await service.close();
  }
}

/** The share of checks that end in *conforms* or *violates* (language §F.2). */
export function shareJudged({ counts, results }: Report): number {
  return (counts.conforms.stated + counts.violates.stated) / results.length;
}
