import { describe, expect, it } from 'vitest';
import { answer, ask, start } from '../served.ts';

const text = (media: string, body = '{ fields: { a: { type: integer } } }') => `
name: Notes
endpoints:
  others: refuse
  POST /:
    does: (none)
    request: { media: ${media}, body: ${body} }
    response: { status: 200, headers: { X-Media: "\${request.media}" }, body: "\${request.body}" }
`;

const taken = (media = 'application/json') => answer(200, { a: 1 }, [`X-Media: ${media}`]);
const as = (type: string) => [`Content-Type: ${type}`];

describe('the media types of a request (language §4.2)', () => {
  it('are run each by itself: one that is not run holds up its own requests', async () => {
    const service = await start(text('[application/json, text/csv]'));
    expect(await ask(service, 'POST /', { a: 1 })).toEqual(taken());
    expect(await ask(service, 'POST /', 'a\n1\n', as('text/csv'))).toEqual(answer(501));
    expect(await ask(service, 'POST /', 'a', as('text/plain'))).toEqual(answer(415));
    expect(service.heldUp).toEqual([['endpoints["POST /"].request.media']]);
  });

  it.each(['"*/*"', '(any)', '[image/png, "application/*"]'])('may be a range: %s', async (media) => {
    const service = await start(text(media));
    expect(await ask(service, 'POST /', { a: 1 })).toEqual(taken());
    expect(await ask(service, 'POST /', '{"a":1}', as('Application/Vnd.x+JSON; v=1'))).toEqual(
      taken('application/vnd.x+json'),
    );
    expect(await ask(service, 'POST /', 'a=1', as('application/x-www-form-urlencoded'))).toEqual(
      taken('application/x-www-form-urlencoded'),
    );
    expect((await ask(service, 'POST /', '{"a":"x"}')).status).toBe(400);
  });

  it('may be a range of texts', async () => {
    const service = await start(text('text/*', '{ type: string }'));
    expect(await ask(service, 'POST /', 'a\n1\n', as('text/csv; header=present'))).toEqual(
      expect.objectContaining({ status: 200, body: 'a\n1\n' }),
    );
    expect(await ask(service, 'POST /', '"a"')).toEqual(answer(415));
  });
});
