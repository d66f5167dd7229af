import { expect, it } from 'vitest';
import { client } from '../../../src/conformance/http.ts';
import type { Judged } from '../../../src/conformance/play/judged-answer.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { start } from '../../service/served.ts';
import { targetAt } from './target.ts';

/** Notes, of which the endpoint for each is what stands there. */
const notes = (adding: string): string => `
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } } }
endpoints:
  others: refuse
  POST /notes: { operation: addNote, ${adding}, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
  POST /notes/{id}/copies: { operation: copyNote, does: (open) what is a copy?, response: { status: 201, body: Note } }
errors:
  codes:
    unread: { when: [malformed, unsupported media], status: 400 }
    unfit:  { when: invalid, status: 422 }
    none:   { when: [unknown path, unknown Note], status: 404 }
authentication: (none)
events: (none)
limits: (none)
states: (none)
versioning: (none)
`;

async function walked(document: string): Promise<readonly Judged[]> {
  const { address: url, close } = await start(document);
  const http = client();
  const target = targetAt(url, document, http);
  const judged: Judged[] = [];
  const onJudged = (each: Judged): void => void judged.push(each);
  for await (const play of walks(target, { requests: 160, random: seeded(1), onJudged })) await play();
  http.close();
  await close();
  return judged;
}

const statusOf = ({ exchange }: Judged): number | undefined => exchange.response?.status;

it('an operation that waits for an open point is asked once, and the walk goes on', async () => {
  const judged = await walked(notes('does: create Note'));
  expect(judged.filter((each) => statusOf(each) === 501).map(({ operation }) => operation.name)).toEqual([
    'copyNote',
  ]);
  expect(judged.length).toBe(160);
  expect(judged.every(({ world }) => world !== null && !world.isShared)).toBe(true);
});

it('walks end once each operation waits for an open point', async () => {
  const open = notes('does: (open) what is kept?').replace('does: read Note', 'does: (open) what is shown?');
  const judged = await walked(open);
  expect(judged.map(statusOf)).toEqual([501, 501, 501]);
});
