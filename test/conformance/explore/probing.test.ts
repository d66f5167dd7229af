import { expect, it } from 'vitest';
import { Pool } from '../../../src/conformance/explore/pool.ts';
import { Probing } from '../../../src/conformance/explore/probing.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Note:
    identifier: id
    fields:
      id:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, minLength: 3, maxLength: 9 }
      mark: { enum: [low, high] }
    required: [text]
endpoints:
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
`);

it('values at the bounds that are stated have their turn before all others', () => {
  const [operation] = specification.operations;
  if (operation === undefined) throw new TypeError('no operation');
  const body = { text: 'right', mark: 'low' };
  const request: Request = {
    ...{ operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://localhost' },
    content: body,
  };
  const pool = new Pool(specification, seeded(1));
  const probing = new Probing();
  const sent: (Json | undefined)[] = [];
  const weight = (): number => probing.untried(operation, pool);
  // What keywords state weighs ten times as much.
  for (let before = weight(); ; before = weight()) {
    const next = probing.next(request, pool)?.content as Json | undefined;
    if (before - weight() < 10) break;
    sent.push(next);
  }
  const texts = sent.map((each) => (each as Partial<typeof body> | undefined)?.text);
  for (const length of [2, 3, 9, 10]) expect(texts.map((text) => text?.length)).toContain(length);
  expect(sent).toContainEqual({ mark: 'low' });
  expect(sent).toContainEqual({ ...body, mark: 'high' });
  expect(sent).not.toContainEqual({ ...body, unstated: 'x' });
  expect(weight()).toBeGreaterThan(0);
});
