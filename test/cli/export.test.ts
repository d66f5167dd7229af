import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { tacet, temporaryFolder } from './terminal.ts';

const { file, path } = temporaryFolder();
const document = file(
  'tasks.yaml',
  `
name: Tasks
resources:
  Task:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, tags: (open) which? }
endpoints:
  GET /tasks/{id}: { operation: read, does: read Task, response: { status: 200, body: Task } }
`,
);
const ledger = file(
  'ledger.json',
  JSON.stringify([
    { at: 'resources.Task.fields.tags', value: { type: 'array' }, why: 'it is so elsewhere', who: 'us' },
    { at: 'endpoints.base', value: '/v1', why: 'it is so elsewhere', who: 'us' },
  ]),
);

describe('tacet export', () => {
  it('prints a description, or writes it as YAML or JSON', async () => {
    const printed = await tacet(['export', document]);
    expect([printed.code, printed.error]).toEqual([0, '']);
    const description = parse(printed.out) as { openapi: string };
    expect(description.openapi).toBe('3.1.1');
    for (const [name, read] of [
      ['tasks.out.yaml', (text: string) => parse(text)],
      ['tasks.out.json', (text: string) => JSON.parse(text)],
    ] as const) {
      const written = await tacet(['export', document, '-o', join(path, name)]);
      expect(written.out).toContain(`wrote ${join(path, name)}`);
      expect(read(readFileSync(join(path, name), 'utf8'))).toEqual(description);
    }
    const newer = await tacet(['export', document, '--openapi', '3.2']);
    expect(newer.out).toContain('openapi: 3.2.0');
  });

  it('writes a description that import makes the same document of', async () => {
    const [out, again] = [join(path, 'there.yaml'), join(path, 'again.md')];
    await tacet(['export', document, '-o', out]);
    expect((await tacet(['import', out, '-o', again])).code).toBe(0);
    const { out: said } = await tacet(['diff', document, again]);
    expect(said).toContain('both state the same');
  });

  it('writes what is assumed as an overlay, and not into the description', async () => {
    const [out, overlay] = [join(path, 'stated.yaml'), join(path, 'overlay.json')];
    const words = ['export', document, '-o', out, '--assume', ledger, '--overlay', overlay];
    expect((await tacet(words)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe((await tacet(['export', document])).out);
    const { overlay: version, actions } = JSON.parse(readFileSync(overlay, 'utf8'));
    expect(version).toBe('1.0.0');
    expect(actions).toContainEqual({ target: '$', update: { servers: [{ url: '/v1' }] } });
    expect(actions).toContainEqual({
      target: '$.components.schemas.Task.properties.tags',
      update: { type: 'array' },
    });
  });

  it('lists what stands in extensions', async () => {
    const { error } = await tacet(['export', document, '--losses']);
    expect(error).toContain('1  extension  x-tacet-does  /paths/~1tasks~1{id}/get/x-tacet-does');
  });

  it('writes over nothing, unless it is told to', async () => {
    const out = file('mine.yaml', 'mine');
    const refused = await tacet(['export', document, '-o', out]);
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('is there already; --force')]);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await tacet(['export', document, '-o', out, '--force'])).code).toBe(0);
  });

  it.each([
    [['--openapi', '2.0'], '--openapi is 3.1 or 3.2, and 2.0 is neither'],
    [['--asyncapi', '2'], '--asyncapi is 3, and 2 is not'],
    [['--asyncapi', '3', '--openapi', '3.1'], 'ask for one at a time'],
    [['--overlay', 'x.yaml'], '--assume LEDGER and --overlay FILE go together'],
    [['--assume', ledger], '--assume LEDGER and --overlay FILE go together'],
  ])('refuses %j', async (words, message) => {
    const { code, error } = await tacet(['export', document, ...words]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('writes nothing of a document that has errors', async () => {
    const wrong = file('wrong.yaml', 'name: A\nresources: { box: {} }\n');
    const { code, out, error } = await tacet(['export', wrong]);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('error');
  });
});
