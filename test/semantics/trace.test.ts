import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exploring } from '../../src/conformance/explore/explorer.ts';
import { seeded } from '../../src/conformance/random.ts';
import { messageOf } from '../../src/conformance/requests/message.ts';
import { Pool } from '../../src/conformance/requests/pool.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import { received } from '../../src/semantics/message/message.ts';
import { step } from '../../src/semantics/request/request.ts';
import { conditionsOf } from '../../src/semantics/request/trace.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Answered } from '../../src/service/answered.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf, start } from '../service/served.ts';

const document = `
tacet: 1
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, title: { type: string, maxLength: 3, unique: true } }
    required: [title]
endpoints:
  PUT /notes/{id}: { operation: put, does: { create: Note, present: update }, conditional: { tag: weak }, request: { body: Note }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
authentication: (none)
errors:
  codes:
    none:  { when: unknown Note, status: 404 }
    unfit: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    odd:   { when: "\${request.body.title == 'odd'}", operations: [put], status: 400 }
`;

function traced(method: string, target: string, body: object | null): readonly string[] {
  const specification = specificationOf(document.replace(' conditional: { tag: weak },', ''));
  const headers = { 'content-type': 'application/json' };
  const message = { method, target, headers, body: body ? JSON.stringify(body) : '' };
  const found = received(message, 'http://a', specification);
  if (!('kind' in found) || found.kind !== 'request') throw new TypeError('no request');
  const [first] = step(new World(specification), found.request);
  return conditionsOf(first?.trace ?? [], found.request.operation, specification).map(
    ({ condition, refuses, by }) => `${condition}: ${refuses ? 'refuses' : 'passes'}, ${by.join(' ')}`,
  );
}

describe('the trace of a request', () => {
  it('has all conditions that were judged, in their order, with the statements', () => {
    const put = 'endpoints["PUT /notes/{id}"]';
    expect(traced('PUT', '/notes/1', { title: 'odd' })).toEqual([
      `unknown: passes, ${put}.does`,
      `invalid: passes, ${put}.request.body`,
      `not unique: passes, ${put}.does`,
      'expression: refuses, errors.codes.odd',
    ]);
  });

  it('ends where the request is refused', () => {
    const put = 'endpoints["PUT /notes/{id}"]';
    expect(traced('PUT', '/notes/1', { title: 'long' })).toEqual([
      `unknown: passes, ${put}.does`,
      `invalid: refuses, ${put}.request.body`,
    ]);
    expect(traced('DELETE', '/notes/1', null)).toEqual([
      'unknown: refuses, endpoints["DELETE /notes/{id}"].does',
    ]);
  });
});

const seeds = process.env['TACET_LONG'] ? 200 : 2;

describe('what refuses a request in the service', () => {
  it.each(['todo', 'publishing', 'ledger', 'directory'])('is what the trace says: %s', async (name) => {
    const text = readFileSync(`examples/${name}.md`, 'utf8');
    const specification = specificationOf(text);
    let refusals = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const answered: Answered[] = [];
      const { address: url, close } = await start(text, { onAnswered: (each) => void answered.push(each) });
      const explorer = exploring(new Pool(specification, seeded(seed)), url);
      let world: World | null = new World(specification);
      for (let count = 0; count < 40 && world !== null; count++) {
        const candidate = explorer.next(world, world.received);
        const { request } = candidate;
        const { method, path, headers, body } = messageOf(request, specification);
        const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
        const content = await answer.text();
        const shown = {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: content === '' ? undefined : (JSON.parse(content) as Json),
        };
        const fitting = step(world, request).filter((each) => judge([each], shown).differences.length === 0);
        const { condition } = answered.at(-1) as Answered;
        const traces = fitting.map(({ trace }) => conditionsOf(trace, request.operation, specification));
        const refusing = traces.map((all) =>
          all.filter(({ refuses }) => refuses).map((each) => each.condition as string),
        );
        if (condition === null) expect(refusing).toContainEqual([]);
        else {
          refusals += 1;
          // What a row conceals (`as`) is answered as the other condition: then either may be named.
          const concealed = condition === 'unknown' ? 'not authorized' : 'invariant broken';
          const isConcealed = refusing.flat().includes(concealed);
          expect(refusing.flat()).toContain(isConcealed ? concealed : condition);
        }
        const after: World | null = judge(step(world, request), shown).world;
        if (after) explorer.note(candidate, answer.status, world, after);
        world = after;
      }
      await close();
    }
    expect(refusals).toBeGreaterThan(0);
  });
});
