import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DocumentSymbol, Hover } from 'vscode-languageserver';
import { startClient } from './client.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-lsp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = (name: string): string =>
  readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

const client = await startClient();

/** An example that an editor has open, from a file of its own. */
async function opened(name: string, content = example(name)) {
  const text = await client.open(join(folder, name), content);
  const diagnostics = await client.diagnostics(text.uri);
  return { text, diagnostics };
}

const said = (hover: Hover | null): string =>
  hover && 'value' in (hover.contents as object) ? (hover.contents as { readonly value: string }).value : '';

describe('tacet lsp, of the parcel desk', async () => {
  const { text, diagnostics } = await opened('parcel-desk.md');

  it('finds nothing wrong', () => {
    expect(diagnostics).toEqual([]);
  });

  it('completes keys with their section, and names', async () => {
    const keys = await text.completion('  operation: pickUpParcel\n  |does');
    expect(keys.find(({ label }) => label === 'response')).toMatchObject({
      detail: '§H.3',
      textEdit: { newText: 'response: ' },
    });
    const names = await text.completion(
      'Parcel.status:\n  states: [registered, moving, delivered, cancelled]\n  initial: |reg',
    );
    expect(names.map(({ label }) => label)).toContain('moving');
  });

  it('says in a hover what the reference says, and the state of the point', async () => {
    const hover = await text.hover('idem|potency: { header');
    expect(said(hover)).toContain('**idempotency (§4.4)**');
    expect(said(hover)).toContain('Stated.');
    expect(said(await text.hover('Parcel:\n  identi|fier: id\n'))).toContain('Stated.');
  });

  it('goes from a name to its declaration', async () => {
    const found = await text.definition('does: pickUp Par|cel');
    expect(found && [text.in(found), text.placeOf(found)]).toEqual(['Parcel', '36:1']);
    expect(await text.definition('# The par|cel desk')).toBeNull();
  });

  it('lists where a field is used', async () => {
    const found = await text.references('    weigh|t:       { type');
    expect(found.map((one) => text.placeOf(one))).toEqual([
      '43:5',
      '50:34',
      '101:63',
      '134:34',
      '237:92',
      '326:31',
      '333:88',
    ]);
    expect(await text.references('    weigh|t:       { type', false)).toHaveLength(6);
  });

  it('renames a state wherever it stands, and the document is right', async () => {
    expect(await text.prepareRename('states: [registered, mov|ing')).toMatchObject({ placeholder: 'moving' });
    const after = text.with(await text.rename('states: [registered, mov|ing', 'underway'));
    expect(after).toContain("this.status != 'underway' || this.courier");
    expect(after).toContain('states: [registered, underway, delivered, cancelled]');
    const { diagnostics: found } = await opened('renamed.md', after);
    expect(found).toEqual([]);
  });

  it('refuses a renaming after which the document would be wrong, and says why', async () => {
    await expect(text.rename('    weigh|t:       { type', 'in')).rejects.toThrow(
      /cannot be renamed by itself/,
    );
    await expect(text.rename('Parc|el:\n  identifier', 'Scan')).rejects.toThrow(/there is a .* Scan already/);
    expect(await text.prepareRename('# The par|cel desk')).toBeNull();
  });

  it('outlines the document', async () => {
    const found = await text.symbols();
    const at = (symbol: DocumentSymbol | undefined, name: string): DocumentSymbol | undefined =>
      symbol?.children?.find((one) => one.name === name);
    expect(found.map(({ name }) => name).slice(0, 3)).toEqual([
      'What the service does',
      'Resources and their fields',
      'States and transitions',
    ]);
    expect(at(at(found[1], 'Parcel'), 'weight')).toBeDefined();
    expect(at(at(found[2], 'Parcel.status'), 'deliver')).toBeDefined();
    expect(at(found[3], 'PATCH /parcels/{id}')).toBeDefined();
  });

  it('gives tokens, each after the one before', async () => {
    const { data } = await text.tokens();
    expect(data.length % 5).toBe(0);
    for (let index = 0; index < data.length; index += 5) {
      const [lines = -1, characters = -1, length = -1] = data.slice(index, index + 3);
      expect(lines >= 0 && characters >= 0 && length > 0).toBe(true);
      if (lines === 0 && index > 0) expect(characters).toBeGreaterThanOrEqual(data[index - 3] ?? 0);
    }
  });
});

