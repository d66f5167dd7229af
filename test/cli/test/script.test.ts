import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { script } from '../../../src/cli/test/shell/script.ts';
import { told } from '../../../src/conformance/http.ts';
import { testService } from '../../../src/conformance/run.ts';
import type { Bound, Sequence, Step } from '../../../src/conformance/sequences/sequence.ts';
import { read } from '../../../src/specification/read.ts';
import { startTickets } from '../../faulty/tickets.ts';
import { startTodo } from '../../faulty/todo.ts';
import { listening } from '../../listening.ts';

const run = promisify(execFile);

/** What a shell prints that reads these commands, with what it complains of. */
async function pasted(commands: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr } = await run('bash', ['-c', commands], { env: { ...process.env, ...environment } });
  expect(stderr).toBe('');
  return stdout;
}

/** The statuses that an output shows, in order. */
function statuses(out: string): readonly number[] {
  return [...out.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

const none = new Map<string, string>();

const stepOf = (
  request: Partial<Step['request']>,
  answer: Partial<NonNullable<Step['answer']>> = {},
): Step => ({
  request: { method: 'GET', path: '/', headers: [], body: null, ...request },
  answer: { status: 200, headers: [], body: '', ...answer },
});

const sequenceOf = (steps: readonly Step[], values: readonly Bound[] = []): Sequence => ({
  steps,
  values,
  varies: [],
  confirmed: true,
});

const shown = (sequence: Sequence) => ({ says: "it's so", expected: 'a', found: 'b', sequence });

describe('the commands that lead to a violation', () => {
  it('show it again each time they are pasted, with an identifier that the service makes anew', async () => {
    const faulty = await startTodo('an item that was removed is 200');
    try {
      const { specification } = read('todo.md', readFileSync('examples/todo.md', 'utf8'));
      const report = await testService(specification, { url: faulty.url, seed: 1, walks: 320, sequences: 3 });
      const found = report.sequences.find(({ says }) => /^\w+ \/\{id\}: status$/.test(says));
      if (!found) throw new Error('there is no such violation');
      const commands = script(found, { url: faulty.url, secrets: none });
      const outs = [await pasted(commands), await pasted(commands)];
      expect(outs.map(statuses)).toEqual([
        [204, 200],
        [204, 200],
      ]);
      const [first, second] = outs.map((out) => /location_1 is (\S+), and was (\S+)/.exec(out) ?? []);
      expect(new Set([first?.[1], second?.[1], first?.[2]]).size).toBe(3);
      // What the identifier was in the run stands in the commands.
      expect(commands).toContain(`'${first?.[2]}'`);
    } finally {
      await faulty.close();
    }
  });

  it('take a member of an answer for the next request', async () => {
    const faulty = await startTickets('close leads not out of waiting');
    try {
      const { specification } = read(
        'tickets.yaml',
        readFileSync('test/documents/changing/tickets.yaml', 'utf8'),
      );
      const report = await testService(specification, { url: faulty.url, seed: 1, bail: true, sequences: 1 });
      const commands = script(report.sequences[0] as (typeof report.sequences)[0], {
        url: faulty.url,
        secrets: none,
      });
      expect(commands).toContain('id_1=$(curl -sS -X POST --path-as-is "$url/tickets" ');
      expect(commands).toContain('"$url/tickets/$id_1/close"');
      expect(statuses(await pasted(commands)).at(-1)).toBe(409);
    } finally {
      await faulty.close();
    }
  });

  it('are one line where one request shows it, and need no variable', () => {
    const commands = script(shown(sequenceOf([stepOf({ path: '/a?b=[c]' })])), {
      url: 'http://127.0.0.1:9',
      secrets: none,
    });
    expect(commands).toBe("curl -sS -i -X GET --path-as-is --globoff 'http://127.0.0.1:9/a?b=[c]'\n");
  });

  it('send bytes that are no text, and ask for a part of them', async () => {
    const content = Buffer.from([0, 0xff, 0x25, 0x5c, 0x0a, 0x27, 0x80, 0]);
    let kept = Buffer.alloc(0);
    const service = await listening(
      createServer(async (incoming, outgoing) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        if (incoming.method === 'PUT') kept = Buffer.concat(chunks);
        outgoing.end(`${incoming.headers['content-type']} ${incoming.headers.range}`);
      }),
    );
    const type = ['content-type', 'image/png'] as const;
    const put = stepOf({ method: 'PUT', headers: [type], ...told(content) });
    const steps = [put, stepOf({ headers: [['range', 'bytes=-3']] })];
    const about = { url: service.url, secrets: none };
    const [whole, alone] = [steps, [put]].map((some) => script(shown(sequenceOf(some)), about));
    expect(await pasted(whole as string)).toMatch(/image\/png undefined.*undefined bytes=-3/s);
    expect(kept).toEqual(content);
    kept = Buffer.alloc(0);
    await pasted(alone as string);
    expect(kept).toEqual(content);
    await service.close();
  });

  it('send what was sent, whatever stands in it, with what answers, the operator and chance give', async () => {
    const seen: {
      readonly line: string;
      readonly headers: IncomingMessage['headers'];
      readonly body: string;
    }[] = [];
    const odd = { ...mirror(seen) };
    const service = await listening(createServer(odd.hear));
    const text = `it's "so" $HOME \`id\` \\n !! ${String.fromCharCode(0x85)} é`;
    const cursor = 'a+b/c=';
    const steps = [
      stepOf({
        method: 'POST',
        path: '/items',
        body: '{"name":"QAB-177"}',
        headers: [
          ['Content-Type', 'application/json'],
          ['X-None', ''],
        ],
      }),
      stepOf({
        path: `/items/7?after=${encodeURIComponent(cursor)}`,
        headers: [
          ['X-Key', '{credentials.key.kim}'],
          ['If-Match', '"tag-0001"'],
        ],
      }),
      stepOf({
        method: 'PUT',
        path: '/items/7',
        headers: [['Authorization', `Basic ${Buffer.from('QAB-177:pass').toString('base64')}`]],
        body: JSON.stringify({ text, item: 7, cursor }),
      }),
    ];
    const values: Bound[] = [
      { was: 'QAB-177' },
      {
        was: '7',
        from: { step: 0, at: { body: '/items/0/id' } },
        uses: [
          { step: 1, segment: 1 },
          { step: 2, segment: 1 },
          { step: 2, body: '/item' },
        ],
      },
      { was: cursor, from: { step: 0, at: { header: 'x-cursor' } } },
      { was: '"tag-0001"', from: { step: 0, at: { header: 'etag' } } },
    ];
    try {
      const commands = script(shown(sequenceOf(steps, values)), { url: service.url, secrets: none });
      expect(commands.split('\n')[0]).toBe(": 'it'\\''s so'");
      await pasted(commands, { CREDENTIALS_KEY_KIM: "the key's" });
    } finally {
      await service.close();
    }
    const [made, asked, put] = seen;
    const name = (JSON.parse(made?.body ?? '') as { name: string }).name;
    expect(name).toMatch(/^[A-Z]{3}-[1-9]{3}$/);
    expect(name).not.toBe('QAB-177');
    expect(made?.headers['x-none']).toBe('');
    expect(asked?.line).toBe(`GET /items/8?after=${encodeURIComponent(odd.cursor)}`);
    expect(asked?.headers).toMatchObject({ 'x-key': "the key's", 'if-match': '"tag-2"' });
    expect(put?.line).toBe('PUT /items/8');
    expect(put?.headers.authorization).toBe(`Basic ${Buffer.from(`${name}:pass`).toString('base64')}`);
    expect(JSON.parse(put?.body ?? '')).toEqual({ text, item: 8, cursor: odd.cursor });
  });

  it('send together what was sent together', async () => {
    let waiting: (() => void)[] = [];
    const service = await listening(
      createServer((_, response) => {
        waiting.push(() => void response.end('{"id":"abcdefgh-1"}'));
        // Neither is answered before both are there.
        if (waiting.length < 2) return;
        for (const answer of waiting) answer();
        waiting = [(): void => {}];
      }),
    );
    const steps = [
      stepOf({ method: 'POST' }),
      { ...stepOf({ method: 'POST' }), together: true as const },
      stepOf({ path: '/abcdefgh-0' }),
    ];
    const values = [{ was: 'abcdefgh-0', from: { step: 1, at: { body: '/id' } } }];
    try {
      const out = await pasted(script(shown(sequenceOf(steps, values)), { url: service.url, secrets: none }));
      expect(statuses(out)).toEqual([200, 200, 200]);
      expect(out).toContain('id_2 is abcdefgh-1, and was abcdefgh-0');
    } finally {
      await service.close();
    }
  });

  it('ask for secrets that they do not contain', async () => {
    const commands = script(shown(sequenceOf([stepOf({ headers: [['X-Key', '{credentials.key.kim}']] })])), {
      url: 'http://127.0.0.1:9',
      secrets: none,
    });
    await expect(run('bash', ['-c', commands])).rejects.toThrow(
      /CREDENTIALS_KEY_KIM: is to be credentials\.key\.kim/,
    );
    const known = new Map([['{credentials.key.kim}', 'a b']]);
    const whole = script(shown(sequenceOf([stepOf({ headers: [['X-Key', '{credentials.key.kim}']] })])), {
      url: 'http://127.0.0.1:9',
      secrets: known,
    });
    expect(whole).toContain("\nCREDENTIALS_KEY_KIM='a b'\n");
  });
});

/** Notes what it is sent, and answers with values that differ from those of the run. */
function mirror(seen: { line: string; headers: IncomingMessage['headers']; body: string }[]) {
  const cursor = '/x=+"y';
  return {
    cursor,
    hear: (request: IncomingMessage, response: import('node:http').ServerResponse): void => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
        response.setHeader('X-Cursor', cursor).setHeader('ETag', '"tag-2"');
        response.end('{"items":[{"id":8}]}');
      });
    },
  };
}
