import { expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { usualRequest } from '../../../src/conformance/requests/requests.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
tacet: 1
complete: true
resources:
  Product: { identifier: code, fields: { code: { type: string, pattern: "^[0-9]{6}$" } } }
  Order:   { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } } } }
  Line:
    identifier: id
    fields:
      id:      { type: integer, set: { create: "\${sequence()}" } }
      order:   { refers: Order, ifDeleted: delete }
      product: { refers: Product, ifDeleted: delete }
      count:   { type: integer, minimum: 1, maximum: 9 }
endpoints:
  protocol: RFC 9110
  PUT /products/{code}: { operation: add, does: { create: Product, present: keep }, response: 204 }
  POST /orders:
    operation: order
    does: create Order
    also: [{ create: Line, for: "\${request.body.lines}", with: { order: "\${this}", product: "\${value.product}", count: "\${value.count}" } }]
    request: { body: { fields: { lines: { type: array, minItems: 1, maxItems: 9, items: { properties: { product: { type: string }, count: { type: integer, minimum: 1, maximum: 9 } }, required: [product, count] } } }, required: [lines] } }
    response: { status: 201, body: Order }
  POST /products/{code}/lines:
    operation: addLine
    does: { create: Line, with: { product: "\${product}", count: "\${request.body.count}" } }
    request: { path: { code: Product.code as product }, body: { fields: { count: { type: integer } }, required: [count] } }
    response: { status: 201, body: Line }
  POST /lines:
    operation: addLines
    does: { run: addLine, for: "\${request.body.all}", request: { path: { code: "\${value.product}" }, body: { count: "\${value.count}" } } }
    request: { body: { fields: { all: { type: array, maxItems: 9, items: { type: object } } }, required: [all] } }
    response: { status: 207, body: { statuses: "\${results.map(r, r.status)}" } }
`);

function operationNamed(name: string): Operation {
  return specification.operations.find((each) => each.name === name) as Operation;
}

/** A world with some products. */
function stocked(pool: Pool): World {
  let world = new World(specification);
  for (let made = 0; made < 3; made++)
    world = step(world, usualRequest(operationNamed('add'), world, pool, 'http://a')).at(-1)?.world ?? world;
  return world;
}

it.each([
  ['order', 201, (body: unknown) => body],
  ['addLines', 207, (body: { statuses: readonly number[] }) => body.statuses.includes(201)],
])('%s mostly has elements for which what is done one by one succeeds', (name, status, isDone) => {
  let done = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const pool = new Pool(specification, seeded(seed));
    const world = stocked(pool);
    const prediction = step(world, usualRequest(operationNamed(name), world, pool, 'http://a')).at(
      -1,
    )?.prediction;
    const isRight = Array.isArray(prediction?.status) && prediction.status.includes(status);
    if (isRight && isDone(prediction?.body as never)) done += 1;
  }
  expect(done).toBeGreaterThan(20);
});
