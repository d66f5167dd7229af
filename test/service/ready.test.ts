import { renameSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../src/service/service.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { document, specification } from '../specification/documents.ts';

const { path: folder } = temporaryFolder();
const resources = 'Note: { identifier: id, fields: { id: { type: string } } }';
const endpoints =
  'PUT /notes/{id}: { operation: putNote, does: { create: Note, present: replace }, response: 204 }';

const started = async (data: string) => {
  const service = await serve(specification(document({ resources, endpoints })), { data, onFault: () => {} });
  onTestFinished(() => service.close().catch(() => {}));
  return service;
};

it('a service is ready while what it keeps can be read', async () => {
  const service = await started(`${folder}/ready.sqlite`);
  expect(await service.unready()).toBeNull();
});

it('a service whose file was taken away is not, and says why', async () => {
  const data = `${folder}/taken.sqlite`;
  const service = await started(data);
  renameSync(data, `${data}.away`);
  expect((await fetch(`${service.address}/notes/a`, { method: 'PUT' })).status).toBe(503);
  expect(await service.unready()).toMatch(/taken\.sqlite/);
});

it('a service that ends is not', async () => {
  const service = await started(`${folder}/ends.sqlite`);
  const ended = service.close();
  expect(await service.unready()).toBe('it ends');
  await ended;
});
