import { describe, expect, it } from 'vitest';
import { completion } from '../../src/assist/completion.ts';
import { hereIn } from '../../src/assist/here.ts';
import { hover } from '../../src/assist/hover.ts';
import { knownOf } from '../../src/assist/known.ts';

/** A document in which `|` marks a place. */
function marked(...lines: string[]): { content: string; offset: number } {
  const text = lines.join('\n');
  return { content: text.replace('|', ''), offset: text.indexOf('|') };
}

/** Under a heading, in a fence. */
function section(heading: string, ...lines: string[]) {
  return marked(`## ${heading}`, '', '```yaml', ...lines, '```', '');
}

function here({ content, offset }: ReturnType<typeof marked>, file = 'a.md') {
  const found = hereIn(file, content, offset);
  return found && [found.path, found.at, content.slice(found.from, offset)];
}

const post = ['endpoints', 'POST /notes'];

describe('the place at which somebody types', () => {
  it.each([
    ['a key', section('Endpoints', 'POST /notes:', '  res|'), [post, 'key', 'res']],
    [
      'a key on a line of its own',
      section('Endpoints', 'POST /notes:', '  |', '  does: (none)'),
      [post, 'key', ''],
    ],
    [
      'a key after a nested one',
      section('Endpoints', 'POST /notes:', '  response:', '    status: 1', '  d|'),
      [post, 'key', 'd'],
    ],
    ['a value', section('Endpoints', 'POST /notes:', '  does: cre|'), [[...post, 'does'], 'value', 'cre']],
    ['a key in braces', section('Endpoints', 'POST /notes: { does: (none), resp|'), [post, 'key', 'resp']],
    [
      'a key in braces in braces',
      section('Endpoints', 'POST /notes: { response: { status: 201, b| } }'),
      [[...post, 'response'], 'key', 'b'],
    ],
    [
      'a value in braces',
      section('Endpoints', 'POST /notes: { response: { status: 2|'),
      [[...post, 'response', 'status'], 'value', '2'],
    ],
    [
      'a key after braces that close',
      section('Endpoints', 'POST /notes: { response: { status: 201 }, d|'),
      [post, 'key', 'd'],
    ],
    [
      'a key in braces of several lines',
      section('Endpoints', 'POST /notes: {', '  does: (none),', '  r|'),
      [post, 'key', 'r'],
    ],
    [
      'an element',
      section('Resources', 'Note:', '  required: [te|'),
      [['resources', 'Note', 'required', 0], 'value', 'te'],
    ],
    [
      'a key of an element',
      section('Endpoints', 'POST /notes:', '  response:', '    - status: 201', '      b|'),
      [[...post, 'response', 0], 'key', 'b'],
    ],
    [
      'a path with a parameter',
      section('Endpoints', 'GET /notes/{id}:', '  do|'),
      [['endpoints', 'GET /notes/{id}'], 'key', 'do'],
    ],
    [
      'a colon in quotation marks is none',
      section('Endpoints', 'POST /notes: { summary: "a: {b", d|'),
      [post, 'key', 'd'],
    ],
    [
      'a comment is passed by',
      section('Endpoints', 'POST /notes: # { a', '# b:', '  d|'),
      [post, 'key', 'd'],
    ],
    [
      'a quoted block',
      marked('## Limits', '> ```yaml', '> rates:', '>   a|', '> ```'),
      [['limits', 'rates'], 'key', 'a'],
    ],
    ['the head', marked('# Notes', '```yaml', 'ta|', '```'), [[], 'key', 'ta']],
  ])('is found: %s', (_name, at, expected) => {
    expect(here(at)).toEqual(expected);
  });

  it('is found in YAML, and is none in prose', () => {
    expect(here(marked('resources:', '  Note:', '    fi|'), 'a.yaml')).toEqual([
      ['resources', 'Note'],
      'key',
      'fi',
    ]);
    expect(here(marked('# Notes', 'Some | prose.', '', '```yaml', 'tacet: 1', '```'))).toBeNull();
    expect(here(marked('# Notes', '```js', 'a|', '```'))).toBeNull();
  });
});

describe('completion', () => {
  const labels = (at: ReturnType<typeof marked>) =>
    completion('a.md', at.content, at.offset)?.options.map(({ label }) => label);

  it('offers the keys of the language, with their section and sentence', () => {
    const at = section('Endpoints', 'POST /notes:', '  |');
    const found = completion('a.md', at.content, at.offset);
    expect(found?.options.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['does', 'request', 'response']),
    );
    expect(found?.options.find(({ label }) => label === 'does')).toMatchObject({
      insert: 'does: ',
      detail: '§4.1',
      info: expect.stringMatching(/\.$/),
    });
  });

  it('offers what may stand there, and not what may stand elsewhere', () => {
    expect(labels(section('Resources', 'Note: { |'))).toContain('identifier');
    expect(labels(section('Resources', 'Note: { |'))).not.toContain('does');
    expect(labels(section('Resources', 'Note: { fields: { text: { |'))).toContain('maxLength');
    expect(labels(section('Endpoints', 'POST /notes: { response: { |'))).toContain('status');
  });

  it('offers the words of a key', () => {
    expect(labels(section('Endpoints', 'others: |'))).toEqual(
      expect.arrayContaining(['refuse', 'ignore', 'keep']),
    );
    expect(labels(section('Resources', 'Note: { fields: { text: { type: |'))).toContain('string');
  });

  it('offers nothing in prose', () => {
    expect(labels(marked('# Notes', 'te|'))).toBeUndefined();
  });
});

describe('hover', () => {
  const hovered = ({ content, offset }: ReturnType<typeof marked>) => {
    const known = knownOf('a.md', [{ file: 'a.md', content }], [], () => ({
      points: new Map(),
      diagnostics: [],
    }));
    const found = hover(known, 'a.md', offset);
    return found && { ...found, key: content.slice(found.start, found.end) };
  };

  it('says what a key states, and what holds while it is open', () => {
    const found = hovered(section('Endpoints', 'POST /notes: { response: { sta|tus: 201 } }'));
    expect(found).toMatchObject({ key: 'status', title: 'status (§H.3)' });
    expect(found?.says.length).toBeGreaterThan(1);
    expect(found?.says).toContainEqual(expect.stringMatching(/^While it is open: /));
  });

  it('says nothing of names of the author, of values and of prose', () => {
    expect(hovered(section('Endpoints', 'POST /notes: { does: crea|te Note }'))).toBeNull();
    expect(hovered(marked('## End|points', '```yaml', 'GET /notes: { does: list Note }', '```'))).toBeNull();
  });
});
