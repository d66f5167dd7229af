import { describe, expect, it } from 'vitest';
import { client } from '../../../src/conformance/http.ts';
import { walks } from '../../../src/conformance/play/play.ts';
import { seeded } from '../../../src/conformance/random.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { sampled } from '../../long.ts';
import { start } from '../../service/served.ts';
import { targetAt } from './target.ts';

const pictures = `
name: Pictures
tacet: 1
complete: true
resources:
  Picture:
    identifier: id
    fields:
      id:      { type: integer, set: { create: "\${sequence()}" } }
      title:   { type: string, minLength: 1, maxLength: 30 }
      stars:   { type: integer, minimum: 0, maximum: 5, default: 0 }
      media:   { type: string, default: none, writable: false }
      content: { type: string, format: binary, minLength: 1, maxLength: 40 }
      sha256:  { type: string, derived: "\${sha256(this.content).hex}" }
    required: [title]
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /pictures:
    operation: add
    let: { sent: "\${request.parts.content.media}" }
    does: { create: Picture, with: ["\${request.body}", { media: "\${sent == null ? absent() : sent}" }] }
    request: { media: multipart/form-data, body: Picture }
    response: { status: 201, body: Picture }
  GET /pictures/{id}: { operation: read, does: read Picture, response: { status: 200, body: Picture } }
  GET /pictures/{id}/content:
    operation: show
    does: read Picture
    response: { status: 200, media: application/octet-stream, body: "\${this.content}" }
  POST /pictures/several:
    operation: addSeveral
    does: (none)
    also: [{ create: Picture, for: "\${request.body}", as: made, with: { title: "\${value.headers['x-title']}", media: "\${value.headers['content-type']}", content: "\${value.body}" } }]
    request: { media: multipart/mixed, body: { type: array, minItems: 1, maxItems: 3, items: { properties: { body: { type: string, format: binary, minLength: 1, maxLength: 40 } } } } }
    response: { status: 201, body: { made: "\${Picture(made)}" } }
  GET /pictures:
    operation: showAll
    does: { list: Picture, where: "\${this.content != null}", order: [id] }
    response: { status: 200, media: multipart/mixed, body: "\${page.items.map(p, {'headers': {'Content-Type': p.media, 'X-Title': p.title}, 'body': p.content})}" }
authentication: (none)
errors:
  order: listed
  codes:
    unreadable: { when: malformed, status: 400 }
    no_media:   { when: unsupported media, status: 415 }
    none:       { when: unknown, status: 404 }
    wrong:      { when: invalid, status: 422 }
limits: (none)
events: (none)
versioning: (none)
states: (none)
`;

/** What walks by the document say of a service that does what another one says. */
async function blamed(served: string, seed = 1): Promise<readonly Result[]> {
  const { address, close } = await start(served);
  const results: Result[] = [];
  for await (const play of walks(targetAt(address, pictures, client()), {
    requests: 200,
    random: seeded(seed),
  }))
    results.push(...(await play()));
  await close();
  return results.filter(({ verdict }) => verdict === 'violates');
}

describe('content in parts', () => {
  it('blames nobody who does what is stated', async () => {
    expect(await blamed(pictures)).toEqual([]);
  });

  it.each(
    sampled(
      [
        ['stores the title alone', '["${request.body}", {', '[{ title: "${request.body.title}" }, {'],
        ['stores another media type', 'sent == null ? absent() : sent', "sent == null ? absent() : 'x'"],
        ['takes more bytes than are stated', 'maxLength: 40', 'maxLength: 60'],
        ['takes JSON in place of parts', 'media: multipart/form-data, ', ''],
        ['takes more stars than are stated', 'maximum: 5', 'maximum: 6'],
        ['stores the type of no part', `media: "\${value.headers['content-type']}"`, `media: "\${'x'}"`],
        ['sends no title with a part', ", 'X-Title': p.title}", '}'],
        ['sends the parts the other way round', 'order: [id]', 'order: ["-id"]'],
      ],
      3,
    ),
  )('tells who %s', async (_, stated, other) => {
    expect(pictures).toContain(stated);
    expect((await blamed(pictures.replace(stated, other))).length).toBeGreaterThan(0);
  });
});
