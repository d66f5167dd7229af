import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { definition } from '../../src/assist/definition.ts';
import type { Named } from '../../src/assist/names.ts';
import { references } from '../../src/assist/references.ts';
import { rename } from '../../src/assist/rename.ts';
import { isLong } from '../long.ts';
import { exampleNamed, fresh, known, withEdits } from './reading.ts';

const notes = {
  file: 'notes.md',
  content: `# Notes

\`\`\`yaml
tacet: 1
complete: [resources.Note.fields]
let:
  mine: this.owner == actor
\`\`\`

## What the service does

\`\`\`yaml
actors: { writer: writes }
\`\`\`

## Resources and their fields

\`\`\`yaml
Writer: { identifier: id, fields: { id: { type: string }, key: { type: string, secret: plain } } }
Note:
  identifier: id
  fields:
    id: { type: string, set: { create: "\${uuid()}" } }
    owner: { refers: Writer }
    state: { type: string }
    place: Place
  required: [state]
Place: { identifier: (none), fields: { town: { type: string } }, required: [town] }
Short: { of: Note, shows: [id, owner] }
\`\`\`

## States and transitions

\`\`\`yaml
Note.state:
  states: [draft, out]
  initial: draft
  transitions:
    publish: { from: draft, to: out, when: "\${this.place.town != ''}" }
\`\`\`

## Endpoints

\`\`\`yaml
GET /notes:
  operation: listNotes
  does: { list: Note, where: "\${this.state == 'out' || mine}", order: [-state] }
  response: { status: 200, body: "\${Short(page.items)}" }
POST /notes/{id}/publication:
  operation: publishNote
  does: publish Note
  request: { path: { id: Note.id } }
  response: { status: 200, body: Short }
\`\`\`

## Authentication

\`\`\`yaml
schemes:
  token: { type: http, scheme: bearer, credentials: { kept: Writer.key }, actor: Writer }
actors: { writer: "\${actor != null}" }
authorization: { listNotes: anyone, publishNote: writer }
\`\`\`

## Errors

\`\`\`yaml
codes:
  not_ready: { when: guard refused Note.publish, operations: [publishNote], status: 409 }
order: [not_ready]
\`\`\`
`,
};

const { content } = notes;
const names = (): readonly Named[] => known(notes).names;

/** The offset of `|` in the first place at which the rest stands. */
function caret(marked: string): number {
  const at = content.indexOf(marked.replace('|', ''));
  if (at < 0) throw new RangeError(`${marked} does not stand there`);
  return at + marked.indexOf('|');
}

/** The lines (from 1) of the uses of a name, and of its declaration first. */
function lines(kind: Named['kind'], name: string): readonly number[] {
  const found = names().find((one) => one.kind === kind && one.name === name);
  const places = found ? [...(found.declared ? [found.declared] : []), ...found.uses] : [];
  return places.map(({ start }) => content.slice(0, start).split('\n').length);
}

const lineOf = (text: string): number => content.slice(0, content.indexOf(text)).split('\n').length;

describe('the names of a document', () => {
  it('has every place of a resource: in its machine, changes, references, views, expressions, credentials, addresses', () => {
    expect(lines('entry', 'Note')).toEqual(
      [
        'Note:\n',
        'complete:',
        'Short: {',
        'Note.state:',
        'does: { list: Note',
        'does: publish Note',
        'request: { path: { id: Note.id',
        'not_ready: {',
      ].map(lineOf),
    );
    expect(lines('entry', 'Writer')).toEqual(
      ['Writer: {', 'owner: { refers', 'token: {', 'token: {'].map(lineOf),
    );
  });

  it('has every place of a field: also in what a shape says of its own', () => {
    expect(lines('field', 'Note.state')).toEqual(
      ['state: { type', 'required: [state]', 'Note.state:', 'does: { list', 'does: { list'].map(lineOf),
    );
    expect(lines('field', 'Place.town')).toEqual(['Place: {', 'Place: {', 'publish: {'].map(lineOf));
  });

  it('has a state also where an expression compares it', () => {
    expect(lines('state', 'Note.state.out')).toEqual(
      ['states: [draft', 'publish: {', 'does: { list'].map(lineOf),
    );
  });

  it.each([
    ['transition', 'Note.publish', ['publish: {', 'does: publish', 'not_ready: {']],
    ['operation', 'publishNote', ['operation: publishNote', 'authorization: {', 'not_ready: {']],
    ['actor', 'writer', ['actors: { writer: writes', 'actors: { writer: "', 'authorization: {']],
    ['let', 'mine', ['mine: this', 'does: { list']],
    ['code', 'not_ready', ['not_ready: {', 'order: [not_ready']],
  ] as const)('has a %s', (kind, name, expected) => {
    expect(lines(kind, name)).toEqual(expected.map(lineOf));
  });
});

