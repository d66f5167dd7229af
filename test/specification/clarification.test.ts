import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { tacet, temporaryFolder } from '../cli/terminal.ts';

const { file } = temporaryFolder();

const keptFor = (value: string, prose = ''): string => `# Notes
${prose}
## Resources

\`\`\`yaml
Note:
  identifier: id
  fields: { id: { type: string }, text: { type: string, maxLength: ${value} } }
\`\`\`
`;

/** What stands at the one bound, and what is found of the document. */
function found(value: string, prose = ''): { point: unknown; at: string; codes: string[] } {
  const { specification, diagnostics } = read('notes.md', keptFor(value, prose));
  const point = specification.points.get('resources.Note.fields.text.maxLength');
  const { text, start, end } = point?.at ?? { text: { content: '' }, start: 0, end: 0 };
  return {
    point: point && [point.state, point.question],
    at: text.content.slice(start, end),
    codes: diagnostics.map(({ code, message }) => `${code}: ${message}`),
  };
}

describe('a mark of spec-kit that stands as a value asks there (language §B, rule 7)', () => {
  it.each([
    ['[NEEDS CLARIFICATION: how long?]', 'how long?'],
    ['"[NEEDS CLARIFICATION: how long?]"', 'how long?'],
    ["'[NEEDS CLARIFICATION: how long?]'", 'how long?'],
    ['[NEEDS CLARIFICATION]', null],
    ['[NEEDS CLARIFICATION: ]', null],
    [`[NEEDS CLARIFICATION: how long, 5: "or { it's 6? # or 7]`, `how long, 5: "or { it's 6? # or 7`],
  ])('%s', (mark, question) => {
    expect(found(mark)).toEqual({ point: ['open', question], at: mark, codes: [] });
  });

  it('and a list or text that only has such words is none', () => {
    expect(found('[NEEDS, CLARIFICATION]').codes).toEqual([expect.stringContaining('bad-keyword')]);
    expect(found('"5 [NEEDS CLARIFICATION: or 6?]"').codes).toEqual([expect.stringContaining('bad-keyword')]);
  });

  it('and a text in several lines keeps it', () => {
    const text = 'description: |\n  Notes: [NEEDS CLARIFICATION: whose?]\nresources: (none)\n';
    const { specification, diagnostics } = read('notes.yaml', text);
    expect(specification.points.get('resources')?.state).toBe('stated');
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['question-in-prose', 'warning'],
    ]);
  });
});

describe('a mark in prose is no point', () => {
  it('so a warning says that no statement answers it', () => {
    expect(
      found('5', '\nThey stay [NEEDS CLARIFICATION: how\tlong?], and `[NEEDS CLARIFICATION: x]`.\n').codes,
    ).toEqual([
      expect.stringMatching(/^question-in-prose: no statement answers what is asked in prose: how.+long\?$/),
    ]);
    expect(found('5', '\n```text\n[NEEDS CLARIFICATION: x]\n```\n').codes).toEqual([]);
  });

  it('and tacet check, status and next list it', async () => {
    const path = file('notes.md', keptFor('5', '\nThey stay [NEEDS CLARIFICATION: how long?].\n'));
    for (const command of ['check', 'status', 'next']) {
      const { code, out, error } = await tacet([command, path]);
      expect([code, out + error]).toEqual([
        0,
        expect.stringContaining(`${path}:3:11 warning question-in-prose`),
      ]);
    }
  });

  it('and status --json and next --json have it beside the points', async () => {
    const asked = '\nThey stay [NEEDS CLARIFICATION: how long?].\n';
    const path = file('notes.md', keptFor('5', asked));
    const description = file(
      'notes.yaml',
      'description: "A [NEEDS CLARIFICATION: what?]"\nresources: (none)\n',
    );
    for (const command of ['status', 'next']) {
      const questions = async (of: string): Promise<unknown> =>
        (JSON.parse((await tacet([command, of, '--json'])).out) as { inProse: unknown }).inProse;
      expect(await questions(path)).toEqual([{ question: 'how long?', at: `${path}:3:11` }]);
      expect(await questions(description)).toEqual([{ question: 'what?', at: `${description}:1:17` }]);
    }
  });
});

describe('a mark in a description that is imported', () => {
  const description = (quote: string): string => `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      responses:
        '200':
          description: "[NEEDS CLARIFICATION: which notes?]"
          content:
            application/json:
              schema:
                type: object
                properties: { text: { type: string, maxLength: ${quote}[NEEDS CLARIFICATION: how long, 5: or 6?]${quote} } }
`;

  it.each(['', '"', "'"])('asks at the point that is made of it, in quotation marks %j', async (quote) => {
    const source = file(`openapi${quote.charCodeAt(0)}.yaml`, description(quote));
    const out = `${source}.md`;
    expect((await tacet(['import', source, '-o', out])).code).toBe(0);
    const written = readFileSync(out, 'utf8');
    expect(written).toContain('maxLength: "(open) how long, 5: or 6?"');
    expect(written).toContain('description: "[NEEDS CLARIFICATION: which notes?]"');
    const { code, error } = await tacet(['check', out]);
    expect([code, error]).toEqual([0, expect.stringContaining('question-in-prose')]);
  });
});
