import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/expression/compile.ts';
import { CannotWorkOut } from '../../src/expression/functions.ts';
import type { Template } from '../../src/expression/template.ts';
import { codes } from '../../src/source/codes.ts';
import { json } from '../../src/source/node.ts';
import { at, type Text, text } from '../../src/source/text.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { holds } from '../../src/specification/openness/holds.ts';
import { sometimesHeld } from '../../src/specification/openness/sometimes-held.ts';
import { read, readFolder, type Source } from '../../src/specification/read.ts';
import { outline } from '../../src/specification/reading/document.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { fieldValues } from '../../src/specification/vocabulary/answer-field.ts';
import { timed } from '../cpu.ts';
import { randomFrom } from '../random.ts';
import { wholeDocument, wholeDocuments } from './documents.ts';
import { mutated, type Stock, stock } from './mutations.ts';

const long = process.env['TACET_LONG'] === '1';
const inputs = long ? 1_000_000 : 1_000;

/** Inputs are numbered, and each follows from its number: a run can be taken up again at any of them. */
const first = Number(process.env['TACET_SEED'] ?? (long ? Date.now() % 2 ** 31 : 20_261_121));

/** Small documents, which are read fast: those that the pages of the diagnostics show. */
const pages = new URL('../../docs/diagnostics/', import.meta.url);
const small = readdirSync(pages).flatMap((name) =>
  [...readFileSync(new URL(name, pages), 'utf8').matchAll(/^````markdown.*\n([\s\S]*?)^````$/gm)].map(
    (fence) => stock('x.md', fence[1] as string),
  ),
);
const large = wholeDocuments.map((name) => stock('x.md', wholeDocument(name)));
const plain = small.map(({ content }) => {
  const { head, tree } = outline([text('x.md', content)]);
  return stock('x.json', JSON.stringify({ ...(head && (json(head) as object)), ...(json(tree) as object) }));
});
const all = [...large, ...small, ...plain];

/** One document, or now and then the two of a folder. */
function input(number: number): Source[] {
  const random = randomFrom(number);
  const of = (stocks: readonly Stock[], name: string): Source => {
    const from = stocks[Math.floor(random() * stocks.length)] as Stock;
    return { file: name + from.file, content: mutated(from, all, random) };
  };
  if (number % 16 === 0) return [of(large, '')];
  if (number % 8 === 1) return [of(small, 'a'), of([...small, ...plain], 'b')];
  return [of(number % 4 === 0 ? large.slice(0, 1) : number % 4 === 2 ? plain : small, '')];
}

function shown(sources: readonly Source[]): string {
  return sources.map(({ file, content }) => `── ${file} ──\n${content}\n`).join('');
}

/** All that is asked of a reading by those who build on it. */
function outcome(sources: readonly Source[]): { readonly diagnostics: readonly unknown[] } {
  const [only, second] = sources as [Source, Source?];
  const { specification, diagnostics } = second ? readFolder('x', sources) : read(only.file, only.content);
  for (const one of diagnostics) {
    expect(Object.hasOwn(codes, one.code)).toBe(true);
    for (const where of [one.span, ...one.related]) {
      const { text: of, start, end } = where ?? { text: undefined, start: -1, end: -1 };
      const isOwn = sources.some(({ file, content }) => of?.file === file && of.content === content);
      if (!isOwn || start < 0 || end < start || end > (of as Text).content.length)
        throw new Error(`${one.code} points at ${start} to ${end} of ${of?.file}`);
    }
    if (/\[object|\bundefined\b|call stack/.test(`${one.message} ${one.hint}`))
      throw new Error(`${one.code} says: ${one.message} ${one.hint}`);
  }
  const held = specification.operations.map((one) => [
    ...holds(specification, one),
    ...sometimesHeld(one, specification),
  ]);
  if (diagnostics.length === 0) workOut(templatesOf(specification));
  return {
    diagnostics: diagnostics.map((one) => [at(one.span), one.code, one.message, one.hint]),
    ...{
      points: [...specification.points.values()].map((one) => [one.address, one.state, at(one.at)]),
      held: held.map((some) => some.map((one) => [one.address, one.why, at(one.at)])),
    },
  };
}

function templatesOf(of: Specification): Template[] {
  const answers = of.operations.flatMap((one) => stated(one.response) ?? []);
  const fields = [...of.resourcesByName.values()].flatMap((one) => [...one.fields.values()]);
  const rows = [...(stated(stated(of.errors)?.codes)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const found = [
    ...answers.flatMap((one) => [one.body, ...(fieldValues(one.headers)?.values() ?? [])]),
    ...fields.flatMap((one) => [one.create, one.derived]),
    ...rows.flatMap((one) => [one.message, one.body]),
  ];
  return found.flatMap((said) => stated(said)?.template ?? []);
}

/** What was read without a fault can be compiled; run on nothing, it is worked out or it is not. */
function workOut(templates: readonly Template[]): void {
  const makers = { uuid: () => '', random: (length: number) => 'x'.repeat(length) };
  for (const template of templates) {
    const run = compileTemplate(template, () => () => ({}));
    try {
      run({ names: {}, makers });
    } catch (error) {
      if (!(error instanceof CannotWorkOut)) throw error;
    }
  }
}

describe(`whatever is done to a document (${inputs} inputs from TACET_SEED=${first})`, () => {
  it(
    'it is read, in time that grows with its length, to diagnostics that point into it, and to the same end each time',
    () => {
      let slowest = { ms: 0, number: first };
      let faultless = 0;
      for (let number = first; number < first + inputs; number++) {
        const sources = input(number);
        try {
          const { value: found, cpuMs: ms } = timed(() => outcome(sources));
          if (ms > slowest.ms) slowest = { ms, number };
          // No measure of speed: what grows faster than its input takes minutes.
          expect(ms).toBeLessThan(20_000);
          if (found.diagnostics.length === 0) faultless += 1;
          if (number % 50 === 0) expect(outcome(sources)).toEqual(found);
        } catch (error) {
          throw new Error(`TACET_SEED=${number} is not read well:\n${shown(sources)}`, { cause: error });
        }
      }
      console.log(
        `slowest: ${slowest.ms.toFixed(0)} ms (TACET_SEED=${slowest.number}); ${faultless} of ${inputs} without a fault`,
      );
      expect(faultless).toBeGreaterThan(0);
      expect(faultless).toBeLessThan(inputs);
    },
    long ? 24 * 3600 * 1000 : 120_000,
  );
});
