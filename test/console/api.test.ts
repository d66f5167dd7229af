import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Edit } from '../../src/assist/answered.ts';
import type { Completion } from '../../src/assist/completion.ts';
import type { Hover } from '../../src/assist/hover.ts';
import type { Answer } from '../../src/console/answers.ts';
import type { Checked, Opening } from '../../src/console/editing/edited.ts';
import type { OperationDetail } from '../../src/console/operations.ts';
import type { Overview } from '../../src/console/overview.ts';
import { withEdits } from '../../src/console/page/edits.ts';
import type { PointList } from '../../src/console/points.ts';
import { presented, sendersOf } from '../../src/console/senders.ts';
import type { Texts } from '../../src/console/texts.ts';
import { readWithLedger } from '../../src/load/document.ts';
import { read } from '../../src/specification/read.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { ask, entered, notes, type Opened, opened, taken } from './opened.ts';

const status = 'endpoints["POST /notes"].response.status';

const folder = temporaryFolder();
let made = 0;
const open: Opened[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.console.close();
});

/** A document with its console, and how to read and do things as its page does. */
async function console(content = notes, more: Parameters<typeof opened>[1] = {}, name = 'notes.md') {
  made += 1;
  const file = folder.file(`${made}-${name}`, content);
  const one = await opened(file, more);
  open.push(one);
  const session = await entered(one);
  return {
    file,
    text: () => readFileSync(file, 'utf8'),
    query: async <T>(path: string): Promise<T> =>
      taken<T>(await ask(one.port, 'GET', `/api/${path}`, session)),
    act: async <T>(path: string, content: unknown): Promise<T> =>
      taken<T>(await ask(one.port, 'POST', `/api/${path}`, session, JSON.stringify(content))),
  };
}

describe('what the map shows', () => {
  it('is the report of tacet status: parts, cells, operations, and what to answer first', async () => {
    const { query } = await console();
    const overview = await query<Overview>('overview');
    expect(overview).toMatchObject({
      name: 'Notes',
      isImported: false,
      service: null,
      summary: '1 of 2 operations can be carried out; answering 1 point lets 1 more run',
      faults: [],
      operations: [
        { name: 'GET /notes', state: 'runs', waitsFor: 0, subject: 'Note' },
        { name: 'POST /notes', state: 'waits', waitsFor: 1, subject: 'Note' },
      ],
    });
    expect(overview.parts.map(({ part, state }) => `${part} ${state}`)).toContain('endpoints partly');
    expect(overview.parts.flatMap(({ cells }) => cells).find(({ address }) => address === status)).toEqual({
      address: status,
      kind: 'waited',
      points: 1,
    });
    expect(overview.queue[0]).toMatchObject({
      point: { question: '201 or 202?', holds: ['POST /notes'] },
      offers: [{ value: 201, source: 'RFC 9110 §15.3.2' }],
    });
  });

  it('has a cell for each endpoint or resource where there are many points', async () => {
    const endpoints = Array.from({ length: 300 }, (_, index) => `GET /things/${index}: { does: (none) }`);
    const { query } = await console(['## Endpoints', '```yaml', ...endpoints, '```', ''].join('\n'));
    const { parts, queue, queueLeft } = await query<Overview>('overview');
    const cells = parts.find(({ part }) => part === 'endpoints')?.cells ?? [];
    expect(cells.length).toBeLessThan(310);
    expect(cells.find(({ address }) => address === 'endpoints["GET /things/7"]')).toMatchObject({
      kind: 'waited',
    });
    expect(queue.length).toBe(60);
    expect(queueLeft).toBeGreaterThan(100);
  });

  it('has a cell for each field of a resource of many, and says which are partly stated', async () => {
    const fields = Array.from(
      { length: 250 },
      (_, index) => `f${index}: { type: string, format: (open) which? }`,
    );
    const { query } = await console(
      ['## Resources', '```yaml', `Big: { fields: { ${fields.join(', ')} } }`, '```', ''].join('\n'),
    );
    const cells =
      (await query<Overview>('overview')).parts.find(({ part }) => part === 'resources')?.cells ?? [];
    expect(cells.length).toBeLessThan(260);
    expect(cells.find(({ address }) => address === 'resources.Big.fields.f7')).toMatchObject({
      kind: 'partly',
    });
  });

  it('lists points under an address, in a state, with their places and what is usual', async () => {
    const { query, file } = await console();
    const at = encodeURIComponent(status);
    const { points } = await query<PointList>(`points?address=${at}`);
    expect(points).toEqual([
      {
        address: status,
        state: 'open',
        at: `${file}:9:96`,
        file,
        line: 9,
        excerpt: notes.split('\n')[8],
        holds: ['POST /notes'],
        question: '201 or 202?',
        offers: [{ value: 201, why: 'an item was made', source: 'RFC 9110 §15.3.2' }],
      },
    ]);
    const open = await query<PointList>('points?address=endpoints&state=open');
    expect(new Set(open.points.map(({ state }) => state))).toEqual(new Set(['open']));
    expect((await query<PointList>('points?address=')).count).toBeGreaterThan(open.count);
    await expect(query('points?address=nothing')).rejects.toThrow('400 nothing is no address');
    await expect(query('points')).rejects.toThrow('400 address is missing, or no text');
  });
});

