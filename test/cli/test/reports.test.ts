import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTodo } from '../../faulty/todo.ts';
import type { Running } from '../../listening.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path, file } = temporaryFolder();
const ended = new AbortController().signal;
const document = file('todo.md', readFileSync('examples/todo.md'));
const inFolder = (name: string): string => join(path, name);
const schema = (name: string) => JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as object;

const validEvent = () =>
  new Ajv2020({ strict: false, validateFormats: false })
    .addSchema([schema('test'), schema('test-full')])
    .compile(schema('test-events'));

let faulty: Running;
beforeAll(async () => {
  faulty = await startTodo('create answers 200');
});
afterAll(() => faulty.close());

const test = (...args: readonly string[]) =>
  tacet(['test', document, '--url', faulty.url, '--walks', '48', ...args], { ended });

describe('tacet test --report', () => {
  it('writes several reports of one run, and the text besides', async () => {
    const names = { html: 'a.html', junit: 'made/here/a.xml', sarif: 'a.sarif', json: 'a.json' };
    const { code, out } = await test(
      ...Object.entries(names).flatMap(([name, at]) => ['--report', `${name}=${inFolder(at)}`]),
    );
    expect([code, out]).toEqual([1, expect.stringContaining('1 check found a violation')]);
    const [html, junit, sarif, json] = Object.values(names).map((at) => readFileSync(inFolder(at), 'utf8'));
    expect(html).toMatch(/^<!doctype html>.*1 check found a violation.*<\/html>\n$/s);
    expect(junit).toMatch(/ failures="1" .*<\/testsuites>\n$/s);
    expect(JSON.parse(sarif ?? '')).toMatchObject({ runs: [{ results: [{ level: 'error' }] }] });
    expect(JSON.parse(json ?? '')).toMatchObject({ inOrder: false, counts: { violates: { stated: 1 } } });
  });

  it('prints one in place of the text, as --json does', async () => {
    const { code, out } = await test('--report', 'github');
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=[^\n]+\n::notice title=[^\n]+::1 check found a violation\n$/);
    const [json, same] = [await test('--json'), await test('--report', 'json=-')];
    expect(Object.keys(JSON.parse(json.out) as object)).toEqual(Object.keys(JSON.parse(same.out) as object));
  });

  it('writes what happens as lines of the stated form', async () => {
    const { out } = await test('--report', 'ndjson');
    const validate = validEvent();
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    for (const line of lines) expect(validate(line) || [line, validate.errors]).toBe(true);
    expect(validate({ ...lines[0], more: 1 })).toBe(false);
    expect([lines[0]?.kind, lines.at(-1)?.kind]).toEqual(['run begins', 'run ends']);
    expect(new Set(lines.map(({ kind }) => kind)).size).toBe(7);
  });

  it('lists what nobody stated apart, and fails by it where that is asked for', async () => {
    const inventing = await startTodo('answers carry further header fields');
    try {
      const run = (...args: readonly string[]) =>
        tacet(['test', document, '--url', inventing.url, '--walks', '48', ...args], { ended });
      const { code, out } = await run();
      expect(code).toBe(0);
      expect(out).toMatch(
        /\nshown, and stated by nobody\n +\d+ {2}the header field X-Powered-By {2}POST \/ and \d others\n {8}curl -sS /,
      );
      const strict = await run('--no-inventions', '--report', `junit=${inFolder('strict.xml')}`);
      expect(strict.code).toBe(1);
      expect(strict.out).toMatch(/\n\d+ inventions, and none may be \(--no-inventions\)\n$/);
      expect(readFileSync(inFolder('strict.xml'), 'utf8')).toMatch(
        / failures="\d+" .*<testcase name="POST \/: the header field X-Powered-By" classname="endpoints\[&quot;POST \/&quot;\]" /s,
      );
      const lines = (await run('--report', 'ndjson')).out
        .split('\n')
        .filter((line) => line.includes('"invention"'));
      const validate = validEvent();
      for (const line of lines) expect(validate(JSON.parse(line))).toBe(true);
      expect(lines.length).toBeGreaterThan(4);
    } finally {
      await inventing.close();
    }
  });

  it('lists examples that are answered otherwise, and fails by them where that is asked for', async () => {
    const at = file(
      'shown.md',
      `# Shown

\`\`\`yaml
tacet: 1
\`\`\`
## Endpoints
\`\`\`yaml
GET /hello:
  operation: hello
  does: (none)
  response: { status: 200, body: { text: Hello } }
  examples:
    all:  { response: { status: 200, body: { text: Hello } } }
    some: { response: { status: 200, body: { text: Hallo } } }
\`\`\`
`,
    );
    const run = (...args: readonly string[]) => tacet(['test', at, '--walks', '8', ...args], { ended });
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toMatch(/\nexamples: 1 as expected, 1 otherwise\n {2}otherwise {2}hello\.some {2}/);
    expect(out).toContain('/text: expected "Hallo", found "Hello"');
    const strict = await run('--strict-examples', '--report', `junit=${inFolder('shown.xml')}`);
    expect(strict.code).toBe(1);
    expect(strict.out).toMatch(/\n1 example answered otherwise, and none may be \(--strict-examples\)\n$/);
    expect(readFileSync(inFolder('shown.xml'), 'utf8')).toContain(
      '<testcase name="the example hello.some" classname="endpoints[&quot;GET /hello&quot;].examples.some"',
    );
    const events = (await run('--report', 'ndjson')).out.trimEnd().split('\n');
    const validate = validEvent();
    for (const line of events) expect(validate(JSON.parse(line))).toBe(true);
    expect(events.filter((line) => line.includes('"kind":"example"'))).toHaveLength(2);
  });

  it('leaves no file behind where there is nothing to write', async () => {
    const at = inFolder('none.xml');
    const stopped = { ended: AbortSignal.abort() };
    const { code } = await tacet(['test', document, '--url', faulty.url, '--report', `junit=${at}`], stopped);
    expect([code, existsSync(at)]).toEqual([2, false]);
  });

  it.each([
    [['--report', 'junti=a'], 'there is no report junti; did you mean junit?'],
    [
      ['--report', 'xunit-of-old'],
      'there is no report xunit-of-old; there are json, json-full, ndjson, junit, sarif, github, html',
    ],
    [['--report', 'toString'], 'there is no report toString; there are'],
    [
      ['--json', '--report', 'junit'],
      'one report goes to standard output: name a file for the others, as in junit=FILE',
    ],
    [['--report', 'junit=a', '--report', 'html=a'], 'a is to hold two reports'],
    [['--report', `junit=${document}/a`], 'cannot be written'],
  ])('is used wrongly: %j', async (args, message) => {
    const { code, out, error } = await test(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
  });
});

