import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { receivedAnswer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/media.yaml', 'utf8'));

function requestTo(key: string, more: Partial<Request> = {}): Request {
  const operation = specification.operations.find((each) => each.key === key) as Operation;
  return {
    operation,
    path: {},
    query: {},
    headers: {},
    credentials: [],
    content: undefined,
    url: 'http://a',
    ...more,
  };
}

const common = { 'x-service': 'media', 'x-request': 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50' };
const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain' };
const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A world with one note, whose identifier is 7. */
function withNote(): World {
  const made = step(new World(specification), requestTo('POST /notes', { content: { text: 'tea' } }));
  const body = { id: 7, text: 'tea', media: 'text/plain' };
  const headers = {
    ...common,
    'x-request': 'b4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50',
    ...json,
    vary: 'X-Team, Accept',
    'access-control-allow-origin': '*',
  };
  const { world, differences } = judge(made, { status: 201, headers, body });
  expect(differences).toEqual([]);
  return world as World;
}

/** Where the answer to a request about the note is not what the document says. */
function places(request: Request, status: number, headers: Record<string, string>, content = ''): string[] {
  const steps = step(withNote(), request);
  return judge(steps, receivedAnswer(status, headers, bytes(content))).differences.map(({ at }) => at);
}

const shown = { 'x-request': 'c4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', vary: 'Accept' };
const read = (headers: Record<string, string> = {}): Request =>
  requestTo('GET /notes/{id}', { path: { id: 7 }, headers });
const jsonContent = '{"note":{"id":7,"text":"tea","media":"text/plain"}}';

describe('content by media type (language §H.3)', () => {
  it('is what Accept prefers', () => {
    expect(places(read(), 200, { ...shown, ...json }, jsonContent)).toEqual([]);
    expect(places(read({ accept: 'text/plain' }), 200, { ...shown, ...text }, 'note 7: tea')).toEqual([]);
    expect(places(read({ accept: 'text/*, */*;q=0.1' }), 200, { ...shown, ...json }, jsonContent)).toEqual([
      'headers.content-type',
    ]);
    expect(places(read({ accept: 'text/plain' }), 200, { ...shown, ...text }, 'note 8: tea')).toEqual([
      'body',
    ]);
  });

  it('names Accept in Vary, besides what is stated', () => {
    expect(
      places(read(), 200, { 'x-request': 'c4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', ...json }, jsonContent),
    ).toEqual(['headers.vary']);
    expect(places(read(), 200, { ...shown, vary: 'Origin, accept', ...json }, jsonContent)).toEqual([]);
  });

  it('has the parameters of its type', () => {
    const csv = read({ accept: 'text/csv' });
    const type = (value: string) => ({ ...shown, 'content-type': value });
    expect(places(csv, 200, type('text/csv; header=absent; charset=utf-8'), '7,tea')).toEqual([]);
    expect(places(csv, 200, type('text/csv'), '7,tea')).toEqual(['headers.content-type']);
  });

  it('is refused if the client takes none of the types, and a row lists that', () => {
    const problem = { ...common, ...shown, 'content-type': 'application/problem+json' };
    const refused = '{"code":"no_type","fields":[]}';
    expect(places(read({ accept: 'image/png' }), 406, problem, refused)).toEqual([]);
    expect(places(read({ accept: 'image/png' }), 200, { ...shown, ...json }, jsonContent)).toEqual([
      'status',
    ]);
  });

  it('is JSON where JSON is stated', () => {
    expect(places(read(), 200, { ...shown, ...json }, '{"note":')).toEqual(['body']);
  });
});

describe('a media type that an expression gives', () => {
  it('is judged, and the text is sent as it is', () => {
    const request = requestTo('GET /notes/{id}/text', { path: { id: 7 } });
    const headers = { ...common, 'access-control-allow-origin': '*' };
    expect(places(request, 200, { ...headers, ...text }, 'tea')).toEqual([]);
    expect(places(request, 200, { ...headers, ...json }, '"tea"')).toEqual(['headers.content-type']);
    expect(places(request, 200, { ...headers, ...text }, '"tea"')).toEqual(['body']);
  });
});

describe('header fields of every answer (language §E.15)', () => {
  it('are sent with refusals, too', () => {
    const request = requestTo('GET /notes/{id}/text', { path: { id: 8 } });
    const headers = { ...common, 'content-type': 'application/problem+json', vary: 'Accept' };
    const refused = '{"code":"no_note","fields":[]}';
    expect(places(request, 404, headers, refused)).toEqual([]);
    const { 'x-service': _, ...others } = headers;
    expect(places(request, 404, others, refused)).toEqual(['headers.x-service']);
  });

  it('are not sent where an answer states that there is none', () => {
    expect(places(read(), 200, { ...common, ...shown, ...json }, jsonContent)).toEqual(['headers.x-service']);
  });
});

describe('pages of other origins (language §4.1, cors)', () => {
  const allowed = {
    'access-control-allow-origin': 'https://page.example',
    'access-control-allow-credentials': 'true',
  };
  const from = (origin: string): Request => read({ origin });

  it('may read what their origin is listed for, and no other page may', () => {
    const headers = { ...shown, ...json, vary: 'Accept, Origin' };
    expect(places(from('https://page.example'), 200, { ...headers, ...allowed }, jsonContent)).toEqual([]);
    expect(places(from('https://page.example'), 200, headers, jsonContent)).toEqual([
      'headers.access-control-allow-origin',
    ]);
    const other = { ...allowed, 'access-control-allow-origin': 'https://other.example' };
    expect(places(from('https://other.example'), 200, headers, jsonContent)).toEqual([]);
    expect(places(from('https://other.example'), 200, { ...headers, ...other }, jsonContent)).toEqual([
      'headers.access-control-allow-origin',
    ]);
  });

  it('ask before they send a request', () => {
    const origin = 'https://page.example';
    const asked = {
      origin,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-team, x-more',
    };
    const request = requestTo('DELETE /notes/{id}', { headers: asked, isPreflight: true });
    const headers = { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'X-Team' };
    expect(places(request, 204, { ...headers, 'access-control-allow-methods': 'DELETE' })).toEqual([]);
    expect(places(request, 204, headers)).toEqual(['headers.access-control-allow-methods']);
    const any = { 'access-control-allow-methods': '*', 'access-control-allow-headers': '*' };
    expect(places(request, 204, { ...headers, ...any })).toEqual(['headers.access-control-allow-headers']);
    expect(places(request, 405, {})).toContain('status');
  });
});
