import { describe, expect, it } from 'vitest';
import type { Known } from '../../src/assist/known.ts';
import { filesOfSpecification } from '../../src/editor/belonging.ts';
import { type Clock, Desk } from '../../src/editor/desk.ts';
import { Pace } from '../../src/editor/pace.ts';
import { type Asked, readAsked } from '../../src/editor/read.ts';
import { startReader } from '../../src/editor/reader.ts';

describe('the pace of a client', () => {
  it('waits longer for somebody who types slowly, within bounds', () => {
    const fast = new Pace();
    const slow = new Pace();
    const waits = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [fast.edited(n * 20), slow.edited(n * 250)]);
    expect(waits[0]).toEqual([80, 80]);
    expect(waits.at(-1)?.[0]).toBeLessThan(60);
    expect(waits.at(-1)?.[1]).toBeGreaterThan(350);
    expect(slow.edited(1e9)).toBeLessThanOrEqual(600);
  });
});

describe('a document that is edited', () => {
  /** A desk whose time a test turns, and what was asked of its reader. */
  function edited(content: string) {
    const asked: Asked[] = [];
    const read: Known[] = [];
    const faults: string[] = [];
    let due: (() => void) | null = null;
    let text = content;
    const clock: Clock = {
      now: () => 0,
      after: (_ms, call) => {
        due = call;
        return () => {
          due = null;
        };
      },
    };
    const reader = {
      read: async (one: Asked) => {
        asked.push(one);
        if (one.sources[0]?.content === 'fault') throw new Error('a fault');
        return readAsked(one);
      },
      close: async () => undefined,
    };
    const texts = () => ({ sources: [{ file: 'a.md', content: text }], ledger: null });
    const desk = new Desk(
      ['a.md'],
      texts,
      { reader, clock },
      {
        onRead: (known) => read.push(known),
        onFault: (error) => faults.push(error.message),
      },
    );
    return {
      desk,
      asked,
      read,
      faults,
      write: (next: string) => {
        text = next;
        desk.edited();
      },
      rest: () => due?.(),
      waits: () => due !== null,
    };
  }

  it('is read once after several edits, when the client rests', async () => {
    const { desk, asked, read, write, rest, waits } = edited('# A\n');
    write('# Ab\n');
    write('# Abc\n');
    expect([asked.length, waits()]).toEqual([0, true]);
    rest();
    await desk.current();
    expect(asked.map(({ sources }) => sources[0]?.content)).toEqual(['# Abc\n']);
    expect(read).toHaveLength(1);
  });

  it('waits for a reading that is under way, where what is true now is asked for', async () => {
    const { desk, write, rest } = edited('# A\n');
    await desk.current();
    write('# B\n');
    rest();
    expect((await desk.current()).sources[0]?.content).toBe('# B\n');
  });

  it('keeps what was last read where the reader has a fault, and tells of it', async () => {
    const { desk, faults, write, rest } = edited('# A\n');
    const first = await desk.current();
    write('fault');
    rest();
    await expect(desk.current()).rejects.toThrow('a fault');
    expect([faults, await desk.last()]).toEqual([['a fault'], first]);
  });

  it('answers from the last reading while a new one waits', async () => {
    const { desk, asked, write } = edited('# A\n');
    const first = await desk.current();
    write('# B\n');
    expect(await desk.last()).toBe(first);
    expect((await desk.current()).sources[0]?.content).toBe('# B\n');
    expect(asked).toHaveLength(2);
  });
});

describe('the reader in its thread', () => {
  it('gives what a reading beside gives', async () => {
    const reader = startReader();
    const asked: Asked = {
      name: 'a.md',
      sources: [{ file: 'a.md', content: '## Endpoints\n\n```yaml\nGET /a: { does: (open) what? }\n```\n' }],
      ledger: { file: 'a.assumptions.json', content: '[{ "at": "nowhere", "value": 1 }]' },
    };
    try {
      expect(await reader.read(asked)).toEqual(readAsked(asked));
    } finally {
      await reader.close();
    }
    await expect(reader.read(asked)).rejects.toThrow();
  });
});

describe('the files of a specification', () => {
  const head = { file: '/d/a.md', content: '```yaml\ntacet: 1\n```\n' };
  const part = { file: '/d/b.yaml', content: 'resources: {}\n' };
  const prose = { file: '/d/README.md', content: '# Read me\n\n```yaml\nkey: 1\n```\n' };
  const whole = { file: '/d/c.md', content: '```yaml\ntacet: 1\n```\n\n## Endpoints\n\n```yaml\n{}\n```\n' };
  it.each([
    ['a file with a head alone', head, [prose], ['/d/a.md']],
    ['a head and its parts', head, [part, prose], ['/d/a.md', '/d/b.yaml']],
    ['a part, found from there', part, [head, prose], ['/d/a.md', '/d/b.yaml']],
    ['one of several whole ones', whole, [head, prose], ['/d/c.md']],
    ['prose', prose, [head, part], []],
    ['YAML without a head anywhere', part, [prose], []],
  ])('are those of %s', (_what, source, others, files) => {
    expect(filesOfSpecification(source, () => [source, ...others])).toEqual(files);
  });
});
