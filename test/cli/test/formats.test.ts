import { describe, expect, it } from 'vitest';
import { github } from '../../../src/cli/test/github.ts';
import { html } from '../../../src/cli/test/html.ts';
import { json } from '../../../src/cli/test/json.ts';
import { junit } from '../../../src/cli/test/junit.ts';
import { asResults } from '../../../src/cli/test/played.ts';
import { sarif } from '../../../src/cli/test/sarif.ts';
import { text } from '../../../src/cli/test/text.ts';
import type { Report } from '../../../src/conformance/report.ts';
import { plain } from '../../../src/source/diagnostic.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { read } from '../../../src/specification/read.ts';
import { document, played, reportOf, results, violation } from './runs.ts';

const report = reportOf();
const about = (of: Specification) => ({ of, credentials: {}, paint: plain, isVerbose: false });

describe('junit', () => {
  it('has a suite a part and a case a check, with its time; what fails nothing is skipped, with the reason', () => {
    expect(junit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Notes &lt;&amp;&gt;" tests="5" failures="1" errors="0" skipped="3" time="1.5" timestamp="2026-11-21T12:00:00.000Z">
  <properties>
    <property name="url" value="http://127.0.0.1:9"/>
    <property name="seed" value="1"/>
    <property name="requests" value="2"/>
    <property name="cause 1" value="endpoints[&quot;POST /notes&quot;].response.status  notes.md:9  expected status 201, found status 200"/>
    <property name="cause 2" value="endpoints[&quot;POST /notes&quot;].response.status  notes.md:9  expected status 201, found status 200  assumed"/>
  </properties>
  <testsuite name="resources" tests="1" failures="0" errors="0" skipped="0" time="0" timestamp="2026-11-21T12:00:00.000Z">
    <testcase name="it is so" classname="resources.Note" file="notes.md" line="3" time="0"/>
  </testsuite>
  <testsuite name="endpoints" tests="4" failures="1" errors="0" skipped="3" time="0" timestamp="2026-11-21T12:00:00.000Z">
    <testcase name="POST /notes answers with 201" classname="endpoints[&quot;POST /notes&quot;].response.status" file="notes.md" line="9" time="0">
      <failure message="expected status 201, found status 200" type="answer.permitted">POST /notes answers with 201
statement endpoints[&quot;POST /notes&quot;].response.status notes.md:9:23
expected  status 201
found     status 200
answer    200 &lt;script&gt;alert(1)&lt;/script&gt;
again     curl -sS 'http://127.0.0.1:9/notes'</failure>
    </testcase>
    <testcase name="it is as assumed (assumed)" classname="endpoints[&quot;POST /notes&quot;].response.status" file="notes.md" line="9" time="0">
      <skipped message="violates what is assumed: expected status 201, found status 200"/>
    </testcase>
    <testcase name="it comes about" classname="endpoints[&quot;POST /notes&quot;].response.status" file="notes.md" line="9" time="0">
      <skipped message="not exercised: no &quot;reason&quot; &amp; &lt;none&gt;\ufffd"/>
    </testcase>
    <testcase name="it is known" classname="endpoints[&quot;POST /notes&quot;].response.status" file="notes.md" line="9" time="0">
      <skipped message="not stated: endpoints[&quot;POST /notes&quot;].response.body"/>
    </testcase>
  </testsuite>
</testsuites>
`);
  });
});

describe('github', () => {
  it('annotates each statement that is violated, and sums up', () => {
    const place = 'file=notes.md,line=9,col=23,title=tacet%3A endpoints["POST /notes"].response.status';
    const found = "expected status 201%0Afound status 200%0Acurl -sS 'http://127.0.0.1:9/notes'";
    expect(github(report)).toBe(
      [
        `::error ${place}::POST /notes answers with 201%0A${found}`,
        `::warning ${place}::it is as assumed (assumed)%0A${found}`,
        '::notice title=tacet%3A Notes <&>::1 check found a violation',
        '',
      ].join('\n'),
    );
  });
});

describe('examples that are answered otherwise than they show', () => {
  const { specification } = read('notes.md', document);
  const [lenient, strict] = [asResults(played, false), asResults(played, true)];
  const alone = { ...report, results: [] };
  const differs = '/title: expected "<i>", found "<b>"';

  it('are listed in the text and on the page, with those that were not played, and fail nothing', () => {
    const told = text(report, about(specification));
    const section = told.slice(told.indexOf('\nexamples: '), told.indexOf('\nshown, and'));
    expect(section).toBe(`
examples: 1 as expected, 1 otherwise, 1 not played
  otherwise  add.second  notes.md:10:3
        ${differs}
        curl -sS -i -X POST --path-as-is 'http://127.0.0.1:9/notes' -H 'Content-Type: application/json' --data-raw '{"text":"<b>"}'
  not played  add.third  notes.md:10:3
        what it asks for is open: endpoints["POST /notes"].does
`);
    const page = html(report, specification);
    const shown = page.slice(page.indexOf('<h2 id="examples"'), page.indexOf('<h2 id="inventions"'));
    expect(shown).toContain('1 as expected, 1 otherwise, 1 not played');
    expect(shown).toContain('/title: expected &quot;&lt;i&gt;&quot;, found &quot;&lt;b&gt;&quot;');
    expect(shown).not.toContain('add.first');
  });

  it('are skipped in JUnit, and a warning or a note elsewhere', () => {
    const cases = junit(alone, lenient).match(/<testcase[^>]*example[\s\S]*?(?:\/>|<\/testcase>)/g) ?? [];
    expect(cases.map((one) => /message="([^"]*)"/.exec(one)?.[1] ?? 'passed')).toEqual([
      'passed',
      'not stated: /title: expected &quot;&lt;i&gt;&quot;, found &quot;&lt;b&gt;&quot;',
      'not exercised: what it asks for is open: endpoints[&quot;POST /notes&quot;].does',
    ]);
    expect(github(alone, lenient).split('\n')[0]).toMatch(
      /^::warning file=notes.md,line=10,.*::the example add.second%0A/,
    );
    const log = JSON.parse(sarif(alone, '1.2.3', lenient)) as { runs: { results: unknown[] }[] };
    expect(log.runs[0]?.results).toMatchObject([{ ruleId: 'example', level: 'note' }]);
  });

  it('are violations where the operator wants them to fail', () => {
    expect(strict.map(({ verdict }) => verdict)).toEqual(['conforms', 'violates', 'not exercised']);
    expect(junit({ ...alone, results: strict })).toContain('tests="3" failures="1" errors="0" skipped="1"');
    expect(github({ ...alone, results: strict })).toMatch(/^::error file=notes.md,line=10,/);
  });
});

describe('a run that ended before all was tested', () => {
  const cutShort = 'nothing was answered any more for 60 s, and what is left was not tested';
  const conforming = reportOf(results.filter(({ verdict }) => verdict !== 'violates'));
  const [whole, unlucky] = [
    { ...conforming, cutShort },
    { ...report, cutShort },
  ];

  it('is told of once in every report, beside what was found', () => {
    const { specification } = read('notes.md', document);
    const texts = [
      (one: Report) => text(one, about(specification)),
      (one: Report) => html(one, specification).replace(/<title>.*/, ''),
      github,
    ];
    for (const told of texts) {
      expect(told(whole).split(`no violation as far as it came: ${cutShort}`)).toHaveLength(2);
      expect(told(unlucky).split(`1 check found a violation; ${cutShort}`)).toHaveLength(2);
      expect(told(conforming)).not.toContain('not tested');
    }
  });

  it('is an error in JUnit, and in SARIF an invocation that did not succeed', () => {
    const [first, ...lines] = junit(whole).split('\n').slice(1);
    expect(first).toContain('tests="4" failures="0" errors="1" ');
    expect(
      lines.slice(-7).join('\n'),
    ).toBe(`  <testsuite name="all is tested" tests="1" failures="0" errors="1" skipped="0" time="0" timestamp="2026-11-21T12:00:00.000Z">
    <testcase name="all is tested" classname="all is tested" time="0">
      <error message="${cutShort}"/>
    </testcase>
  </testsuite>
</testsuites>
`);
    const [run] = (JSON.parse(sarif(whole, '1.2.3')) as { runs: { invocations: unknown }[] }).runs;
    expect(run?.invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: 'error', message: { text: cutShort } }],
      },
    ]);
  });
});

describe('sarif', () => {
  it('has a result a cause, ranked, at the statement, with the request and the answer', () => {
    const log = JSON.parse(sarif(report, '1.2.3')) as {
      version: string;
      runs: { results: unknown[]; tool: unknown }[];
    };
    const [run] = log.runs;
    expect([log.version, log.runs.length]).toEqual(['2.1.0', 1]);
    expect(run?.tool).toEqual({
      driver: { name: 'tacet', semanticVersion: '1.2.3', rules: [{ id: 'answer.permitted' }] },
    });
    const violation = {
      ruleId: 'answer.permitted',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'POST /notes answers with 201: expected status 201, found status 200' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'notes.md' },
            region: { startLine: 9, startColumn: 23 },
          },
          logicalLocations: [{ fullyQualifiedName: 'endpoints["POST /notes"].response.status' }],
        },
      ],
      webRequest: {
        method: 'POST',
        target: 'http://127.0.0.1:9/notes',
        headers: { 'Content-Type': 'application/json' },
        body: { text: '{"text":"<b>"}' },
      },
      webResponse: {
        statusCode: 200,
        headers: { 'Content-Type': 'text/html' },
        body: { text: '<script>alert(1)</script>' },
      },
      rank: 100,
      occurrenceCount: 1,
      properties: { curl: "curl -sS 'http://127.0.0.1:9/notes'", operations: [] },
    };
    const message = { text: 'it is as assumed: expected status 201, found status 200' };
    expect(run?.results).toEqual([violation, { ...violation, level: 'note', message, rank: 50 }]);
  });
});

describe('json', () => {
  it('stays small, whatever was answered, and says how much it leaves out', () => {
    const body = 'x'.repeat(100_000);
    const many = Array.from({ length: 400 }, (_, index) => ({
      ...violation,
      statement: { address: `resources.R${index}`, at: 'notes.md:1:1' },
      found: body,
      response: { status: 200, headers: [], body },
      sequence: [],
    }));
    const { specification } = read('notes.md', document);
    const text = json(reportOf(many), specification);
    expect(text.length).toBeLessThan(200_000);
    const summary = JSON.parse(text) as {
      causes: readonly { found: string }[];
      violations: readonly { sequence?: readonly { response: { body: string } }[] }[];
      leftOut: Readonly<Record<string, number>>;
    };
    expect(summary.leftOut).toEqual({
      causes: 300,
      sequences: summary.violations.filter(({ sequence }) => sequence === undefined).length,
      unnoticed: 0,
      inventions: 0,
    });
    expect(summary.causes[0]?.found).toMatch(/^x{300}… \(99700 characters more\)$/);
    expect(summary.violations[0]?.sequence?.[0]?.response.body).toMatch(
      /^x{2000}… \(98000 characters more\)$/,
    );
  });
});

describe('html', () => {
  const { specification } = read('notes.md', document);
  const page = html(report, specification);

  it('asks nobody for anything, and runs nothing', () => {
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|url\(|@import|\son\w+=/);
    expect([...page.matchAll(/href="([^"]*)"/g)].filter(([, to]) => !to?.startsWith('#'))).toEqual([]);
  });

  it('lists what would not be noticed below what to fix, and nothing where nobody worked it out', () => {
    const unnoticed = {
      address: 'resources.Note',
      at: 'notes.md:3:1',
      says: '<i>',
      reason: 'not found',
    } as const;
    const told = html({ ...report, unnoticed: [unnoticed] }, specification);
    const section = told.slice(told.indexOf('<h2 id="unnoticed"'), told.indexOf('<h2 id="parts"'));
    expect(section).toContain('1 statement: no request was found to which it makes a difference');
    expect(section).toContain('<code>resources.Note</code>');
    expect(told.indexOf('<h2 id="fix"')).toBeLessThan(told.indexOf('<h2 id="unnoticed"'));
    expect(page).not.toContain('id="unnoticed"');
    const inOrder = {
      ...reportOf(results.filter(({ verdict }) => verdict === 'conforms')),
      unnoticed: [unnoticed],
    };
    expect(text(inOrder, about(specification))).toMatch(
      /\nno violation; 1 of 1 check found what is stated; a deviation from 1 statement would not be noticed\n$/,
    );
  });

  it('holds nothing that an answer or a document could make markup of', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('<title>Notes &lt;&amp;&gt;: 1 check found a violation</title>');
    expect(page).toContain('no &quot;reason&quot; &amp; &lt;none&gt;\ufffd');
  });

  it('lists what nobody stated, with an example', () => {
    const section = page.slice(page.indexOf('id="inventions"'), page.indexOf('id="statements"'));
    expect(section).toContain(
      '<span>the header field X-Powered-By</span> <span class="place">3 times</span>',
    );
    expect(section).toContain('curl -sS -i -X POST --path-as-is &#39;http://127.0.0.1:9/notes&#39;');
  });

  it('shows a violation with the requests that lead to it, and folds those like it', () => {
    const article = page.slice(page.indexOf('<article'), page.indexOf('</article>'));
    expect([...article.matchAll(/class="method">(\w+)</g)].map(([, method]) => method).slice(0, 2)).toEqual([
      'GET',
      'POST',
    ]);
    expect(article).toContain('<dt>expected</dt><dd>status 201</dd>');
    expect(article).toContain('curl -sS -i -X POST --path-as-is &#39;http://127.0.0.1:9/notes&#39;');
    expect(page).toContain(
      '<a href="#cause-2"><code>endpoints[&quot;POST /notes&quot;].response.status</code></a>',
    );
    expect(page.indexOf('What to fix')).toBeLessThan(page.indexOf('The nine parts'));
  });
});
