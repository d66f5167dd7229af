import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tacet-vsix-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const packed = join(folder, 'tacet.vsix');
execFileSync(process.execPath, ['scripts/vscode.ts', packed]);

/** The files of an archive, by its central directory; each is what its checksum says. */
function filesIn(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [sum, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)];
    const length = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26);
    const content = inflateRawSync(archive.subarray(begin, begin + size));
    expect(crc32(content)).toBe(sum);
    files.set(archive.toString('utf8', at + 46, at + 46 + length), content.toString('utf8'));
    at += 46 + length;
  }
  return files;
}

describe('the extension for VS Code', () => {
  const files = filesIn(readFileSync(packed));

  it('holds what VS Code reads of one', () => {
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENCES.txt',
      'extension/LICENSE.txt',
      'extension/README.md',
      'extension/extension.cjs',
      'extension/package.json',
    ]);
    const described = JSON.parse(files.get('extension/package.json') ?? '');
    const manifest = files.get('extension.vsixmanifest') ?? '';
    expect(manifest).toContain(`Id="${described.name}" Version="${described.version}"`);
    for (const [, path = ''] of manifest.matchAll(/ Path="([^"]+)"/g)) expect(files.has(path)).toBe(true);
    const kinds = [...(files.get('[Content_Types].xml') ?? '').matchAll(/Extension="([^"]+)"/g)];
    for (const path of [...files.keys()].filter((one) => one.startsWith('extension')))
      expect(kinds.map(([, kind]) => kind)).toContain(`.${path.split('.').at(-1)}`);
  });

  it('is of the version of tacet', () => {
    const version = (text: string): string => JSON.parse(text).version;
    expect(version(files.get('extension/package.json') ?? '')).toBe(
      version(readFileSync('package.json', 'utf8')),
    );
  });

  it('needs nothing beside it but VS Code and Node, and carries the licences of what it is made of', () => {
    const code = files.get('extension/extension.cjs') ?? '';
    const needed = [...code.matchAll(/\brequire\([`'"]([^`'"]+)[`'"]\)/g)].map(([, name = '']) => name);
    expect(needed).toContain('vscode');
    expect(needed.filter((name) => name !== 'vscode' && !isBuiltin(name))).toEqual([]);
    expect(files.get('extension/LICENCES.txt')).toContain('vscode-languageclient');
  });
});
