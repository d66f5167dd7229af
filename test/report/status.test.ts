import { describe, expect, it } from 'vitest';
import { ofPart, summary, tally } from '../../src/report/status.ts';
import { document } from '../specification/documents.ts';
import { assumptions, parcels, reportOf } from './document.ts';

describe('the status of a specification', () => {
  it('tells of each operation what it waits for', () => {
    expect(reportOf().operations).toEqual([
      { name: 'listNotes', state: 'runs', waitsFor: [] },
      { name: 'listParcels', state: 'waits', waitsFor: ['endpoints["GET /parcels"].response.status'] },
      { name: 'readParcel', state: 'waits', waitsFor: ['resources.Parcel.identifier'] },
      {
        name: 'removeParcel',
        state: 'waits',
        waitsFor: ['endpoints["DELETE /parcels/{id}"].response.status', 'resources.Parcel.identifier'],
      },
      { name: 'addNote', state: 'runs', waitsFor: [] },
    ]);
  });

  it('tells what to answer first', () => {
    expect(reportOf().steps).toEqual([
      { answer: ['endpoints["GET /parcels"].response.status'], runs: ['listParcels'], inAll: 1 },
      { answer: ['resources.Parcel.identifier'], runs: ['readParcel'], inAll: 2 },
      { answer: ['endpoints["DELETE /parcels/{id}"].response.status'], runs: ['removeParcel'], inAll: 3 },
    ]);
  });

  it('what is assumed is assumed, and nothing waits for it', () => {
    const report = reportOf(parcels, assumptions);
    const points = report.parts.flatMap((part) => part.points);
    expect(points.filter((point) => point.state === 'assumed')).toEqual([
      {
        address: 'endpoints["GET /parcels"].response.status',
        state: 'assumed',
        at: 'assumptions:1:7',
        holds: [],
      },
    ]);
    expect(report.operations[1]).toEqual({ name: 'listParcels', state: 'runs', waitsFor: [] });
  });

  it('a point carries the question that is asked of it, or of what it stands in', () => {
    const asked = reportOf()
      .parts.flatMap((part) => part.points)
      .filter((point) => point.question !== undefined);
    expect(asked.map(({ address, holds, question }) => [address, holds, question])).toEqual([
      ['endpoints["DELETE /parcels/{id}"].response', [], '200 or 204?'],
      ['endpoints["DELETE /parcels/{id}"].response.status', ['removeParcel'], '200 or 204?'],
    ]);
  });

  it('an operation that this version does not run is none that an answer lets run', () => {
    const report = reportOf(
      document({
        resources: 'Todo: { identifier: id, fields: { id: { set: { create: "${uuid()}" } } } }',
        endpoints: 'GET /: { does: { delete: every Todo, where: { handled: f } }, response: { body: {} } }',
      }),
    );
    expect(report.steps).toEqual([]);
    expect(report.operations).toEqual([
      { name: 'GET /', state: 'not run', waitsFor: ['endpoints["GET /"].response.status'] },
    ]);
    expect(summary(report)).toBe(
      '0 of 1 operation can be carried out; 1 wait for what this version does not run yet, 1 of them for answers too',
    );
  });

  it('counts the points by their state', () => {
    const [resources] = reportOf().parts.filter((one) => one.part === 'resources');
    expect(resources && tally(resources.points)).toEqual({ stated: 8, assumed: 0, open: 9 });
  });

  it('of one part has its points and its steps, and comes to the same', () => {
    const whole = reportOf();
    const one = ofPart(whole, 'resources');
    expect(one.parts.map((part) => part.part)).toEqual(['resources']);
    expect(one.steps).toEqual([whole.steps[1]]);
    expect(summary(one)).toBe(summary(whole));
  });

  it('comes to one line', () => {
    expect(summary(reportOf())).toBe(
      '2 of 5 operations can be carried out; answering 3 points lets 3 more run',
    );
    expect(summary(reportOf('# Nothing\n'))).toBe('no operation is stated');
  });
});
