import { expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { document } from './documents.ts';

const resources = [
  'Account: { identifier: name, fields: { name: { type: string }, role: { enum: [a, b] } } }',
  'Note:',
  '  identifier: id',
  '  fields:',
  '    id: { type: string }',
  '    owner: { refers: Account, set: { create: "${actor}" } }',
  '    reader: { refers: Account, ifDeleted: clear }',
  '    public: { type: boolean }',
].join('\n');

const endpoints = [
  'others: refuse',
  'GET /notes: { operation: list, does: list Note, response: 200 }',
  'GET /notes/{id}: { operation: show, does: read Note, response: 200 }',
  'DELETE /notes: { operation: clear, does: delete every Note, response: 204 }',
].join('\n');

const own = '"${this.owner == actor}"';

function warned(rules: string): string[] {
  const authentication = [
    'schemes: { desk: { type: http, scheme: basic, credentials: operator, actor: office } }',
    'actors: { writer: "${actor.role == \'a\'}" }',
    `authorization: { ${rules} }`,
    'otherwise: anyone',
  ].join('\n');
  const service = 'actors: { office: keeps the books, writer: writes }';
  const { diagnostics } = read('x.md', document({ service, resources, endpoints, authentication }));
  return diagnostics.filter(({ code }) => code === 'credential-not-asked').map(({ message }) => message);
}

const warning = (operation: string): string =>
  `without a credential, ${operation} succeeds and leaves out every item: the rule is about items alone`;

it.each([
  [`list: ${own}`, 'list'],
  [`clear: ${own}`, 'clear'],
  [`list: { rule: ${own} }`, 'list'],
  [`list: [${own}, known]`, 'list'],
  [`list: [${own}, writer, office]`, 'list'],
  [`list: { items: "\${this.public && this.owner == actor}" }`, 'list'],
  [`list: { rule: "\${this.public}", items: ${own} }`, 'list'],
])('a list whose rule needs a known client for each item asks for no credential: %s', (rules, operation) => {
  expect(warned(rules)).toEqual([warning(operation)]);
});

it.each([
  `list: { rule: known, items: ${own} }`,
  `list: { rule: anyone, items: ${own} }`,
  `list: { rule: [writer, office], items: [${own}, office] }`,
  'list: known',
  'list: "${this.public}"',
  'list: "${this.public || this.owner == actor}"',
  `list: [${own}, "\${this.public}"]`,
  'list: "${this.reader == actor}"',
  `show: ${own}`,
])('and not where it asks, says that it does not, or lets anybody have an item: %s', (rules) => {
  expect(warned(rules)).toEqual([]);
});
