import { describe, expect, it } from 'vitest';
import { svg } from '../../src/report/svg.ts';
import { document } from '../specification/documents.ts';
import { assumptions, parcels, reportOf } from './document.ts';

/** How many cells of a kind are drawn in the row of a part. */
const cells = (picture: string, part: string, kind: string): number => {
  const row = picture.split('\n').find((line) => line.includes(`>${part}</text>`)) ?? '';
  const path = new RegExp(`<path class="${kind}" d="([^"]*)"`).exec(row)?.[1] ?? '';
  return path.match(/M/g)?.length ?? 0;
};

describe('the report as a picture', () => {
  it('shows each point of each part, by its state', () => {
    const picture = svg(reportOf(parcels, assumptions), 'Parcels');
    const row = (part: string) =>
      ['stated', 'assumed', 'open', 'waited'].map((kind) => cells(picture, part, kind));
    expect(row('service')).toEqual([0, 0, 3, 0]);
    expect(row('resources')).toEqual([8, 0, 8, 1]);
    expect(row('states')).toEqual([1, 0, 0, 0]);
    expect(row('endpoints').slice(1)).toEqual([1, expect.any(Number), 1]);
  });

  it('says in words what it shows', () => {
    const picture = svg(reportOf(), 'Parcels');
    expect(picture).toContain('role="img" aria-labelledby="title desc"');
    expect(picture).toContain('<title id="title">Parcels: what is stated, assumed and open</title>');
    expect(picture).toMatch(
      /<desc id="desc">2 of 5 operations can be carried out; .*service: 0 stated, 0 assumed, 3 open; resources: 8 stated/,
    );
  });

  it('is the same bytes for the same report, light and dark, with no script and nothing from elsewhere', () => {
    const picture = svg(reportOf(), 'Parcels');
    expect(svg(reportOf(), 'Parcels')).toBe(picture);
    expect(picture).toContain('@media (prefers-color-scheme:dark)');
    expect(picture.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /script|href|url\(|https?:|@import/,
    );
  });

  it('takes a name for text, whatever it holds', () => {
    const picture = svg(reportOf(), '</title><script>&\u0000\u001b\uD800');
    expect(picture).not.toContain('<script>');
    expect(picture).toContain('&lt;/title&gt;&lt;script&gt;&amp;\uFFFD\uFFFD\uFFFD');
  });

  it('stays a picture where there are very many points: a cell stands for several', () => {
    const keys = Array.from(
      { length: 1000 },
      (_, index) => `GET /p${index}: { does: (none), response: 200 }`,
    );
    const report = reportOf(document({ endpoints: keys.join('\n'), states: '(none)' }));
    const picture = svg(report, 'Many');
    const points = report.parts.reduce((sum, part) => sum + part.points.length, 0);
    expect(points).toBeGreaterThan(1200);
    expect(picture).toContain('a cell is up to 5 points');
    expect(cells(picture, 'states', 'stated')).toBe(1);
    expect(cells(picture, 'endpoints', 'stated')).toBeLessThan(1200);
  });

  it('shortens a name that has no room', () => {
    expect(svg(reportOf(), 'x'.repeat(100))).toContain(`>${'x'.repeat(59)}…</text>`);
  });
});
