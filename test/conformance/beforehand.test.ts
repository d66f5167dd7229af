import { expect, it } from 'vitest';
import { namesFor } from '../../src/conformance/names.ts';
import { item } from '../../src/conformance/partly.ts';
import { nothingBefore } from '../../src/conformance/refusals/beforehand.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { specificationOf } from '../service/served.ts';

const of = specificationOf(`
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      state: { type: string, writable: true }
      count: { type: integer }
      seenBy: { type: string, maxLength: 3, writable: false }
    invariants: { it is counted: "\${this.count > 0}" }
states:
  Note.state:
    states: [new, old]
    initial: new
    transitions: { age: { from: new, to: old, set: { seenBy: "\${actor.kind}" } } }
endpoints:
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note, media: application/merge-patch+json } }
  POST /notes/{id}/age: { operation: age, does: age Note }
errors:
  codes:
    bad: { when: invalid, status: 400 }
    wrong: { when: invariant broken, status: 409 }
  order: [bad, wrong]
`);

it.each(['age', 'change'])(
  'tells of nothing that does not fit where a transition sets who asks: %s',
  (name) => {
    const operation = of.operations.find((one) => one.name === name) as Operation;
    const note = of.resourcesByName.get('Note') as Resource;
    const asked = {
      operation,
      request: null,
      item: item(note, [['state', 'new']], []),
      given: { state: 'old' },
    };
    const who = {
      of,
      url: 'http://localhost',
      persona: null,
      cast: [],
      personas: [],
      clock: () => ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00Z'] as const,
    };
    const names = new Map(namesFor(who, asked)).set('actor', { kind: 'writer' });
    const request = { method: 'POST', url: 'http://localhost/', headers: [], body: null };
    const reasons = [{ name: 'invariant broken', subject: 'Note', failures: [] }] as const;
    expect(nothingBefore(of, operation, reasons, names, request).value).toBeNull();
  },
);