describe('where a name is declared and used', () => {
  it.each([
    ['a resource', 'does: { list: No|te', 'Note:\n  id'],
    ['the field of a machine, and not its resource', 'Note.sta|te:', 'state: { type'],
    ['the resource of a machine', 'No|te.state:', 'Note:\n  id'],
    ['a field of a field', "place.to|wn != ''", 'town: { type'],
    ['a state', "state == 'o|ut'", 'out]'],
    ['a let', '|mine}', 'mine: this'],
  ])('leads to the declaration of %s', (_what, from, to) => {
    expect(definition(names(), 'notes.md', caret(from))?.start).toBe(content.indexOf(to));
  });

  it('is nothing in prose and at a key of the language', () => {
    expect(definition(names(), 'notes.md', caret('# No|tes'))).toBeNull();
    expect(references(names(), 'notes.md', caret('ident|ifier: id\n'), true)).toEqual([]);
  });

  it('leaves the declaration out if that is wanted', () => {
    const at = caret('operation: publish|Note');
    expect(references(names(), 'notes.md', at, true)).toHaveLength(3);
    expect(references(names(), 'notes.md', at, false)).toHaveLength(2);
  });
});

/** A document with what stands at `|` by another name: before and after. */
function renamedAt(marked: string, to: string): readonly [before: string, after: string | undefined] {
  const source = { file: 'a.yaml', content: marked.replace('|', '') };
  const before = known(source);
  const found = rename(before.names, 'a.yaml', marked.indexOf('|'), to);
  const [after] = withEdits([source], 'edits' in found ? found.edits : []);
  return [source.content, after?.content];
}

