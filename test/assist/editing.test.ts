import { describe, expect, it } from 'vitest';
import { completion } from '../../src/assist/completion.ts';
import { fixesAt, writtenAnew } from '../../src/assist/fixes.ts';
import { hover } from '../../src/assist/hover.ts';
import type { Known } from '../../src/assist/known.ts';
import { type Outlined, symbols } from '../../src/assist/outline.ts';
import { shift, shifted } from '../../src/assist/place.ts';
import { tokens } from '../../src/assist/tokens.ts';
import { exampleNamed, fresh, known, withEdits } from './reading.ts';

/** A document of one part, and the offset of `|` in it. */
function part(title: string, ...lines: readonly string[]) {
  const marked = `## ${title}\n\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n`;
  return { source: { file: 'a.md', content: marked.replace('|', '') }, offset: marked.indexOf('|') };
}

const examples = ['parcel-desk.md', 'todo.md', 'payments.md', 'train-travel.md'].map(exampleNamed);

describe('quick fixes', () => {
  it.each([
    [
      'a name',
      part(
        'Resources and their fields',
        'Note: { identifier: nubmer, fields: { number: { type: string } } }',
      ),
      'Write number',
      'identifier: number,',
    ],
    ['a key', part('Endpoints', 'GET /a: { dose: (none) }'), 'Write does', '{ does: (none)'],
  ])('write what was meant by %s', (_what, { source }, title, line) => {
    const before = known(source);
    const fixes = before.findings.flatMap((one) => one.fixes);
    expect(fixes.map((one) => one.title)).toEqual([title]);
    const [after] = withEdits([source], fixes[0]?.edits ?? []);
    expect(after?.content).toContain(line);
  });

  it('leave a point open, and spell notation out', () => {
    const { source, offset } = part('Endpoints', 'GET /a:', '  resp|onse: 204');
    const [open, spelled] = fixesAt(known(source).keys, { file: 'a.md', start: offset, end: offset });
    expect([open?.title, spelled?.title]).toEqual(['Leave response open', 'Spell the notation out']);
    expect(withEdits([source], open?.edits ?? [])[0]?.content).toContain('  response: (open)\n');
    expect(withEdits([source], spelled?.edits ?? [])[0]?.content).toContain('  response: { status: 204 }\n');
  });

  it('ask at a key without a value', () => {
    const { source, offset } = part('Endpoints', 'GET /a:', '  do|es:', '  response: 204');
    const [open] = fixesAt(known(source).keys, { file: 'a.md', start: offset, end: offset });
    expect(withEdits([source], open?.edits ?? [])[0]?.content).toContain('  does: (open)\n  response: 204\n');
  });

  it('spell out each notation of the examples, and say the same', () => {
    for (const source of examples) {
      const before = known(source);
      const spelled = before.keys.filter((key) => key.spelled !== undefined);
      const edits = spelled.map(({ from, to, spelled: text = '' }) => ({
        file: source.file,
        start: from,
        end: to,
        text,
      }));
      const after = known(...withEdits([source], edits));
      expect(fresh(before, after)).toEqual([]);
      expect(after.names.map(({ name }) => name)).toEqual(before.names.map(({ name }) => name));
    }
  });

  it('leave each point of an example open, and the document can be read', () => {
    const source = exampleNamed('todo.md');
    const before = known(source);
    for (const key of before.keys.filter((one) => one.isPoint && !one.isOpen)) {
      const fix = fixesAt(before.keys, { file: source.file, start: key.start, end: key.start })[0];
      const after = known(...withEdits([source], fix?.edits ?? []));
      expect([key.path, after.findings.filter(({ code }) => code.startsWith('yaml'))]).toEqual([
        key.path,
        [],
      ]);
    }
  });

  it('write words that are gone anew', () => {
    const { source } = part('Limits', 'sizes: { body: 1 MB }');
    expect(writtenAnew([source])).toBeNull();
    const old = part('Errors', 'codes:', '  gone: { when: malformed, status: 400, title: Not understood }');
    expect(withEdits([old.source], writtenAnew([old.source])?.edits ?? [])[0]?.content).toContain(
      'status: 400, message: Not understood }',
    );
  });
});