describe('tacet lsp, of a document in the middle of typing', async () => {
  const { text } = await opened('typed.md', example('todo.md'));

  it('shows a fault with its code, place and page, offers what was meant, and takes it back once it is mended', async () => {
    await text.edit('  does: list Todo', '  does: list Tood');
    const found = await client.diagnostics(text.uri, (all) =>
      all.some(({ code }) => code === 'unknown-name'),
    );
    const fault = found.find(({ code }) => code === 'unknown-name');
    expect(fault).toMatchObject({
      severity: 1,
      source: 'tacet',
      message: 'Tood is not the name of a resource\ndid you mean Todo?',
      codeDescription: { href: expect.stringMatching(/^file:.*docs\/diagnostics\/unknown-name\.md$/) },
    });
    expect(fault && text.in(fault)).toBe('Tood');
    const [fix] = await text.actions('list To|od', found);
    expect(fix).toMatchObject({ title: 'Write Todo', kind: 'quickfix' });
    expect(text.with(fix?.edit)).toContain('does: list Todo');
    await text.edit('list Tood', 'list Todo');
    expect(await client.diagnostics(text.uri, (all) => all.length === 0)).toEqual([]);
  });

  it('answers while the YAML is broken, by where things were', async () => {
    await text.edit('  does: list Todo\n', '  does: list Todo\n  res\n');
    const keys = await text.completion('list Todo\n  res|');
    expect(keys.map(({ label }) => label)).toContain('response');
    const found = await text.definition('does: create To|do');
    expect(found && text.in(found)).toBe('Todo');
    expect(
      await client.diagnostics(text.uri, (all) => all.some(({ severity }) => severity === 1)),
    ).not.toEqual([]);
    expect((await text.symbols()).map(({ name }) => name)).toContain('Endpoints');
    expect((await text.tokens()).data.length).toBeGreaterThan(0);
    expect(await text.hover('## End|points')).toBeNull();
    await text.edit('  does: list Todo\n  res\n', '  does: list Todo\n');
    await client.diagnostics(text.uri, (all) => all.length === 0);
  });
});

describe('tacet lsp, of what is open', () => {
  it('says what an open point holds up and asks, and leaves a point open', async () => {
    const { text } = await opened(
      'open.md',
      '# Notes\n\n## Endpoints\n\n```yaml\nGET /notes:\n  does: list Note\n  response: (open) all of them?\n```\n',
    );
    const hover = said(await text.hover('resp|onse'));
    expect(hover).toMatch(/Open; holds up GET \/notes\. It asks: all of them\?/);
    const actions = await text.actions('do|es: list');
    expect(actions.map(({ title }) => title)).toEqual(['Leave does open']);
    expect(text.with(actions[0]?.edit)).toContain('  does: (open)\n');
  });

  it('knows what is assumed beside the document', async () => {
    writeFileSync(
      join(folder, 'assumed.assumptions.json'),
      JSON.stringify([{ at: 'endpoints["GET /a"].response.status', value: 204 }]),
    );
    const { text } = await opened(
      'assumed.md',
      '## Endpoints\n\n```yaml\nGET /a:\n  does: (none)\n  response: { status: (open) }\n```\n',
    );
    expect(said(await text.hover('{ sta|tus'))).toContain('Assumed, in the ledger');
  });
});

describe('tacet lsp, of examples', () => {
  it('warns of one that the statements exclude, as tacet check does', async () => {
    const { diagnostics, text } = await opened(
      'example.md',
      '## Endpoints\n\n```yaml\nGET /a:\n  does: (none)\n  response: 204\n  examples:\n    shown: { response: { status: 200 } }\n```\n',
    );
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['example-differs', 2]]);
    await client.close(text);
  });
});

describe('tacet lsp, of several files', () => {
  it('reads those of one specification together, and says nothing of prose', async () => {
    writeFileSync(join(folder, 'README.md'), '# Read me\n\n```yaml\nresources: 1\n```\n');
    const inner = mkdtempSync(join(folder, 'spec-'));
    writeFileSync(
      join(inner, 'resources.yaml'),
      'resources:\n  Note: { identifier: id, fields: { id: { type: string } } }\n',
    );
    const head =
      '# Notes\n\n```yaml\ntacet: 1\n```\n\n## Endpoints\n\n```yaml\nGET /notes: { does: list Note }\n```\n';
    writeFileSync(join(inner, 'notes.md'), head);
    const text = await client.open(join(inner, 'notes.md'), head);
    expect(await client.diagnostics(text.uri)).toEqual([]);
    const found = await text.definition('does: list No|te');
    expect(found?.uri).toMatch(/resources\.yaml$/);
    await client.close(text);
    expect(await client.diagnostics(text.uri)).toEqual([]);

    const prose = await client.open(join(folder, 'README.md'), '# Read me\n');
    expect(await prose.symbols()).toEqual([]);
    expect(await prose.hover('# Re|ad')).toBeNull();
  });
});

it('tacet lsp ends with code 0 when it is asked to', async () => {
  expect(await client.end()).toBe(0);
});
