import type { Client } from '../../../src/conformance/http.ts';
import { sent, type Target } from '../../../src/conformance/play/target.ts';
import { specificationOf } from '../../service/served.ts';

/**
 * A service that walks are played on without waiting, and without credentials of an operator.
 *
 * @param text the document that it is held against
 */
export function targetAt(url: string, text: string, http: Client): Target {
  return {
    specification: specificationOf(text),
    url,
    send: (message) => sent(http, url, message),
    now: Date.now,
    credentials: {},
    wait: async () => {},
    patienceMs: 0,
  };
}
