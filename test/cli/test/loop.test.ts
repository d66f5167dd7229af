import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOf, failuresOf } from '../../../src/cli/test/exit-code.ts';
import { tenLines } from '../../../src/cli/test/summary/ten-lines.ts';
import { unnoticedText } from '../../../src/cli/test/summary/unnoticed.ts';
import type { Report } from '../../../src/conformance/report.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { reasonWords } from '../../../src/conformance/search/reasons/reasons.ts';
import type { Unnoticed } from '../../../src/conformance/stream.ts';
import { sentence } from '../../../src/conformance/verdicts/sentence.ts';
import { plain } from '../../../src/source/diagnostic.ts';
import { startTodo } from '../../faulty/todo.ts';
import type { Running } from '../../listening.ts';
import { tacet, temporaryFolder } from '../terminal.ts';
import { reportOf, results, violation } from './runs.ts';

const { path, file } = temporaryFolder();
const ended = new AbortController().signal;
const document = file('todo.md', readFileSync('examples/todo.md'));

let faulty: Running;
beforeAll(async () => {
  faulty = await startTodo('create answers 200');
});
afterAll(() => faulty.close());

const test = (...args: readonly string[]) =>
  tacet(['test', document, '--url', faulty.url, '--walks', '160', ...args], { ended });

interface Whole {
  readonly results: readonly {
    readonly operation?: string;
    readonly statement: { readonly address: string };
  }[];
}

describe('tacet test --only', () => {
  const judged = async (...only: readonly string[]): Promise<Whole['results']> => {
    const at = join(path, 'only.json');
    await test(...only.flatMap((each) => ['--only', each]), '--report', `json-full=${at}`);
    return (JSON.parse(readFileSync(at, 'utf8')) as Whole).results;
  };

  it('judges an operation, or a statement with all that is part of it', async () => {
    const ofOperation = await judged('DELETE /{id}');
    expect(new Set(ofOperation.map(({ operation }) => operation))).toEqual(new Set(['DELETE /{id}']));
    const ofStatement = await judged('resources.Todo.fields.title', 'resources.Todo.fields.order');
    const addresses = ofStatement.map(({ statement }) => statement.address);
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((each) => !/^resources\.Todo\.fields\.(title|order)\b/.test(each))).toEqual([]);
  });

  it.each([
    ['DELET /{id}', 'did you mean DELETE /{id}?'],
    ['resources.Todo.fields.titel', 'did you mean resources.Todo.fields.title?'],
    ['nothing-like-that-at-all', 'name an operation, METHOD /path, or the address of a statement'],
  ])('says what there is not: %s', async (only, hint) => {
    const { code, error } = await test('--only', only);
    expect([code, error.split('\n')[0]]).toEqual([
      2,
      `tacet: there is no operation and no statement ${only}; ${hint}`,
    ]);
  });
});

describe('tacet test --bail and --summary', () => {
  it('end after the first violation, with every report, and ten lines at the most', async () => {
    const names = ['bail.html', 'bail.xml', 'bail.ndjson'].map((name) => join(path, name));
    const formats = ['html', 'junit', 'ndjson'].map((name, index) => `${name}=${names[index]}`);
    const { code, out } = await test('--bail', '--summary', ...formats.flatMap((each) => ['--report', each]));
    expect(code).toBe(1);
    const lines = out.split('\n');
    expect(lines.length).toBeLessThanOrEqual(11);
    expect(lines[0]).toBe(
      'violated: 1 check found a violation; ended after the first violation, and what is left was not tested',
    );
    expect(lines[1]).toMatch(
      /todo\.md against \S+: \d+ requests? in \S+ s, seed 1; \d+ conform, 1 violate, /,
    );
    expect(lines[2]).toMatch(
      /^1 {2}endpoints\["POST \/"\]\.response\.status {2}\S+todo\.md:62 {2}expected status 201, /,
    );
    expect(lines[3]).toMatch(/^ {3}curl -sS -i -X POST /);
    for (const name of names) expect([name, existsSync(name)]).toEqual([name, true]);
    const events = readFileSync(names[2] ?? '', 'utf8')
      .trimEnd()
      .split('\n');
    // Only how to come to it again is looked for then.
    const kinds = events.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(
      kinds.slice(kinds.indexOf('result')).filter((kind) => kind === 'scenario begins').length,
    ).toBeLessThan(20);
    expect(kinds.at(-1)).toBe('run ends');
  });

  it('refuse a run that sends nothing', async () => {
    for (const option of ['--bail', '--summary', '--strict']) {
      const { code, error } = await tacet(['test', document, '--plan', option], { ended });
      expect([code, error]).toEqual([2, expect.stringContaining('--plan sends nothing, so it takes no --')]);
    }
  });

  it('leave out what does not fit, and say so', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      ...violation,
      statement: { address: `resources.R${index}`, at: 'notes.md:1:1' },
      curl: index === 1 ? 'x'.repeat(3000) : `curl ${index}`,
    }));
    const lines = tenLines(reportOf(many), [{ says: 'not so (--strict)', first: [] }], plain).split('\n');
    expect(lines).toHaveLength(11);
    expect(lines.slice(2, 10).map((line) => line.slice(0, 44))).toEqual(
      [
        '1  resources.R0  notes.md:1  expected status ',
        '   curl 0',
        '2  resources.R1  notes.md:1  expected status ',
        '   too long for a line: --report json has it',
        '3  resources.R2  notes.md:1  expected status ',
        '   curl 2',
        'and 6 other causes: --report json has them',
        'not so (--strict)',
      ].map((line) => line.slice(0, 44)),
    );
  });
});

