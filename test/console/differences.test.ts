import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Differences } from '../../src/console/differences.ts';
import { readSpecification } from '../../src/load/document.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { ask, entered, notes, type Opened, opened, taken } from './opened.ts';

const folder = temporaryFolder();
let made = 0;
const open: Opened[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.console.close();
});

/** A document whose console was opened before it was edited. */
async function desk(now = notes.replace('(open) 201 or 202?', '201').replace('text: {', 'words: {')) {
  made += 1;
  mkdirSync(join(folder.path, String(made)));
  const file = folder.file(`${made}/notes.md`, notes);
  let reader = readSpecification(file, []);
  const one = await opened(file, { read: () => reader });
  open.push(one);
  const session = await entered(one);
  return {
    file,
    edit: () => {
      writeFileSync(file, now);
      reader = readSpecification(file, []);
    },
    compare: async (search = ''): Promise<Differences> =>
      taken(await ask(one.port, 'GET', `/api/differences${search}`, session)),
  };
}

describe('the changes', () => {
  it('are those since the console was opened, where git has no version, by who is affected', async () => {
    const { edit, compare } = await desk();
    expect(await compare()).toMatchObject({
      before: 'start',
      groups: [],
      summary: 'no difference: both state the same',
    });
    edit();
    const found = await compare();
    expect(found.groups.map(({ class: of, title }) => [of, title])).toEqual([
      ['breaking', 'breaks clients'],
      ['stored data', 'touches stored data'],
      ['refinement', 'became stated'],
    ]);
    expect(found.effect.nowRuns).toEqual(['POST /notes']);
  });

  it('are those since git has the document', async () => {
    const { file, edit, compare } = await desk();
    const git = (...words: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
        cwd: join(file, '..'),
        stdio: 'ignore',
      });
    git('init', '-q');
    git('add', 'notes.md');
    git('commit', '-qm', 'notes');
    edit();
    const found = await compare();
    expect(found.before).toBe('HEAD');
    expect(found.groups[0]?.findings[0]?.before.at).toMatch(/^HEAD:/);
    expect((await compare('?before=start')).before).toBe('start');
    await expect(compare('?before=main~7')).rejects.toThrow('400 there is no revision main~7');
  });

  it('are those between two files, of which neither has errors', async () => {
    const { file, compare } = await desk();
    const other = folder.file('other.md', notes.replace('status: 200', 'status: 203'));
    const found = await compare(`?before=${file}&after=${other}`);
    expect([found.after, found.counts.breaking]).toEqual([other, 1]);
    const faulty = folder.file('faulty.md', notes.replace('does: list', 'dose: list'));
    await expect(compare(`?after=${faulty}`)).rejects.toThrow(`400 ${faulty} has errors: `);
    await expect(compare('?before=none.md')).rejects.toThrow('400 ');
  });
});
