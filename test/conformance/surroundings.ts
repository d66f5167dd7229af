import type { GivenCredentials } from '../../src/conformance/access/given.ts';
import type { TestOptions } from '../../src/conformance/run.ts';
import type { ServiceOptions } from '../../src/service/service.ts';

/** What others do for the service of an example: they sign tokens, keep what is published, give functions. */
export interface Surroundings {
  /** The document, with their addresses. */
  readonly document: string;
  /** What the tester asks with. */
  readonly credentials?: GivenCredentials;
  /** What the operator tells the service. */
  readonly service?: Pick<ServiceOptions, 'credentials' | 'deliver' | 'handlers'>;
  /** What the tester is told. */
  readonly options?: Pick<TestOptions, 'nats'>;
}

/** The functions that the example `translations` shows. */
export async function ofTranslations(document: string): Promise<Surroundings> {
  const [, functions = ''] = /^```js\n(.*?)^```$/ms.exec(document) ?? [];
  return {
    document,
    service: { handlers: await import(`data:text/javascript,${encodeURIComponent(functions)}`) },
  };
}