describe('what is said where a caret stands', () => {
  const { source, offset } = part('Endpoints', 'GET /a:', '  do|es: (open) who knows?');
  const asked: Known = {
    ...known(source),
    points: new Map([
      ['endpoints["GET /a"].does', { state: 'open', holds: ['GET /a'], question: 'who knows?' }],
    ]),
  };

  it('is the reference, and the state of the point with what it holds up', () => {
    const found = hover(asked, 'a.md', offset);
    expect(found?.title).toBe('does (§4.1)');
    expect(found?.says.at(-1)).toBe('Open; holds up GET /a. It asks: who knows?');
  });

  it('is what is open within', () => {
    const found = hover(asked, 'a.md', source.content.indexOf('GET'));
    expect(found?.says.at(-1)).toBe('Open within: does; holds up GET /a.');
  });

  it('is the name, and how often it is used', () => {
    const desk = known(exampleNamed('parcel-desk.md'));
    const at = exampleNamed('parcel-desk.md').content.indexOf('correctParcel');
    const found = hover(desk, 'parcel-desk.md', at);
    expect([found?.title, found?.says]).toEqual(['operation correctParcel', ['It is used 2 times.']]);
  });
});

describe('the names that are offered', () => {
  it('are those that the key takes, of the machine at hand', () => {
    const desk = known(exampleNamed('parcel-desk.md'));
    const offered = (...lines: string[]) => {
      const { source, offset } = part('States and transitions', ...lines);
      return completion('a.md', source.content, offset, desk.names)?.options.map(({ label }) => label);
    };
    expect(offered('Parcel.status:', '  initial: |')).toEqual(
      expect.arrayContaining(['registered', 'moving', 'delivered', 'cancelled']),
    );
    expect(offered('Other.status:', '  initial: |')).not.toContain('moving');
  });
});

describe('the outline', () => {
  it('has the parts, and what they give names to', () => {
    const desk = exampleNamed('parcel-desk.md');
    const shown = (one: Outlined): string => `${one.kind} ${one.name}`;
    const found = symbols(known(desk).keys, desk.file);
    expect(found.map(({ name }) => name)).toHaveLength(9);
    expect(found[1]?.within.map(shown)).toEqual(
      ['Account', 'Parcel', 'Address', 'Scan', 'Hook'].map((name) => `entry ${name}`),
    );
    expect(found[2]?.within[0]?.within.map(shown)).toContain('transition deliver');
    for (const { start, end, at } of found[3]?.within ?? [])
      expect(start <= at.start && at.end <= end).toBe(true);
  });
});

describe('the tokens', () => {
  it('do not overlap, and are what stands there', () => {
    for (const source of examples) {
      const { keys, names } = known(source);
      const found = tokens(keys, names, source.file);
      expect(found.length).toBeGreaterThan(20);
      for (const [index, one] of found.entries())
        expect(one.start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
    }
  });

  it('tell keys of the language from names, and mark what is open', () => {
    const { source } = part('Endpoints', 'GET /a:', '  operation: showA', '  does: (open)');
    const { keys, names } = known(source);
    const found = tokens(keys, names, 'a.md').map(({ kind, start, end, declares }) => [
      kind,
      source.content.slice(start, end),
      declares,
    ]);
    expect(found).toEqual([
      ['key', 'GET /a', false],
      ['key', 'operation', false],
      ['operation', 'showA', true],
      ['key', 'does', false],
      ['marker', '(open)', false],
    ]);
  });
});

describe('a place in a text that was edited since', () => {
  const moved = shift('one two three', 'one 2 three');
  it.each([
    [
      { file: 'a', start: 0, end: 3 },
      { file: 'a', start: 0, end: 3 },
    ],
    [
      { file: 'a', start: 8, end: 13 },
      { file: 'a', start: 6, end: 11 },
    ],
    [{ file: 'a', start: 5, end: 6 }, null],
  ])('%o is %o', (before, now) => {
    expect(shifted(before, moved)).toEqual(now);
  });
});
