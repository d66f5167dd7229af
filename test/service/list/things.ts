import { expect } from 'vitest';
import { bare } from '../../../src/service/message/reply.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { openStore } from '../../../src/service/store/open.ts';
import { ask, place, type Served, start } from '../served.ts';

/** An item as it is kept; its identifier is a number. */
export interface Thing {
  readonly id: number;
  readonly [member: string]: unknown;
}

/** A document about things with these fields, whose endpoints are written below it. */
export function document(fields: string, endpoints: readonly string[]): string {
  return `
name: Things
resources:
  Thing: { identifier: id, fields: { id: { type: integer }, ${fields} } }
endpoints:
  others: refuse
  PUT /things/{id}: { does: create Thing, request: { body: Thing }, response: 201 }
  DELETE /things/{id}: { does: delete Thing, response: 204 }
${endpoints.map((one) => `  ${one}`).join('\n')}
`;
}

/** A service that keeps these things from the beginning, in this order. */
export async function keeping(
  things: readonly Thing[],
  text: string,
  options: Partial<ServiceOptions> = {},
): Promise<Served> {
  const data = await place();
  const store = await openStore(data, [{ name: 'Thing', keyFields: ['id'], keyKinds: ['number'] }]);
  const replies = await store.commit(
    [
      {
        decide: (tx) => {
          for (const { id, ...members } of things)
            tx.insert('Thing', { key: [id], text: JSON.stringify(members) });
          return { keep: true, reply: bare(201) };
        },
        conflict: () => bare(400),
        fault: () => bare(500),
      },
    ],
    () => 0,
  );
  expect(replies).toEqual([bare(201)]);
  await store.close();
  return start(text, { data, ...options });
}

export interface Page {
  readonly ids: readonly number[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** The body of an answer that has to be 200. */
export async function page<T = Page>(service: Served, path: string): Promise<T> {
  const answer = await ask(service, `GET ${path}`);
  expect([path, answer.status, service.faults]).toEqual([path, 200, []]);
  return answer.body as T;
}

/** Every page from one on, by its cursor on that side. */
export async function walk(
  service: Served,
  path: string,
  side: 'next' | 'previous',
  from: string | null = null,
): Promise<readonly (readonly number[])[]> {
  const pages: (readonly number[])[] = [];
  let cursor = from;
  do {
    const found: Page = await page(service, cursor === null ? path : `${path}&at=${cursor}`);
    pages.push(found.ids);
    cursor = found[side];
  } while (cursor !== null && pages.length < 100);
  return pages;
}
