import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostLimitLog, hostLimitOptions, hostLimitsOf } from '../../../src/cli/serve/host-limits.ts';
import { hostLimits, hostLimitTable } from '../../../src/service/message/host-limits.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder } = temporaryFolder();

describe('the options of host limits', () => {
  it('are one for each limit, and state it', () => {
    expect(Object.keys(hostLimitOptions)).toEqual(Object.values(hostLimitTable).map(({ option }) => option));
    const values = {
      'max-body': '2MiB',
      'max-header-bytes': '4 kB',
      'max-json-depth': '8',
      'request-timeout': 'PT0.5S',
    };
    expect(hostLimitsOf({ values, positionals: [] })).toEqual({
      bodyBytes: 2 << 20,
      headerBytes: 4000,
      jsonDepth: 8,
      requestTimeoutMs: 500,
    });
  });

  it.each([
    ['--max-body', '1 Mb', '--max-body 1 Mb: a size, as 1MiB is wanted'],
    ['--max-json-depth', '0', '--max-json-depth 0: a whole number from 1 on is wanted'],
    ['--max-json-depth', '1kB', '--max-json-depth 1kB: a whole number from 1 on is wanted'],
    ['--request-timeout', '30', '--request-timeout 30: a duration, as PT30S is wanted'],
    ['--request-timeout', 'P1M', '--request-timeout P1M: a duration, as PT30S is wanted'],
  ])('%s %s is refused', async (option, value, told) => {
    const data = join(folder, 'x.sqlite');
    const { code, error } = await tacet(['serve', 'examples/todo.md', '--data', data, option, value]);
    expect(code).toBe(2);
    expect(error).toContain(`tacet: ${told}\n`);
  });
});

describe('the log of host limits', () => {
  it('tells of the first refusal by each, and then once a minute of how many there were', () => {
    let now = 0;
    const lines: string[] = [];
    const log = hostLimitLog(
      { ...hostLimits, bodyBytes: 2048 },
      (line) => void lines.push(line),
      () => now,
    );
    log('bodyBytes');
    log('concurrentRequests');
    for (now = 1; now < 60_000; now += 10_000) log('bodyBytes');
    now = 60_000;
    log('bodyBytes');
    log('bodyBytes');
    expect(lines).toEqual([
      'host limit: --max-body (2 KiB) refused a request: 413\n',
      'host limit: --max-requests (10000) refused a request: 503\n',
      'host limit: --max-body (2 KiB) refused a request: 413, and 6 more since the last line\n',
    ]);
  });
});