describe('answering a point', () => {
  it('is tried first: what it would come to is told, and nothing is written', async () => {
    const { act, text, file } = await console();
    const answer = await act<Answer>('answer', { addresses: [status], value: '201', isTried: true });
    expect(answer).toEqual({
      effect: {
        counts: { refinement: 1 },
        grave: [],
        nowRuns: ['POST /notes'],
        runsNoLonger: [],
        runs: 2,
        operations: 2,
      },
      file,
      line: 9,
      excerpt: notes.split('\n')[8]?.replace('(open) 201 or 202?', '201'),
    });
    expect(text()).toBe(notes);
  });

  it('edits the document, which is read again', async () => {
    const { act, query, text } = await console();
    await act('answer', { addresses: [status], value: '201' });
    expect(text()).toBe(notes.replace('(open) 201 or 202?', '201'));
    const { summary, queue } = await query<Overview>('overview');
    expect(summary).toBe('2 of 2 operations can be carried out');
    expect(queue.some(({ point }) => point.address === status)).toBe(false);
  });

  it('notes a question where it is left open', async () => {
    const { act, text } = await console();
    const answer = await act<Answer>('answer', { addresses: [status], value: '(open) ask Ada' });
    expect(answer.effect.nowRuns).toEqual([]);
    expect(text()).toBe(notes.replace('(open) 201 or 202?', '(open) ask Ada'));
  });

  it('answers all points that one marker leaves open', async () => {
    const both = notes
      .replace('status: (open) 201 or 202?', 'status: 201')
      .replace('status: 200, body: "${Note(page.items)}"', 'status: 200, body: (open)');
    const { act, text } = await console(both);
    const body = 'endpoints["GET /notes"].response.body';
    await act('answer', { addresses: [body, body], value: '(none)' });
    expect(text()).toBe(both.replace('body: (open)', 'body: (none)'));
  });

  it.each([
    ['the document would have an error', status, '"many"', /^400 .*error/s],
    ['the value is no YAML', status, '{', /^400 /],
    ['there is no value', status, ' ', /^400 an answer needs a value/],
    ['it is the rest of a list', 'endpoints.*', '(none)', /^400 endpoints\.\* cannot be stated by itself/],
    ['it is no address', 'nothing', '1', /^400 nothing cannot be stated by itself/],
  ])('writes nothing if %s', async (_name, address, value, message) => {
    const { act, text } = await console();
    await expect(act('answer', { addresses: [address], value })).rejects.toThrow(message);
    expect(text()).toBe(notes);
  });

  it('needs addresses and a value', async () => {
    const { act } = await console();
    await expect(act('answer', { addresses: [], value: '1' })).rejects.toThrow(
      '400 there is nothing to answer',
    );
    await expect(act('answer', { addresses: status, value: '1' })).rejects.toThrow('no list of texts');
    await expect(act('answer', { addresses: [status] })).rejects.toThrow('value is missing');
  });

  it('goes to the ledger of a description in another format, with a reason', async () => {
    const description = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: { '/notes': { get: { responses: { 200: { description: 'all' } } } } },
    });
    let used: string | undefined;
    let file = '';
    const desk = {
      read: () => readWithLedger(file, used, 'all'),
      follow: async (ledger?: string) => {
        used = ledger;
      },
    };
    const one = await console(description, desk, 'openapi.json');
    file = one.file;
    const { queue, isImported } = await one.query<Overview>('overview');
    expect(isImported).toBe(true);
    const address = queue[0]?.point.address ?? '';
    await expect(one.act('answer', { addresses: [address], value: '(none)' })).rejects.toThrow('400 say why');
    const answer = await one.act<Answer>('answer', {
      addresses: [address],
      value: '(none)',
      why: 'as usual',
    });
    expect(answer).toMatchObject({ file: used, line: null });
    expect(JSON.parse(readFileSync(used as string, 'utf8'))).toEqual([
      { at: address, value: '(none)', why: 'as usual', when: '2026-11-21T12:00:00Z' },
    ]);
    expect(one.text()).toBe(description);
    await expect(one.act('save', { file, content: '', before: description })).rejects.toThrow(
      '400 a description in another format is edited elsewhere',
    );
  });
});