describe('tacet test on a terminal', () => {
  const clear = '\r\u001b[2K';

  it('shows one line as it goes, and each violation above it as it is found; then the text', async () => {
    const written: string[] = [];
    const out = (text: string): void => void written.push(text);
    const { code } = await tacet(['test', document, '--url', faulty.url, '--walks', '48'], {
      ended,
      out,
      columns: () => 100,
    });
    expect(code).toBe(1);
    const found = written.findIndex((text) => text.startsWith('violates  POST /: status  '));
    expect(written[found]).toMatch(/todo\.md:62:23\n {10}expected status 201, found status 200\n$/);
    expect(written.slice(found - 1, found + 3)).toEqual([
      clear,
      written[found],
      clear,
      expect.stringMatching(/^walk \d+ · \d+ checks? · \d+ requests, \d+\/s · 1 violation$/),
    ]);
    expect(written.slice(-2)).toEqual([clear, expect.stringContaining('1 check found a violation')]);
    const lines = written.filter((text) => text.includes(' · '));
    for (const line of lines) expect([line.includes('\n'), line.length < 100]).toEqual([false, true]);
  });

  it('writes no line that does not fit', async () => {
    const written: string[] = [];
    const out = (text: string): void => void written.push(text);
    await tacet(['test', document, '--url', faulty.url, '--walks', '48'], { ended, out, columns: () => 20 });
    const lines = written.filter((text) => text !== clear && !text.endsWith('\n'));
    expect(lines[0]).toBe('examples and walks ');
    for (const line of lines) expect(line.length).toBeLessThan(20);
  });

  it('shows no line where a report takes the place of the text', async () => {
    const written: string[] = [];
    const out = (text: string): void => void written.push(text);
    const at = { ended, out, columns: () => 100 };
    await tacet(['test', document, '--url', faulty.url, '--walks', '48', '--report', 'github'], at);
    expect(written).toHaveLength(1);
  });
});
