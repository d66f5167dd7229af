import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { exportOpenApi } from '../../src/interchange/openapi/export/export.ts';
import { importOpenApi } from '../../src/interchange/openapi/import.ts';
import { documentText } from '../../src/interchange/openapi/write.ts';
import { read } from '../../src/specification/read.ts';

const page = readFileSync('docs/openapi.md', 'utf8');
const [, description = ''] = /```yaml openapi\n([\s\S]*?)\n```/.exec(page) ?? [];
const [, document = ''] = /````markdown tacet\n([\s\S]*?)````/.exec(page) ?? [];

it('the example of docs/openapi.md becomes the document that the page shows', () => {
  const imported = importOpenApi('openapi.yaml', description);
  expect(documentText(imported, 'service.assumptions.json')).toBe(document);
  expect(read('service.md', document).diagnostics).toEqual([]);
});

it('the document of docs/openapi-export.md is exported as the page shows it', () => {
  const exported = readFileSync('docs/openapi-export.md', 'utf8');
  const [, source = ''] = /```yaml tacet\n([\s\S]*?)```/.exec(exported) ?? [];
  const [, shown = ''] = /```yaml exported\n([\s\S]*?)```/.exec(exported) ?? [];
  const { specification, diagnostics } = read('tasks.yaml', source);
  expect(diagnostics).toEqual([]);
  const { description } = exportOpenApi(specification, '3.1');
  expect(stringify(description, { lineWidth: 0, aliasDuplicateObjects: false })).toBe(shown);
});

it('each kind of loss and each guess that docs/openapi.md names is one', () => {
  const { guesses } = importOpenApi('openapi.yaml', description);
  const found = Object.fromEntries(guesses.map(({ at, value, confidence }) => [at, [value, confidence]]));
  expect(found).toEqual({
    'resources.Task.identifier': ['id', 'high'],
    'resources.Task.fields.id.set.create': ['${uuid()}', 'high'],
    'endpoints.others': ['ignore', 'likely'],
    'endpoints["GET /tasks"].does': ['list Task', 'high'],
    'endpoints["GET /tasks"].request.query.done.filter': ['done', 'likely'],
    'endpoints["GET /tasks"].request.query.limit.page': ['size', 'likely'],
    'endpoints["GET /tasks"].response.body': ['${Task(page.items)}', 'high'],
    'endpoints["POST /tasks"].does': ['create Task', 'high'],
    'endpoints["POST /tasks"].response.body': ['Task', 'high'],
    'endpoints["GET /tasks/{taskId}"].does': ['read Task', 'high'],
    'endpoints["GET /tasks/{taskId}"].request.path.taskId': ['Task.id', 'high'],
    'endpoints["GET /tasks/{taskId}"].response.body': ['Task', 'high'],
    'errors.codes.not_found.when': [['unknown'], 'high'],
    authentication: ['(none)', 'high'],
    states: ['(none)', 'high'],
    events: ['(none)', 'high'],
    limits: ['(none)', 'high'],
    versioning: ['(none)', 'high'],
    complete: [['resources', 'endpoints', 'errors'], 'high'],
  });
});
