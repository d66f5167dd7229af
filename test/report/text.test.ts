import { describe, expect, it } from 'vitest';
import { questionsText, text } from '../../src/report/text.ts';
import type { Paint } from '../../src/source/diagnostic.ts';
import { document } from '../specification/documents.ts';
import { assumptions, parcels, reportOf } from './document.ts';

const as = (value: string): string => value;
const plain: Paint = { bold: as, dim: as, red: as, green: as, yellow: as, cyan: as };

const section = (of: string, title: string): string => {
  const begin = of.indexOf(`\n${title}\n`);
  return begin < 0 ? '' : (of.slice(begin + title.length + 2).split('\n\n')[0] ?? '');
};

describe('the report for people', () => {
  it('says what to answer first, with the question, and how many operations run by then', () => {
    expect(section(text(reportOf(), 'x', false, plain), 'answer first, so that operations run')).toBe(
      [
        '  1. lets listParcels run (3 of 5)',
        '       endpoints["GET /parcels"].response.status  x.md:17:70',
        '  2. lets readParcel run (4 of 5)',
        '       resources.Parcel.identifier  x.md:7:3',
        '  3. lets removeParcel run (5 of 5)',
        '       endpoints["DELETE /parcels/{id}"].response.status  x.md:19:81',
        '         asks: 200 or 204?',
      ].join('\n'),
    );
  });

  it('then what some requests wait for, what is open besides, and what is assumed', () => {
    const found = text(reportOf(parcels, assumptions), 'x', false, plain);
    expect(section(found, 'open, and holding up some requests')).toBe(
      '  endpoints["POST /notes"].request.others  x.md:20:64\n    holds up some requests of addNote',
    );
    expect(section(found, 'open, and holding up no operation').split('\n').slice(0, 5)).toEqual([
      '  service.purpose  x.md:1:1',
      '  service.actors.*  x.md:1:1',
      '  service.scope  x.md:1:1',
      '  resources.Parcel: fields.id.*, fields.*, *  x.md:7:17',
      '  resources.Note: fields.id.set.*, fields.id.*, fields.*, *  x.md:10:38',
    ]);
    expect(section(found, 'assumed')).toBe('  endpoints["GET /parcels"].response.status  assumptions:1:7');
    expect(found).not.toContain('\nstated\n');
  });

  it('shows every point, a line each, where all is asked for', () => {
    const found = text(reportOf(), 'x', true, plain);
    for (const { address, at } of reportOf().parts.flatMap((part) => part.points))
      expect(found).toContain(`${address}  ${at}\n`);
  });

  it('stays readable where there is very much of everything', () => {
    const keys = Array.from(
      { length: 100 },
      (_, index) => `GET /p${index}: { response: 200 }\nGET /q${index}: { does: list Q, response: 200 }`,
    );
    const found = text(reportOf(document({ endpoints: keys.join('\n') })), 'x', false, plain);
    expect(found.split('\n').length).toBeLessThan(70);
    expect(found).toContain(
      '     and 90 more steps, letting 90 operations run (200 of 200); --all shows them\n',
    );
    expect(found).toMatch(/ {2}and \d+ more points at \d+ more places; --all shows them\n/);
  });

  it('names an open point that holds up what this version does not run, besides', () => {
    const found = reportOf(
      document({
        resources: 'Todo: { identifier: id, fields: { id: { set: { create: "${uuid()}" } } } }',
        endpoints: 'GET /: { does: { delete: every Todo, where: { handled: f } }, response: { body: {} } }',
      }),
    );
    expect(
      section(text(found, 'x', false, plain), 'open, in operations that this version does not run'),
    ).toBe('  endpoints["GET /"].response.status  x.md:12:73\n    holds up GET /');
    expect(section(text(found, 'x', false, plain), 'stated, not run by this version')).toBe(
      '  endpoints["GET /"].does.where  x.md:12:45\n    holds up GET /',
    );
  });

  it('prints none of the control characters of a document', () => {
    const question = '(open) \u001b[2Jred\u0007?';
    const found = reportOf(
      document({ endpoints: `GET /: { does: ${JSON.stringify(question)}, response: 200 }` }),
    );
    const printed = text(found, '\u001b]0;title\u0007', false, plain);
    expect(printed).toContain('asks:  [2Jred ?');
    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  describe('of points that one place of the document speaks of', () => {
    const shared = document({
      resources: '{}',
      endpoints: [
        'others: (open) refused or ignored?',
        'every POST: { request: { media: application/xml } }',
        'POST /a: { does: (none), request: { body: { type: object } }, response: 204 }',
        'POST /b: { does: (none), request: { body: { type: object } }, response: { status: (open) 201 or 202? } }',
        'PUT /c: { does: (none), request: { body: { type: object } }, response: 204 }',
      ].join('\n'),
    });

    it('shows one, and how many more there are', () => {
      const found = text(reportOf(shared), 'x', false, plain);
      expect(section(found, 'open, and holding up some requests')).toBe(
        [
          '  endpoints["POST /a"].request.others and 2 more  x.md:12:9',
          '    asks: refused or ignored?',
          '    holds up some requests of POST /a, POST /b, PUT /c',
        ].join('\n'),
      );
      expect(section(found, 'stated, not run by this version')).toBe(
        '  endpoints["POST /a"].request.media and 1 more  x.md:13:33\n    holds up POST /a, POST /b',
      );
    });

    it('shows each where all is asked for', () => {
      const found = text(reportOf(shared), 'x', true, plain);
      expect(section(found, 'stated, not run by this version')).toBe(
        ['a', 'b']
          .map((name) => `  endpoints["POST /${name}"].request.media  x.md:13:33\n    holds up POST /${name}`)
          .join('\n'),
      );
    });
  });

  it('shows a question where it holds something up, and no second time', () => {
    const found = text(reportOf(), 'x', false, plain);
    expect(found.split('asks: 200 or 204?')).toHaveLength(2);
    expect(text(reportOf(), 'x', true, plain).split('asks: 200 or 204?')).toHaveLength(3);
  });

  it('names a point in full where it is alone at its place, and what is asked of it', () => {
    const found = text(
      reportOf(
        '# A\n\n## States\n\n```yaml\n(open) are there any?\n```\n\n## Versioning\n\n```yaml\n(open) one?\n```\n',
      ),
      'x',
      false,
      plain,
    );
    expect(found).toContain('\n  states  x.md:6:1\n    asks: are there any?\n');
    expect(found).toContain('\n  versioning  x.md:12:1\n    asks: one?\n');
    expect(found).not.toMatch(/: {2}| {5}asks/);
  });

  it('names a whole part without an empty address', () => {
    const points = [
      {
        address: 'versioning',
        state: 'open' as const,
        at: 'x.md:1:1',
        holds: [],
      },
    ];
    const found = text(
      { parts: [{ part: 'versioning', state: 'open', points }], operations: [], steps: [] },
      'x',
      false,
      plain,
    );
    expect(section(found, 'open, and holding up no operation')).toBe('  versioning  x.md:1:1');
  });
});

describe('the questions alone, for people', () => {
  it('each once, with what is asked about and what it holds up', () => {
    expect(questionsText(reportOf(), 'Parcels', false, plain)).toBe(
      [
        'Parcels: 1 question',
        '',
        '  1. 200 or 204?',
        '       endpoints["DELETE /parcels/{id}"].response  x.md:19:81',
        '       holds up removeParcel',
        '',
      ].join('\n'),
    );
  });

  it('of many addresses at one place some, unless all are wanted', () => {
    const keys = Array.from({ length: 8 }, (_, index) => `GET /${index}: { does: (none), response: 204 }`);
    const report = reportOf(document({ endpoints: ['others: (open) kept?', ...keys].join('\n') }));
    const address = (index: number, at = '') => `       endpoints["GET /${index}"].request.others${at}`;
    const place = (questionsText(report, 'x', true, plain).match(/x\.md:\d+:\d+/) ?? [''])[0];
    expect(questionsText(report, 'x', false, plain).split('\n').slice(2)).toEqual([
      '  1. kept?',
      address(0, `  ${place}`),
      ...[1, 2, 3, 4, 5].map((index) => address(index)),
      '       and 2 more; --all shows them',
      '',
    ]);
    expect(questionsText(report, 'x', true, plain).split('\n').slice(3, -1)).toEqual([
      address(0, `  ${place}`),
      ...[1, 2, 3, 4, 5, 6, 7].map((index) => address(index)),
    ]);
  });

  it('says where nothing is asked, and prints no control character of a document', () => {
    expect(questionsText(reportOf('# Nothing\n'), 'x', false, plain)).toBe('x: nothing is asked\n');
    const report = reportOf(
      document({ endpoints: `GET /: { does: ${JSON.stringify('(open) \u001b[2Jred?')} }` }),
    );
    expect(questionsText(report, '\u001b]0;x', false, plain).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});
