import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { read } from '../../src/specification/read.ts';
import { dataFile } from './served.ts';

const names = ['changing/shed.yaml', 'changing/tickets.yaml', 'listing/depot.yaml', 'listing/library.yaml'];

describe.each(process.env['TACET_LONG'] ? names : names.slice(0, 1))('what a service keeps of %s', (name) => {
  it('is all that it asks of what was kept, looked at as if every statement were new', {
    timeout: 240_000,
  }, async () => {
    const text = readFileSync(new URL(`../documents/${name}`, import.meta.url), 'utf8');
    const { specification } = read(name, text);
    const data = dataFile();
    const first = await serve(specification, { data });
    await testService(specification, { url: first.url, seed: 1, walks: 160 });
    await first.close();
    const database = new Database(data);
    const notes = database.prepare("SELECT count(*) FROM tacet WHERE note LIKE '{%'").pluck();
    const noted = notes.get();
    expect(noted).toBeGreaterThan(0);
    database.prepare('UPDATE tacet SET note = NULL').run();
    await (await serve(specification, { data })).close();
    expect(notes.get()).toBe(noted);
    database.close();
  });
});
