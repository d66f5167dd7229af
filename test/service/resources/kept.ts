import type { ServiceOptions } from '../../../src/service/service.ts';
import { ask, type Served, start } from '../served.ts';

/** A document with these resources, and for each the five plain verbs: `POST /R`, `GET /R/{id}` and so on. */
export function documentOf(
  resources: string,
  plain: readonly string[],
  endpoints = '',
  others = 'refuse',
): string {
  const of = (name: string): string => `
  POST /${name}: { operation: make${name}, does: create ${name}, request: { body: ${name} }, response: { status: 201, body: ${name} } }
  GET /${name}: { operation: list${name}, does: list ${name}, response: { status: 200, body: "\${${name}(page.items)}" } }
  GET /${name}/{id}: { operation: read${name}, does: read ${name}, response: { status: 200, body: ${name} } }
  PATCH /${name}/{id}: { operation: change${name}, does: update ${name}, request: { body: ${name}, media: [application/json, application/merge-patch+json] }, response: [{ when: unchanged, status: 208, body: ${name} }, { status: 200, body: ${name} }] }
  PUT /${name}/{id}: { operation: replace${name}, does: replace ${name}, request: { body: ${name} }, response: { status: 200, body: ${name} } }
  DELETE /${name}/{id}: { operation: drop${name}, does: delete ${name}, response: 204 }`;
  return `
tacet: 1
complete: true
name: things
resources:
${resources.replace(/^/gm, '  ')}
states: (none)
endpoints:
  others: ${others}
${plain.map(of).join('\n')}
${endpoints.replace(/^/gm, '  ')}
authentication: (none)
events: (none)
errors:
  payload: { body: { code: "\${error.code}", of: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" } }
  codes:
    invalid: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    in_use: { when: in use, status: 409 }
    unknown: { when: [${plain.map((name) => `unknown ${name}`).join(', ')}], status: 404 }
    internal: { when: internal, status: 500 }
limits: (none)
versioning: (none)
`;
}

/** A client that gives the status and the body of each answer. */
export async function client(text: string, options: Partial<ServiceOptions> = {}) {
  const service: Served = await start(text, options);
  const call = async (line: string, body?: unknown, fields: readonly string[] = []) => {
    const found = await ask(service, line, body, fields);
    return [found.status, found.body] as const;
  };
  return { service, call };
}
