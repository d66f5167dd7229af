import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { read } from '../../src/specification/read.ts';
import { place, runAt } from './places.ts';

const names = ['changing/shed.yaml', 'changing/tickets.yaml', 'listing/depot.yaml', 'listing/library.yaml'];

describe.each(process.env['TACET_LONG'] ? names : names.slice(0, 1))('what a service keeps of %s', (name) => {
  it('is all that it asks of what was kept, looked at as if every statement were new', {
    timeout: 240_000,
  }, async () => {
    const text = readFileSync(new URL(`../documents/${name}`, import.meta.url), 'utf8');
    const { specification } = read(name, text);
    const data = await place();
    const first = await serve(specification, { data });
    await testService(specification, { url: first.url, seed: 1, walks: 160 });
    await first.close();
    const notes = "SELECT resource, note FROM tacet WHERE note LIKE '{%' ORDER BY resource";
    const noted = await runAt(data, notes);
    expect(noted.length).toBeGreaterThan(0);
    await runAt(data, 'UPDATE tacet SET note = NULL');
    await (await serve(specification, { data })).close();
    expect(await runAt(data, notes)).toEqual(noted);
  });
});