const given = (...names: readonly string[]) => ({
  values: Object.fromEntries(names.map((name) => [name, true])),
  positionals: [],
});
const conforming = results.filter(({ verdict }) => verdict === 'conforms');
const missed = results.filter(({ verdict }) => verdict === 'not exercised');
const unnoticed: Unnoticed = {
  address: 'resources.Note',
  at: 'notes.md:3:1',
  says: 'it is left out',
  reason: 'not found',
};

describe('the exit code of tacet test', () => {
  const codeOf = (report: Report, ...options: readonly string[]) =>
    exitCodeOf(report, failuresOf(report, given(...options)));

  it('is 0 without a violation, and 1 with one, also where the run was cut short then', () => {
    const quiet = { ...reportOf(conforming), inventions: [], examples: [] };
    expect([codeOf(quiet), codeOf(quiet, 'strict')]).toEqual([0, 0]);
    expect([codeOf(reportOf()), codeOf({ ...reportOf(), cutShort: 'gone' })]).toEqual([1, 1]);
  });

  it('is 3 where nothing was tested, whatever the options', () => {
    for (const options of [[], ['strict'], ['no-inventions']]) {
      expect(codeOf(reportOf(missed), ...options)).toBe(3);
      expect(codeOf({ ...reportOf(conforming), cutShort: 'gone' }, ...options)).toBe(3);
      expect(codeOf(reportOf([]), ...options)).toBe(3);
    }
  });

  it('is 1 with --assumed fails where what is assumed is violated, unless it was only likely', () => {
    const assumed = results.filter((result) => result.assumed);
    const report = reportOf([...conforming, ...assumed]);
    const { address } = (assumed[0] as Result).statement;
    const failing = (...assumptions: Parameters<typeof failuresOf>[2] & object) =>
      exitCodeOf(report, failuresOf(report, { values: { assumed: 'fails' }, positionals: [] }, assumptions));
    const entry = { at: address, value: 1, why: 'so it seems' };
    expect([codeOf(report), failing(entry)]).toEqual([0, 1]);
    // The last line says so, too.
    expect(sentence({ ...report, unnoticed: [], cutShort: null })).toMatch(
      /^no violation; .+ found what is stated; 1 check found a violation of what is assumed, which fails nothing without --assumed fails$/,
    );
    const sure = ['high', 'likely', 'stand-in'].map((confidence) => failing({ ...entry, confidence }));
    expect(sure).toEqual([1, 0, 0]);
    expect(failing({ ...entry, at: 'resources', confidence: 'likely' })).toBe(1);
  });

  it('is 1 with --assumed fails where a member is violated, though another one is only likely', () => {
    const [assumed] = results.filter((result) => result.assumed);
    const address = 'endpoints["GET /notes"].response.body';
    const codeFor = (place: string, at = `${address}.pages`): number => {
      const statement = { ...(assumed as Result).statement, address };
      const report = reportOf([...conforming, { ...(assumed as Result), statement, place }]);
      const likely = { at, value: 1, why: 'so it seems', confidence: 'likely' };
      return exitCodeOf(
        report,
        failuresOf(report, { values: { assumed: 'fails' }, positionals: [] }, [likely]),
      );
    };
    const codes = (places: readonly string[], at?: string): number[] =>
      places.map((place) => codeFor(place, at));
    expect(codes(['body.notes.*.title', 'body.pages', 'body'])).toEqual([1, 0, 0]);
    // What changes an item, is guessed, too.
    const set = 'resources.Note.fields.changedAt.set.';
    expect(codes(['body.changedAt', 'body.notes.*.changedAt', 'body.title'], `${set}update`)).toEqual([
      0, 0, 1,
    ]);
    expect(codes(['body.changedAt'], `${set}create`)).toEqual([1]);
  });

  it('is 1 with --strict where a statement was not tested, or a deviation that shows would not be noticed', () => {
    const report = reportOf([...conforming, ...missed]);
    expect([codeOf(report), codeOf(report, 'strict')]).toEqual([0, 1]);
    expect(failuresOf(report, given('strict'))).toEqual([
      {
        says: 'not tested: 1 statement, and all must be (--strict)',
        first: [
          expect.stringMatching(
            /^endpoints\["POST \/notes"\]\.response\.status {2}notes\.md:9:23 {2}no "reason"/,
          ),
        ],
      },
    ]);
    const withReason = (reason: Unnoticed['reason']) => ({
      ...reportOf(conforming),
      unnoticed: [{ ...unnoticed, reason }],
    });
    const reasons = ['equal', 'invisible', 'open', 'beyond', 'not reached', 'not found'] as const;
    expect(reasons.map((reason) => codeOf(withReason(reason), 'strict'))).toEqual([0, 0, 0, 1, 1, 1]);
  });
});

describe('what would not be noticed', () => {
  it('is told of by the reason, with the first few; nothing where nobody worked it out', () => {
    const all = [1, 2, 3, 4, 5].map((index) => ({ ...unnoticed, address: `resources.R${index}` }));
    const text = unnoticedText(
      [...all, { ...unnoticed, reason: 'equal' }, { ...unnoticed, reason: 'invisible' }],
      'notes.md',
      plain,
    );
    expect(text).toBe(`a deviation from these statements would not be noticed
    5  ${reasonWords['not found']}: resources.R1, resources.R2, resources.R3, 2 more
    1  ${reasonWords.invisible}: resources.Note
     tacet test notes.md --plan lists them all
`);
    expect(unnoticedText([], 'notes.md', plain)).toBe('');
  });
});
