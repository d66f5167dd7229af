import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tally } from '../semantics/playing.ts';
import { documentOf } from './document.ts';
import { judgedBySemantics } from './semantics.ts';

const isLong = process.env['TACET_LONG'] === '1';
const [from, count] = isLong ? [1, 300] : [21, 12];

it(
  'what generated documents say of generated requests is what the service does',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-semantics-'));
    const counts = tally();
    const findings: object[] = [];
    let accepted = 0;
    try {
      for (let seed = from; seed < from + count; seed++) {
        const data = join(folder, `${seed}.sqlite`);
        const judged = await judgedBySemantics(documentOf(seed), seed, data, 20, counts);
        accepted += judged.isAccepted ? 1 : 0;
        if (judged.finding) findings.push({ document: seed, ...judged.finding });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const share = counts.determined / (counts.determined + counts.undetermined);
    if (process.env['TACET_SHARES']) console.log({ accepted, share, ...counts });
    expect(findings).toEqual([]);
    expect(accepted).toBeGreaterThan(count / 2);
    expect(share).toBeGreaterThan(0.8);
  },
  isLong ? 3_600_000 : 240_000,
);
