import { describe, expect, it } from 'vitest';
import { answered, edited } from '../../src/assist/answered.ts';
import type { Json } from '../../src/source/node.ts';
import { read, readFolder, type Source } from '../../src/specification/read.ts';
import { isUnder } from '../../src/specification/reading/address.ts';

/** The text after a point is answered, which must be read without a fault; null: it cannot be answered there. */
function stating(content: string, address: string, value: Json, file = 'notes.md'): string | null {
  const sources: Source[] = [{ file, content }];
  const edit = answered(sources, address, value);
  if (edit === null) return null;
  const text = edited(sources, edit);
  const { specification, diagnostics } = read(file, text);
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual(
    [],
  );
  const states = [...specification.points.values()].filter((point) => isUnder(point.address, address));
  expect(states.map(({ state }) => state)).toContain('stated');
  return text;
}

/** What stands under a heading, in a fence. */
function section(heading: string, ...lines: string[]): string {
  return [`## ${heading}`, '', '```yaml', ...lines, '```', ''].join('\n');
}

const post = 'endpoints["POST /notes"]';

describe('answering a point in the document', () => {
  it('puts the value in the place of the marker, and changes no other letter', () => {
    const text = section(
      'Endpoints',
      '# in order of use',
      'POST /notes: { response: { status: (open) 201, or 202?  , headers: (none) } } # soon',
    ).replace('201, or', '201 or');
    expect(stating(text, `${post}.response.status`, 201)).toBe(text.replace('(open) 201 or 202?', '201'));
  });

  it('puts what is missing into the place of a marker that stands for more', () => {
    const text = section('Endpoints', 'POST /notes:', '  response: (open) 201 or 202?', '  does: (none)');
    expect(stating(text, `${post}.response.status`, 201)).toBe(
      text.replace('(open) 201 or 202?', '{ status: 201 }'),
    );
  });

  it('adds a line to a block, behind its last comment and as far to the right', () => {
    const text = section(
      'Endpoints',
      'POST /notes:',
      '    does: (none) # yet',
      '',
      'GET /notes:',
      '    does: (none)',
    );
    expect(stating(text, `${post}.response.status`, 204)).toBe(
      text.replace('# yet', '# yet\n    response: { status: 204 }'),
    );
  });

  it('adds an entry of a part at the end of its block, before the fence', () => {
    const text = section('Endpoints', 'POST /notes:', '  does: (none)', '  response:', '    status: 204');
    expect(stating(text, 'endpoints.protocol', 'RFC 9110')).toBe(
      text.replace('204\n', '204\nprotocol: RFC 9110\n'),
    );
    const long = section('Endpoints', 'POST /notes:', '  does: |', '    (none)');
    expect(stating(long, 'endpoints.protocol', 'RFC 9110')).toBe(
      long.replace('(none)\n', '(none)\nprotocol: RFC 9110\n'),
    );
  });

  it('adds a member within braces, also if they are empty or take several lines', () => {
    const text = section('Endpoints', 'POST /notes: { does: (none),', '  response: {} }');
    expect(stating(text, `${post}.response.status`, 204)).toBe(text.replace('{} }', '{ status: 204 } }'));
    expect(stating(text, `${post}.operation`, 'addNote')).toBe(
      text.replace('{} }', '{}, operation: addNote }'),
    );
  });

  it('gives a key without a value its value', () => {
    const text = section('Endpoints', 'POST /notes:', '  does: (none)', '  response:');
    expect(stating(text, `${post}.response.status`, 204)).toBe(
      text.replace('response:', 'response: { status: 204 }'),
    );
  });

  it('writes a block under the heading of a part of which nothing is stated, after its prose', () => {
    const text = '# Notes\n\n## Resources\n\nWhat is kept.\n\n## Endpoints\n\nWhat is asked.\n';
    expect(stating(text, 'resources.Note.identifier', 'id')).toBe(
      text.replace('What is kept.\n', 'What is kept.\n\n```yaml\nNote: { identifier: id }\n```\n'),
    );
    expect(stating(text, 'endpoints["GET /notes/{id}"].does', 'read Note')).toBe(
      `${text}\n\`\`\`yaml\nGET /notes/{id}: { does: read Note }\n\`\`\`\n`,
    );
  });

  it('does not take a comment of a block for a heading', () => {
    const text = '# Notes\n\n## Service\n\n```yaml\n# none\n```\n\nMore.\n'.replace(
      'Service',
      'What the service does',
    );
    expect(stating(text, 'service.purpose', 'Keeps notes')).toBe(
      `${text}\n\`\`\`yaml\npurpose: Keeps notes\n\`\`\`\n`,
    );
  });

  it('adds the heading where there is none', () => {
    expect(stating('# Notes\n', 'service.purpose', 'Keeps notes')).toBe(
      '# Notes\n\n## What the service does\n\n```yaml\npurpose: Keeps notes\n```\n',
    );
  });

  it('writes YAML, and JSON in JSON', () => {
    expect(stating('name: Notes\n', 'service.purpose', 'Keeps notes', 'notes.yaml')).toBe(
      'name: Notes\nservice:\n  purpose: Keeps notes\n',
    );
    const json = '{ "service": { "purpose": "(open)" } }';
    expect(stating(json, 'service.purpose', 'Keeps notes', 'notes.json')).toBe(
      json.replace('(open)', 'Keeps notes'),
    );
    expect(stating(json, 'service.scope', '(none)', 'notes.json')).toBe(
      json.replace('"(open)"', '"(open)", "scope": "(none)"'),
    );
  });

  it('keeps quotes around a block, and the ends of its lines', () => {
    const text = '## Endpoints\r\n\r\n> ```yaml\r\n> POST /notes:\r\n>   does: (none)\r\n> ```\r\n';
    expect(stating(text, `${post}.response.status`, 204)).toBe(
      text.replace('(none)\r\n', '(none)\r\n>   response: { status: 204 }\r\n'),
    );
  });

  it('quotes what would be read as something else', () => {
    const text = section('What the service does', 'scope: (none)');
    expect(stating(text, 'service.purpose', 'yes')).toBe(text.replace('(none)', '(none)\npurpose: "yes"'));
    expect(stating(text, 'service.purpose', 'It keeps: notes')).toContain('purpose: "It keeps: notes"');
  });

  it('says where there is no place: what is no address, the rest of a list, beside a value', () => {
    const text = section('Endpoints', 'POST /notes: { does: create Note, response: [204] }');
    expect(answered([{ file: 'a.md', content: text }], 'nothing.here', 1)).toBeNull();
    expect(answered([{ file: 'a.md', content: text }], 'endpoints.*', '(none)')).toBeNull();
    expect(answered([{ file: 'a.md', content: text }], `${post}.does.with`, 1)).toBeNull();
    expect(answered([{ file: 'a.md', content: text }], `${post}.response[3].status`, 1)).toBeNull();
  });

  it('edits the document of a folder in which the part stands', () => {
    const sources = [
      { file: 'f/a.md', content: '# Notes\n' },
      { file: 'f/b.md', content: section('Endpoints', 'GET /notes: (open)') },
    ];
    const edit = answered(sources, 'endpoints["GET /notes"].does', '(none)');
    expect(edit?.file).toBe('f/b.md');
    const text = edited(sources, edit as NonNullable<typeof edit>);
    expect(text).toBe(section('Endpoints', 'GET /notes: { does: (none) }'));
    const [first] = sources;
    const { diagnostics } = readFolder('f', [first as Source, { file: 'f/b.md', content: text }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
