import { expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { document } from './documents.ts';

const resources = [
  'Account: { identifier: name, fields: { name: { type: string } } }',
  'Note:',
  '  identifier: id',
  '  fields:',
  '    id: { type: string }',
  '    owner: { refers: Account, ifDeleted: refuse, set: { create: "${actor}" } }',
  '    reader: { refers: Account, ifDeleted: clear }',
  '    public: { type: boolean }',
].join('\n');

const endpoints = 'GET /notes/{id}: { operation: show, does: read Note, response: 200 }';

function warnings(rule: string): number {
  const authentication = `authorization: { show: ${rule} }\notherwise: anyone`;
  const { diagnostics } = read('x.md', document({ resources, endpoints, authentication }));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return diagnostics.filter(({ code }) => code === 'null-actor').length;
}

it.each([
  '"${this.reader == actor}"',
  '"${actor == this.reader}"',
  '["${this.reader == actor}", known]',
  '"${this.public && this.reader == actor}"',
  '"${this.owner == actor || this.reader == actor}"',
])('a rule that compares actor with what may be null lets in a client that nobody knows: %s', (rule) => {
  expect(warnings(rule)).toBe(1);
});

it.each([
  '"${this.owner == actor}"',
  '"${actor != null && this.reader == actor}"',
  '"${this.reader != null && this.reader == actor}"',
  '{ rule: known, items: "${this.reader == actor}" }',
  '"${this.reader != actor}"',
  'anyone',
])('a rule that does not is no fault: %s', (rule) => {
  expect(warnings(rule)).toBe(0);
});

it('a rule for many operations is told of once', () => {
  const authentication = 'otherwise: "${this.reader == actor}"';
  const more = `${endpoints}\nDELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }`;
  const { diagnostics } = read('x.md', document({ resources, endpoints: more, authentication }));
  expect(diagnostics.filter(({ code }) => code === 'null-actor')).toHaveLength(1);
});
