import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';
import type { GivenCredentials } from '../../src/conformance/access/wallet.ts';
import type { TestOptions } from '../../src/conformance/run.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import { type Issuing, issuer, token } from '../service/issuers.ts';

/** What others do for the service of an example: they sign tokens, keep what is published, give functions. */
export interface Surroundings {
  /** The document, with their addresses. */
  readonly document: string;
  /** What the tester asks with. */
  readonly credentials?: GivenCredentials;
  /** What the operator tells the service. */
  readonly service?: Pick<ServiceOptions, 'deliver' | 'handlers'>;
  /** What the tester is told. */
  readonly options?: Pick<TestOptions, 'nats'>;
}

const server = process.env['TACET_TEST_NATS'] ?? 'nats://127.0.0.1:4222';

/** Nobody listens there: without a broker, what is to be published stays in the store. */
const nowhere = 'nats://127.0.0.1:1';

/** How subjects begin that a stream of this test's own keeps; null where no broker answers. */
async function ownSubjects(): Promise<string | null> {
  const nats = await connect({ servers: new URL(server).host, timeout: 1000, reconnect: false }).catch(
    () => null,
  );
  if (nats === null) return null;
  const manager = await jetstreamManager(nats);
  const name = `tacet_test_${randomBytes(6).toString('hex')}`;
  await manager.streams.add({ name, subjects: [`${name}.>`] });
  onTestFinished(async () => {
    await manager.streams.delete(name);
    await nats.close();
  });
  return name;
}

/** A token that is good whatever the clock of a tested service says: it ends in ten years. */
async function lasting(at: Issuing, audience: string, scope: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 10 * 365 * 24 * 3600;
  const pair = await at.key('one', 'ES256');
  return token(pair, { alg: 'ES256', kid: 'one' }, { iss: at.url, aud: audience, sub: 'ann', exp, scope });
}

/** The issuers and the broker of the example `weather-alerts`. */
export async function ofWeatherAlerts(document: string): Promise<Surroundings> {
  const [login, partner, subjects] = [await issuer(), await issuer(), await ownSubjects()];
  return {
    document: document
      .replaceAll('https://id.weather.example', login.url)
      .replaceAll('https://partners.weather.example', partner.url)
      .replace('broker: "weather.', `broker: "${subjects ?? 'weather'}.`),
    credentials: {
      login: { ann: await lasting(login, 'alerts', 'alerts') },
      partner: { ann: await lasting(partner, 'stream', 'stream') },
    },
    service: { deliver: { sirens: subjects === null ? nowhere : server } },
    options: subjects === null ? {} : { nats: server },
  };
}

/** The functions that the example `translations` shows. */
export async function ofTranslations(document: string): Promise<Surroundings> {
  const [, functions = ''] = /^```js\n(.*?)^```$/ms.exec(document) ?? [];
  return {
    document,
    service: { handlers: await import(`data:text/javascript,${encodeURIComponent(functions)}`) },
  };
}