describe('sending a request', () => {
  const { specification } = read('notes.md', notes);
  const running = () => ({ specification, address: 'http://127.0.0.1:9', data: 'x', credentials: {} });
  const get = { method: 'GET', target: '/notes' };

  it('is refused where nothing is served, or the service does not answer', async () => {
    const still = await console();
    await expect(still.act('send', get)).rejects.toThrow(
      '400 the service does not run: the document has errors',
    );
    const { act } = await console(notes, { running });
    await expect(act('send', get)).rejects.toThrow('400 the service does not answer: ');
  });

  it.each([
    ['another address', { target: '//evil.example/', method: 'GET /' }, 'a request is METHOD /path'],
    ['no path', { target: 'http://evil.example/' }, 'a request is METHOD /path'],
    [
      'a header field of two lines',
      { headers: { A: 'b\r\nC: d' } },
      'headers are names with texts on one line',
    ],
    ['a name that is none', { headers: { 'A:': 'b' } }, 'headers are names with texts on one line'],
    [
      'a header field that is not Latin-1',
      { headers: { A: '→' } },
      'headers are names with texts on one line',
    ],
    ['headers that are a list', { headers: ['A: b'] }, 'headers are names with texts on one line'],
    [
      'a scheme that is not stated',
      { scheme: 'desk' },
      'the document does not say where a credential of desk goes',
    ],
  ])('is refused with %s', async (_name, more, message) => {
    const { act } = await console(notes, { running });
    await expect(act('send', { ...get, ...more })).rejects.toThrow(`400 ${message}`);
  });

  it('puts a credential where its scheme says', () => {
    const schemes = [
      'a: { type: http, scheme: basic, credentials: operator }',
      'b: { type: http, scheme: bearer, credentials: operator }',
      'c: { type: apiKey, in: header, name: X-Key, credentials: operator }',
      'd: { type: apiKey, in: query, name: key, credentials: operator }',
      'e: { type: apiKey, in: cookie, name: key, credentials: operator }',
      'f: { type: http, scheme: bearer, prefix: Token, credentials: operator }',
    ];
    const text = [
      '## Authentication',
      '```yaml',
      'schemes:',
      ...schemes.map((one) => `  ${one}`),
      '```',
      '',
    ].join('\n');
    const { specification } = read('auth.md', text);
    const sent = (scheme: string) => presented(specification, scheme, { name: 'ada', secret: 's' });
    expect(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((one) => [one, sent(one)]))).toEqual({
      a: { headers: { Authorization: 'Basic YWRhOnM=' }, query: {} },
      b: { headers: { Authorization: 'Bearer s' }, query: {} },
      c: { headers: { 'X-Key': 's' }, query: {} },
      d: { headers: {}, query: { key: 's' } },
      e: { headers: { Cookie: 'key=s' }, query: {} },
      f: { headers: { Authorization: 'Token s' }, query: {} },
      g: null,
    });
    expect(sendersOf(specification, { b: { ada: 's' } }).slice(0, 2)).toEqual([
      { scheme: 'a', takes: 'name and password', names: [] },
      { scheme: 'b', takes: 'token', names: ['ada'] },
    ]);
  });
});

describe('an operation as a form', () => {
  it('has its statements, its inputs, the shape of its body and its examples', async () => {
    const { query } = await console(
      notes.replace(
        'response: { status: (open) 201 or 202? }',
        'response: { status: 201 }, examples: { tea: { request: { body: { text: tea } }, response: { status: 201 } } }',
      ),
    );
    const detail = await query<OperationDetail>('operation?name=POST%20%2Fnotes');
    expect(detail).toMatchObject({
      entry: { method: 'POST', path: '/notes', waitsFor: [] },
      inputs: [],
      body: { schema: { properties: { text: { type: 'string' } } } },
      senders: [],
      examples: [{ name: 'tea', body: '{\n  "text": "tea"\n}', hasExpressions: false }],
    });
    await expect(query('operation?name=none')).rejects.toThrow('400 the document has no operation none');
  });
});

