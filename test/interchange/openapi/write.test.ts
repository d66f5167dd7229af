import { describe, expect, it } from 'vitest';
import { importOpenApi } from '../../../src/interchange/openapi/import.ts';
import { documentText } from '../../../src/interchange/openapi/write.ts';
import { json } from '../../../src/source/node.ts';
import { read } from '../../../src/specification/read.ts';

/** What is read of the document that is made of a description with these texts. */
function readAgain(about: string, member: string) {
  const description = {
    ...{ openapi: '3.1.0', info: { title: 'Things', version: '1', description: `Things.\n\n${about}` } },
    paths: {
      '/things': {
        get: {
          responses: {
            200: {
              description: 'all',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: {
            size: { type: 'string', description: member },
          },
        },
      },
    },
  };
  const document = documentText(importOpenApi('x.json', JSON.stringify(description)), null);
  const { specification, diagnostics } = read('x.md', document);
  return { document, diagnostics, tree: json(specification.tree) };
}

describe('the document that import writes', () => {
  it.each(['```\ncurl\n```', '  ```yaml\na: 1\n  ```', '`````\n```\n`````'])(
    'is read whole, though a description has code in it: %j',
    (code) => {
      const { document, diagnostics, tree } = readAgain(code, 'A size.');
      expect(diagnostics).toEqual([]);
      expect(tree).toMatchObject({
        service: { description: expect.stringContaining(code.trim()) },
        resources: { Thing: { identifier: '(none)' } },
        endpoints: { 'GET /things': { response: { shape: 'Thing' } } },
      });
      expect(document).toMatch(/^`{4,}yaml$/m);
    },
  );

  it('has no longer fences than it needs', () => {
    expect(readAgain('Say `a`, or ``` b.', 'A size.').document).not.toContain('````');
  });

  it('has texts of several lines as they are, however short', () => {
    const text = 'Only if:\n* `provider`== `own`';
    const { diagnostics, tree } = readAgain('', text);
    expect(diagnostics).toEqual([]);
    expect(tree).toMatchObject({
      resources: { Thing: { fields: { size: { description: text } } } },
    });
  });
});
