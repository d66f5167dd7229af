import { describe, expect, it } from 'vitest';
import { Requests } from '../../src/console/requests.ts';
import { stagesOf } from '../../src/console/stages.ts';
import type { Answered } from '../../src/service/answered.ts';
import { read } from '../../src/specification/read.ts';

const answered: Answered = {
  method: 'GET',
  path: '/notes',
  operation: 'listNotes',
  version: null,
  status: 200,
  condition: null,
  about: [],
  statements: [],
  held: [],
  tookMs: 1,
};

describe('the requests that were answered', () => {
  it('are told as they come, and the latest thousand are kept', () => {
    const requests = new Requests(() => Date.UTC(2026, 10, 21, 12));
    const heard: number[] = [];
    requests.heard = ({ id }) => heard.push(id);
    for (let left = 0; left < 1002; left += 1) requests.note(answered);
    expect([heard.length, requests.count, requests.all().length]).toEqual([1002, 1002, 1000]);
    expect(requests.all()[0]).toEqual({ ...answered, id: 1002, time: '2026-11-21T12:00:00.000Z' });
    expect(requests.all().at(-1)?.id).toBe(3);
  });
});

describe('the stages of a request', () => {
  const { specification } = read('a.md', '# A\n');
  const stages = (of: Partial<Answered>, document = specification) =>
    stagesOf(document, { ...answered, ...of }).map(({ name, state }) => `${name}: ${state}`);

  it('were all passed, if it was not refused', () => {
    expect(stages({}).at(-1)).toBe('answer: decided');
    expect(stages({}).filter((one) => one.endsWith('passed')).length).toBe(11);
  });

  it('are passed up to the one that refused, and not reached beyond', () => {
    expect(stages({ condition: 'not authorized', status: 403 })).toEqual([
      'read: passed',
      'route: passed',
      'version: passed',
      'who asks: passed',
      'limits: passed',
      'media types: passed',
      'find and authorize: decided',
      'content: not reached',
      'repeats: not reached',
      'preconditions: not reached',
      'change: not reached',
      'answer: not reached',
    ]);
    expect(stages({ condition: 'out_of_stock', status: 409 })).toContain('change: decided');
    expect(stages({ condition: 'toString', status: 409 })).toContain('change: decided');
  });

  it('are not told where they are not known', () => {
    expect(stages({ held: ['endpoints.*'], status: 501 })).toEqual([]);
    expect(stages({ status: null })).toEqual([]);
    expect(stages({ status: 400, reason: 'a header is too long' })).toEqual([]);
    const ordered = read(
      'a.md',
      '## Errors\n```yaml\ncodes: { bad: { when: malformed, status: 400 } }\norder: [bad]\n```\n',
    );
    expect(stages({}, ordered.specification)).toEqual([]);
  });
});
