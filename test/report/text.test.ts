import { describe, expect, it } from 'vitest';
import { text } from '../../src/report/text.ts';
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
      '  service.actors: *  x.md:1:1',
      '  service.scope  x.md:1:1',
      '  resources.Parcel: fields.id.*, fields.*  x.md:7:17',
      '  resources.Note: fields.id.*, fields.*  x.md:10:17',
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
        endpoints: 'POST /: { does: create Todo, also: [{ delete: Todo }], response: {} }',
      }),
    );
    expect(
      section(text(found, 'x', false, plain), 'open, in operations that this version does not run'),
    ).toBe('  endpoints["POST /"].response.status  x.md:12:66\n    holds up POST /');
    expect(section(text(found, 'x', false, plain), 'stated, not run by this version')).toBe(
      '  endpoints["POST /"].also  x.md:12:36\n    holds up POST /',
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
});
