import { describe, expect, it } from 'vitest';
import { ask, start } from '../service/served.ts';
import { examples } from './chapters.ts';

/** The document of the reference that states this. */
function recipe(stated: string): string {
  const found = examples.find(({ source }) => source.content.includes(stated));
  return found?.source.content ?? expect.fail(`no example states ${stated}`);
}

describe('the recipes of the reference', () => {
  it('all or none: one that is refused leaves none', async () => {
    const service = await start(recipe('operation: addNotes'));
    const add = (notes: unknown) => ask(service, 'POST /notes/batch', { notes });
    expect((await add(['a', 'b'])).status).toBe(201);
    expect((await add(['c', 'more than twenty letters'])).status).toBe(422);
    expect((await ask(service, 'GET /notes')).body).toEqual(['a', 'b']);
  });

  it('long work: 202 with an address, where the result is in time', async () => {
    const worked = Promise.withResolvers<void>();
    const convert = ({ item, tx }: Call): void => {
      tx.finish.Job(item.id, { result: item.text.toUpperCase() });
      worked.resolve();
    };
    const service = await start(recipe('operation: addJob'), { handlers: { convert } as never });
    const { status, fields } = await ask(service, 'POST /jobs', { text: 'tea' });
    const [, path] = fields.join('\n').match(/^Location: (.+)$/m) ?? [];
    expect([status, path]).toEqual([202, expect.stringMatching(/^\/jobs\/./)]);
    await worked.promise;
    let job: unknown;
    do job = (await ask(service, `GET ${path}`)).body;
    while ((job as { status: string }).status === 'running');
    expect(job).toMatchObject({ status: 'done', text: 'tea', result: 'TEA' });
  });
});

interface Call {
  readonly item: { readonly id: string; readonly text: string };
  readonly tx: { readonly finish: { readonly Job: (key: string, members: object) => void } };
}
