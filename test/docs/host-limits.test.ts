import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hostLimitsHelp, written } from '../../src/cli/serve/host-limits.ts';
import { hostLimitTable } from '../../src/service/message/host-limits.ts';
import { tacet } from '../cli/terminal.ts';

const rows = Object.values(hostLimitTable);

it('docs/host-limits.md has the table of the code', () => {
  const page = readFileSync('docs/host-limits.md', 'utf8');
  const shown = rows.map(({ option, unit, usual, bounds, answer }) => {
    const each = option === 'max-password-checks' ? '32 for each at once' : written(unit, usual);
    return `| \`--${option}\` | ${bounds} | ${each} | ${answer} |`;
  });
  expect(page.split('\n').filter((line) => line.startsWith('| `--'))).toEqual(shown);
});

it.each(['serve', 'dev'])('tacet %s --help lists every host limit', async (command) => {
  const { out } = await tacet([command, '--help']);
  expect(out).toContain(hostLimitsHelp);
  for (const { option, bounds } of rows)
    expect(hostLimitsHelp).toMatch(new RegExp(`--${option} .*\\n +${bounds} `));
});
