import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { checklist, markdown } from '../../src/report/markdown.ts';
import { document } from '../specification/documents.ts';
import { parcels, reportOf } from './document.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('the report for a pull request', () => {
  it('begins with what it comes to, the parts, and what to answer first', () => {
    expect(lines(markdown(reportOf(), 'Parcels')).slice(0, 20)).toEqual([
      '### `Parcels`',
      '**2 of 5 operations can be carried out; answering 3 points lets 3 more run.**',
      '| part | | stated | assumed | open |',
      '|---|---|--:|--:|--:|',
      '| service | open | 0 | 0 | 3 |',
      '| resources | partly | 8 | 0 | 9 |',
      '| states | stated | 1 | 0 | 0 |',
      expect.stringMatching(/^\| endpoints \| partly \| \d+ \| 0 \| \d+ \|$/),
      '| authentication | open | 0 | 0 | 3 |',
      '| events | open | 0 | 0 | 4 |',
      '| errors | open | 0 | 0 | 4 |',
      '| limits | open | 0 | 0 | 4 |',
      '| versioning | open | 0 | 0 | 4 |',
      '**Answer first, so that operations run:**',
      '1. lets 1 operation run: `listParcels`',
      '   - `endpoints["GET /parcels"].response.status` at `x.md:17:70`',
      '2. lets 1 operation run: `readParcel`',
      '   - `resources.Parcel.identifier` at `x.md:7:3`',
      '3. lets 1 operation run: `removeParcel`',
      '   - `endpoints["DELETE /parcels/{id}"].response.status` at `x.md:19:81`: `200 or 204?`',
    ]);
  });

  it('folds the rest away', () => {
    const found = markdown(reportOf(), 'Parcels');
    const open = reportOf()
      .parts.flatMap((part) => part.points)
      .filter((point) => point.state === 'open').length;
    expect(found).toContain(`<details><summary>${open} open points</summary>\n\n- \`service.purpose\` at`);
    expect(found.match(/<details>/g)?.length).toBe(found.match(/<\/details>/g)?.length);
  });

  it('is whole where nothing is open or stated', () => {
    expect(markdown({ parts: [], operations: [], steps: [] }, '')).toBe(
      '### ` `\n\n**no operation is stated.**\n\n| part | | stated | assumed | open |\n|---|---|--:|--:|--:|\n',
    );
  });

  it('keeps what a document says from being markup: it stands in code spans alone', () => {
    const question = 'x ` </details><script>x</script> `` @you ``` ![a](http://b) |';
    const found = markdown(
      reportOf(
        document({ endpoints: `'GET /<i>':\n  does: (open) ${question}\n  response: '(open) \`tail'` }),
      ),
      '# `x`\n<b>',
    );
    expect(found).toContain(question);
    const html = new MarkdownIt({ html: true }).render(found);
    const tags = [...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag);
    expect([...new Set(tags)].sort()).toEqual([
      'code',
      'details',
      'h3',
      'li',
      'ol',
      'p',
      'strong',
      'summary',
      'table',
      'tbody',
      'td',
      'th',
      'thead',
      'tr',
      'ul',
    ]);
    expect(html.replaceAll(/<code>.*?<\/code>/g, '')).not.toMatch(/script|@you|http:|&lt;/);
  });

  it('shows some of what is very much, and says how much it leaves out', () => {
    const keys = Array.from({ length: 300 }, (_, index) => `GET /p${index}: { response: 200 }`);
    const found = markdown(reportOf(document({ endpoints: keys.join('\n') })), 'Many');
    expect(found.length).toBeLessThan(65_536);
    expect(found).toMatch(/^<details><summary>295 more steps<\/summary>\n\n6\. /m);
    expect(found).toMatch(/\n- and 95 more\n/);
  });

  it('says nothing of a checks column that was not asked for', () => {
    expect(markdown(reportOf(parcels), 'x')).not.toContain('check');
  });
});

describe('the questions as a checklist', () => {
  it('each once, with what is asked about and what it holds up', () => {
    expect(checklist(reportOf(), 'Parcels')).toBe(
      [
        '### `Parcels`: 1 question',
        '',
        '- [ ] `200 or 204?`',
        '  - `endpoints["DELETE /parcels/{id}"].response` at `x.md:19:81`',
        '  - holds up `removeParcel`',
        '',
      ].join('\n'),
    );
  });

  it('says where nothing is asked', () => {
    expect(checklist(reportOf('# Nothing\n'), 'x')).toBe('### `x`: nothing is asked\n');
  });

  it('shows some of very many, and says how much it leaves out', () => {
    const keys = Array.from(
      { length: 150 },
      (_, index) => `GET /p${index}: { does: (open) what of ${index}? }`,
    );
    const found = checklist(reportOf(document({ endpoints: keys.join('\n') })), 'Many');
    expect(found).toMatch(/^### `Many`: 150 questions\n/);
    expect(found).toMatch(/\n- and 50 more\n$/);
    expect(found.match(/^- \[ \]/gm)).toHaveLength(100);
  });

  it('keeps what a document asks from being markup', () => {
    const question = 'x ` <script>x</script> @you ![a](http://b)';
    const html = new MarkdownIt({ html: true }).render(
      checklist(reportOf(document({ endpoints: `GET /: { does: '(open) ${question}' }` })), '<b>'),
    );
    expect(html).toContain('&lt;script&gt;');
    expect(html.replaceAll(/<code>.*?<\/code>/g, '')).not.toMatch(/script|@you|http:|&lt;/);
  });
});
