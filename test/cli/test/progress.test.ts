import { describe, expect, it } from 'vitest';
import { progress } from '../../../src/cli/test/progress.ts';
import type { RunEvent } from '../../../src/conformance/stream.ts';
import { plain } from '../../../src/source/diagnostic.ts';
import { violation } from './runs.ts';

const begins: readonly RunEvent[] = [
  {
    kind: 'run begins',
    version: 2,
    specification: { file: 'notes.md', name: 'Notes' },
    url: 'http://127.0.0.1:9',
    seed: 1,
    began: '2026-11-21T12:00:00.000Z',
  },
  { kind: 'part begins', part: 1 },
];

/** The line as it stands at the end, and what stands above it. */
function shown(events: readonly RunEvent[], columns = 80): { line: string; above: string } {
  const written: string[] = [];
  const line = progress({ write: (text) => void written.push(text), columns: () => columns }, plain);
  for (const event of [...begins, ...events]) line(event);
  const lines = written.join('').split('\r\u001b[2K');
  return {
    line: lines.at(-1) ?? '',
    above: lines
      .slice(0, -1)
      .filter((one) => one.endsWith('\n'))
      .join(''),
  };
}

describe('the line that shows how far a run is', () => {
  it('tells how long is waited at the most', () => {
    const waiting: RunEvent = { kind: 'waiting', part: 1, mostMs: 4200 };
    expect(shown([waiting]).line).toBe('waits up to 4.2 s · 0 checks · 0 requests · 0 violations');
  });

  it('tells of the part again once that is over', () => {
    const waiting: RunEvent = { kind: 'waiting', part: 1, mostMs: 5000 };
    const found: RunEvent = { kind: 'result', part: 1, result: violation };
    const { line, above } = shown([waiting, found]);
    expect(line).toBe('walk 1 · 1 check · 0 requests · 1 violation');
    expect(above).toBe(
      'violates  POST /notes answers with 201  notes.md:9:23\n          expected status 201, found status 200\n',
    );
  });

  it('is never longer than the terminal is wide', () => {
    const waiting: RunEvent = { kind: 'waiting', part: 1, mostMs: 4200 };
    expect(shown([waiting], 40).line).toHaveLength(39);
  });

  it('is left out where no line can be written anew: the first violation of each cause stands alone, at once', () => {
    const written: string[] = [];
    const hear = progress({ write: (text) => void written.push(text) }, plain);
    const found: RunEvent = { kind: 'result', part: 1, result: violation };
    const other = { ...violation, statement: { ...violation.statement, address: 'resources.Note' } };
    for (const event of begins) hear(event);
    expect(written).toEqual([]);
    hear(found);
    expect(written).toEqual([expect.stringMatching(/^violates {2}POST \/notes answers with 201 {2}/)]);
    hear(found);
    hear({ kind: 'result', part: 2, result: other });
    expect(written).toHaveLength(2);
  });
});