describe('the text of the document', () => {
  it('is checked before it is saved: its faults, and what the edit comes to', async () => {
    const { act, query, file, text } = await console();
    expect(await query<Texts>('texts')).toEqual({ sources: [{ file, content: notes }], isEditable: true });
    const better = notes.replace('(open) 201 or 202?', '201');
    const { faults, effect } = await act<Checked>('check', { texts: [{ file, content: better }] });
    expect([faults, effect?.nowRuns]).toEqual([[], ['POST /notes']]);
    const worse = await act<Checked>('check', {
      texts: [{ file, content: notes.replace('does: list Note', 'dose: list Note') }],
    });
    expect(worse.effect).toBeNull();
    expect(worse.faults[0]).toMatchObject({
      severity: 'error',
      code: 'unknown-key',
      at: `${file}:8:15`,
      start: notes.indexOf('does: list'),
      end: notes.indexOf('does: list') + 4,
    });
    expect(text()).toBe(notes);
  });

  it('is saved with faults too, and followed', async () => {
    const { act, query, file, text } = await console();
    const content = notes.replace('does: list Note', 'dose: list Note');
    const { faults } = await act<Checked>('save', { texts: [{ file, content, before: notes }] });
    expect(faults.map(({ code }) => code)).toContain('unknown-key');
    expect(text()).toBe(content);
    expect((await query<Overview>('overview')).faults.length).toBeGreaterThan(0);
  });

  it('is not saved over what somebody else wrote, nor to another file', async () => {
    const { act, file, text } = await console();
    writeFileSync(file, `${notes}\nMore.\n`);
    const saved = (...texts: readonly object[]): Promise<unknown> => act('save', { texts });
    await expect(saved({ file, content: '', before: notes })).rejects.toThrow('was changed elsewhere');
    expect(text()).toBe(`${notes}\nMore.\n`);
    const other = `${file}.other`;
    const right = { file, content: notes, before: `${notes}\nMore.\n` };
    await expect(saved(right, { file: other, content: 'x', before: '' })).rejects.toThrow(
      `400 ${other} is no file of the document`,
    );
    expect(text()).toBe(`${notes}\nMore.\n`);
  });

  it('gives a name another, wherever it stands, and says why it cannot', async () => {
    const { act, file, text } = await console();
    const content = notes.replace('GET /notes:', 'GET /all-notes:');
    const cursor = { texts: [{ file, content }], file, offset: content.indexOf('list Note') + 6 };
    const at = content.indexOf('Note', cursor.offset - 1);
    expect(await act('renameable', cursor)).toEqual({
      word: 'Note',
      kind: 'resource, shape or view',
      start: at,
      end: at + 4,
      places: 5,
    });
    const edits = await act<Edit[]>('rename', { ...cursor, to: 'Letter' });
    expect(withEdits(content, edits)).toBe(content.replaceAll(/Note\b/g, 'Letter'));
    await expect(act('rename', { ...cursor, to: 'a letter' })).rejects.toThrow(
      '400 a letter is no name here',
    );
    await expect(act('renameable', { ...cursor, offset: 0 })).rejects.toThrow('no name of yours stands here');
    expect(text()).toBe(notes);
  });

  it('leaves open what is stated at a place', async () => {
    const { act, file, text } = await console();
    const cursor = (at: string) => ({ texts: [], file, offset: notes.indexOf(at) + 2 });
    const { address, edit } = await act<Opening>('mark-open', cursor('status: 200'));
    expect(address).toBe('endpoints["GET /notes"].response.status');
    expect(withEdits(notes, [edit])).toBe(notes.replace('status: 200', 'status: (open)'));
    await expect(act('mark-open', cursor('status: (open)'))).rejects.toThrow('400');
    expect(text()).toBe(notes);
  });

  it('is completed, and its keys are explained, as it stands in the editor', async () => {
    const { act, file } = await console();
    const content = notes.replace('does: list Note', 'do: list Note');
    const offset = content.indexOf('do: list') + 2;
    const found = await act<Completion>('complete', { file, content, offset });
    expect([found.from, found.options.map(({ label }) => label)]).toEqual([
      offset - 2,
      expect.arrayContaining(['does']),
    ]);
    const at = content.indexOf('status');
    expect(await act<Hover>('hover', { file, content, offset: at + 1 })).toMatchObject({
      start: at,
      end: at + 6,
    });
    expect(await act('hover', { file, content, offset: 0 })).toBeNull();
    for (const wrong of [-1, 0.5, '1', undefined])
      await expect(act('complete', { file, content, offset: wrong })).rejects.toThrow(
        '400 offset is missing',
      );
  });
});