describe('a renaming', () => {
  it.each([
    ['No|te:\n', 'note', /begins with a capital letter/],
    ['No|te:\n  id', 'Place', /there is a resource, shape or view Place already/],
    ['sta|te: { type', 'the state', /is no name here/],
    ['# No|tes', 'Other', /no name of yours stands here/],
  ])('at %s is refused', (at, to, why) => {
    expect(rename(names(), 'notes.md', caret(at), to)).toEqual({ refused: expect.stringMatching(why) });
  });

  const rules = `resources:
  Note:
    identifier: key
    fields:
      key: { type: string, holds: { it is short: "\${value.size() < 9}", it is there: "\${value != ''}" } }
    invariants: { it is kept: "\${this.key != ''}", it is good: "\${this.key != 'a'}" }
endpoints:
  GET /notes/{key}/{page}:
    operation: notes
    does: read Note
    request: { query: { limit: {}, of: {} }, headers: { Tenant: {}, Region: {} } }
    response: { status: 200, body: "\${request.query.limit}" }
`;

  it.each([
    ['lim|it: {}', 'of', 'there is a parameter of already'],
    ['lim|it: {}', 'the-limit', 'the-limit is no name here: a letter or _, then letters, digits or _'],
    ['of|: {}', 'the limit', 'the limit is no name here: a letter or _, then letters, digits, _, . or -'],
    ['Tena|nt', 'region', 'there is a parameter region already'],
    ['Tena|nt', 'a.b', 'a.b is no name here: a letter, then letters, digits, _ or -'],
    ['{pa|ge}', 'key', 'there is a parameter key already'],
    ['it is ke|pt', 'it is good', 'there is an invariant it is good already'],
    ['it is ke|pt', 'a: b', /^a: b is no name here: a letter, then letters, digits, spaces/],
    ['it is sh|ort', 'it is there', 'there is a rule it is there already'],
    ['it is sh|ort', '"so"', /^"so" is no name here/],
  ])('of %s to %s is refused', (marked, to, why) => {
    const at = rules.indexOf(marked.replace('|', '')) + marked.indexOf('|');
    const refused = typeof why === 'string' ? why : expect.stringMatching(why);
    const { names } = known({ file: 'a.yaml', content: rules });
    expect(rename(names, 'a.yaml', at, to)).toEqual({ refused });
  });

  it('goes through all files of a folder', () => {
    const files = [
      { file: 'a.yaml', content: rules },
      {
        file: 'b.yaml',
        content: `errors: { codes: { wrong: { when: invalid query.limit, operations: [notes], status: 400 } } }
open: { 'resources.Note.invariants["it is kept"]': why? }
`,
      },
    ];
    const { names, findings } = known(...files);
    expect(findings).toEqual([]);
    const limit = rename(names, 'b.yaml', files[1]?.content.indexOf('limit') ?? 0, 'most');
    const sentence = rename(names, 'a.yaml', rules.indexOf('it is kept'), 'it stays');
    const edits = [limit, sentence].flatMap((one) => ('edits' in one ? one.edits : []));
    expect(withEdits(files, edits).map(({ content }) => content)).toEqual(
      files.map(({ content }) => content.replaceAll('limit', 'most').replaceAll('it is kept', 'it stays')),
    );
  });

  it('of an operation without a name is refused', () => {
    const unnamed = { file: 'a.yaml', content: 'endpoints:\n  GET /a: { does: (none) }\n' };
    expect(rename(known(unnamed).names, 'a.yaml', 14, 'list')).toEqual({
      refused: 'GET /a is a method and a path; give the operation a name, with `operation`',
    });
  });

  /** A document, what to rename in it (at `|`), and the document after. */
  it.each([
    [
      'a field that a path names by its name alone: in further paths, examples and addresses',
      `resources: { Note: { identifier: i|d, fields: { id: { type: string } } } }
endpoints:
  GET /notes/{id}:
    does: read Note
    paths: ["/v0/notes/{id}"]
    response: { status: 200, body: Note }
    examples: { one: { request: { path: { id: a } } } }
versioning:
  versions: { "2": {}, "1": { differs: { 'endpoints["GET /notes/{id}"].response.status': 201 } } }
`,
    ],
    [
      'a field that one expression reads of several resources: it is renamed in all of them',
      `resources:
  Note: { identifier: key, fields: { key: { type: string }, i|d: { type: string } } }
  Page: { identifier: key, fields: { key: { type: string }, id: { type: string } } }
endpoints:
  GET /notes: { operation: notes, does: list Note }
  GET /pages: { operation: pages, does: list Page }
authentication:
  schemes: { token: { type: http, scheme: bearer } }
  otherwise: { rule: anyone, items: "\${this.id != ''}" }
`,
    ],
    [
      'a field that an expression with escapes reads twice',
      `resources: { Note: { identifier: key, fields: { key: { type: string }, i|d: { type: string } } } }
endpoints:
  GET /notes: { does: { list: Note, where: "\${this.id == \\"\\" || this.id == 'a' || 'b' == this.id}" } }
`,
    ],
    [
      'a field that an expression on several lines reads twice',
      `resources: { Note: { identifier: key, fields: { key: { type: string }, i|d: { type: string } } } }
endpoints:
  GET /notes:
    does:
      list: Note
      where: "\${this.id == '' ||
        this.id == 'a'}"
  GET /notes/all:
    does:
      list: Note
      where: >-
        \${this.id == '' ||
        this.id == 'a'}
`,
    ],
    [
      'a version',
      `resources: { Note: { identifier: key, fields: { key: { type: string } } } }
versioning: { scheme: semver, place: { header: V }, default: id, versions: { "2": {}, i|d: {} } }
`,
    ],
  ])('of %s', (_what, marked) => {
    const [before, after] = renamedAt(marked, 'zz');
    expect(after).toBe(before.replace(/\bid\b/g, 'zz'));
  });

  it.each([
    [
      'a query parameter: in expressions, conditions, examples, defaults and requests that operations send',
      `resources: { Note: { identifier: key, fields: { key: { type: string }, at: { type: string } } } }
endpoints:
  GET /notes:
    operation: notes
    does: { list: Note, where: "\${request.query.i|d == null || this.at == request.query['id']}" }
    request: { query: { id: { type: string }, of: { type: string, filter: at } } }
    examples: { one: { request: { query: { id: a } } } }
  GET /pages: { operation: pages, does: list Note, request: { query: { ids: { type: string } } } }
  POST /runs: { does: { run: notes, request: { query: { id: "\${request.body.it}" } } } }
errors: { codes: { wrong: { when: [invalid query.id, malformed query.id], status: 400 } } }
limits: { defaults: { 'endpoints["GET /notes"].request.query.id': a } }
versioning: { versions: { "2": {}, "1": { differs: { 'endpoints["GET /notes"].request.query.id': { type: string, minLength: 1 } } } } }
`,
    ],
    [
      'a parameter that an expression reads of several operations: in each of them',
      `resources: { Note: { identifier: key, fields: { key: { type: string } } } }
let: { mine: "\${request.query.id == 'a'}" }
endpoints:
  GET /notes: { operation: notes, does: { list: Note, where: "\${mine && this.key != ''}" }, request: { query: { i|d: {} } } }
  GET /pages: { operation: pages, does: { list: Note, where: "\${mine && this.key != ''}" }, request: { query: { id: {} } } }
`,
    ],
    [
      'a header field, in any case',
      `endpoints:
  every POST: { request: { headers: { id: { type: string } } } }
  POST /a: { does: (none), response: { status: 200, body: "\${request.headers.i|d}" } }
  POST /b: { does: (none), response: { status: 200, body: "\${request.headers['id']}" } }
`,
    ],
    [
      'a parameter of a path: in all paths and wherever the path is a name',
      `resources: { Note: { identifier: key, fields: { key: { type: string } } } }
complete: ['endpoints["GET /notes/{id}/ids"].request']
endpoints:
  GET /notes/{id}/ids:
    does: read Note
    paths: ["/ids/{i|d}"]
    request: { path: { id: Note.key } }
    response: { status: 200, body: "\${request.path.id}" }
    examples: { one: { request: { path: { id: a } } } }
authentication:
  schemes: { token: { type: http, scheme: bearer } }
  authorization: { "GET /notes/{id}/ids": anyone }
`,
    ],
    [
      'a parameter of a path, of several operations on it',
      `endpoints:
  GET /a/{i|d}:
    - { operation: one, when: "\${request.path.id == 'b'}", does: (none), response: 204 }
    - { operation: two, does: (none), response: 204 }
`,
    ],
    [
      'the field of a parameter that has a shape beside it, or is one of several operations',
      `resources: { Note: { identifier: i|d, fields: { id: { type: string } } } }
endpoints:
  GET /notes/{id}:
    - { operation: one, when: "\${request.path.id == 'b'}", does: read Note, request: { path: { id: { type: string } } } }
    - { operation: two, does: read Note }
`,
    ],
    [
      'an invariant',
      `resources: { Note: { identifier: key, fields: { key: { type: string } }, invariants: { i|d: "\${this.key != ''}" } } }
versioning: { versions: { "2": {}, "1": { differs: { 'resources.Note.invariants["id"]': (none) } } } }
`,
    ],
    [
      'a rule of a field',
      `resources: { Note: { identifier: key, fields: { key: { type: string, holds: { i|d: "\${value != ''}" } } } } }
complete: [resources.Note.fields.key.holds]
open: { resources.Note.fields.key.holds.id: why? }
`,
    ],
  ])('of %s', (_what, marked) => {
    const [before, after] = renamedAt(marked, 'zz');
    expect(after).toBe(before.replace(/\bid\b/g, 'zz'));
    expect(known({ file: 'a.yaml', content: before }).findings).toEqual([]);
  });

  const others: Partial<Record<Named['kind'], string>> = { entry: 'Zzz', event: 'zzz.event' };

  /** Each name is a reading of its own, so that the others are for a long run. */
  const few = ['subscriptions.md', 'todo.md'];

  it.each(isLong ? readdirSync(new URL('../../examples', import.meta.url)) : few)(
    'of each name of %s leaves a document that says the same',
    (file) => {
      const source = exampleNamed(file);
      const before = known(source);
      const failed: string[] = [];
      for (const { kind, name, word, declared, uses } of before.names) {
        if (declared === null || kind === 'version' || name.includes(' ')) continue;
        const to = others[kind] ?? 'zzz';
        const found = rename(before.names, file, declared.start, to);
        const after = known(...withEdits([source], 'edits' in found ? found.edits : []));
        const renamed = `${name.slice(0, name.length - word.length)}${to}`;
        const same = after.names.find((one) => one.kind === kind && one.name === renamed);
        if (fresh(before, after).length > 0 || same?.uses.length !== uses.length)
          failed.push(`${file} ${kind} ${name}`);
      }
      expect(failed).toEqual([]);
    },
    600_000,
  );
});
