import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lossTable } from '../../src/cli/written.ts';
import { readAsyncApi } from '../../src/interchange/asyncapi/description.ts';
import { lostIn } from '../../src/interchange/asyncapi/losing.ts';
import { importDescriptions } from '../../src/interchange/openapi/import.ts';
import { remedies } from '../../src/interchange/openapi/unreadable.ts';
import { documentText } from '../../src/interchange/openapi/write.ts';
import { read } from '../../src/specification/read.ts';

const page = readFileSync('docs/asyncapi.md', 'utf8');
const [, description = ''] = /```yaml asyncapi\n([\s\S]*?)\n```/.exec(page) ?? [];
const [, document = ''] = /````markdown tacet\n([\s\S]*?)````/.exec(page) ?? [];
const [, losses = ''] = /```text losses\n([\s\S]*?)\n```/.exec(page) ?? [];
const imported = importDescriptions([readAsyncApi('asyncapi.yaml', `${description}\n`)]);

it('the example of docs/asyncapi.md becomes the document that the page shows', () => {
  expect(documentText(imported, null)).toBe(document);
  expect(read('service.md', document).diagnostics).toEqual([]);
});

it('loses what docs/asyncapi.md lists', () => {
  expect(lossTable(imported.losses).join('\n')).toBe(losses);
});

it('each loss that is looked for is in the table of docs/asyncapi.md, by its class', () => {
  for (const [kind, what] of lostIn) expect(page).toMatch(new RegExp(`^\\| ${kind} \\|.*${what}`, 'm'));
});

it('each code of a refusal is in docs/asyncapi.md', () => {
  const codes = [...page.matchAll(/^\| `(description-\w+)` \|/gm)].map(([, code]) => code);
  expect(codes).toEqual(Object.keys(remedies));
});
