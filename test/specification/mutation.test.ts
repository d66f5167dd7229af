import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/expression/compile.ts';
import { CannotWorkOut } from '../../src/expression/functions.ts';
import type { Template } from '../../src/expression/template.ts';
import { at } from '../../src/source/text.ts';
import { holds, sometimesHeld } from '../../src/specification/holds.ts';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/said.ts';
import type { Specification } from '../../src/specification/specification.ts';
import { wholeDocument, wholeDocuments } from './documents.ts';

const long = process.env['TACET_LONG'] === '1';
const mutations = long ? 1_000_000 : 2_000;
const seed = Number(process.env['TACET_SEED'] ?? (long ? Date.now() % 2 ** 31 : 20_261_121));

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pieces = [
  ...[
    '(none)',
    '(open)',
    '(open) why?',
    '(any)',
    '${',
    '}',
    '$${',
    '${this}',
    '${actor.x.y}',
    '${Todo(this)}',
    '"',
    "'",
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ': ',
    '- ',
    '? ',
    '\n',
    '\t',
    '  ',
    '#',
    '&a ',
    '*a',
    '!!x ',
    '<<',
    '|',
    '>',
    '---\n',
    '%',
    ',',
  ],
  ...[
    '```',
    '```yaml\n',
    '```\n',
    '## ',
    '# ',
    '> ',
    '\r',
    '\u0000',
    '\uFEFF',
    '\ud800',
    '𝒳',
    '\\',
    '\u2028',
  ],
  ...[
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1e999',
    '0o17',
    '9007199254740993',
    '.inf',
    '1.10',
    '~',
    '[]',
    '{}',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'every ',
    'list Todo',
    'create Todo',
    'Todo',
    'Todo.id',
    'this',
    '204',
    '99',
  ],
  ...[
    'endpoints',
    'resources',
    'complete: true',
    'open:',
    'default:',
    'derived:',
    'set:',
    'fields:',
    'of:',
    'as:',
    'when:',
  ],
  ...[
    'limits.defaults',
    'GET /',
    '/{id}',
    '{id}',
    'pattern: "(a+)+$"',
    'allOf: [Todo]',
    'refers: Todo',
    'unique: true',
  ],
];

/** A document that is a little, or very, unlike one that is right. */
function mutated(text: string, others: readonly string[], random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const place = (of: string): number => Math.floor(random() * (of.length + 1));
  let result = text;
  for (let count = 1 + Math.floor(random() ** 2 * 6); count > 0; count--) {
    const lines = result.split('\n');
    const from = place(result);
    const to = Math.min(result.length, from + Math.floor(random() ** 3 * 200));
    const line = Math.floor(random() * lines.length);
    switch (Math.floor(random() * 9)) {
      case 0:
        result = result.slice(0, from) + result.slice(to);
        break;
      case 1:
        result = result.slice(0, from) + pick(pieces) + result.slice(from);
        break;
      case 2:
        result = result.slice(0, from) + pick(pieces) + result.slice(to);
        break;
      case 3:
        result = result.slice(0, to) + result.slice(from);
        break;
      case 4:
        lines.splice(line, 1);
        result = lines.join('\n');
        break;
      case 5:
        lines.splice(line, 0, lines[Math.floor(random() * lines.length)] as string);
        result = lines.join('\n');
        break;
      case 6:
        lines[line] = (random() < 0.5 ? '  ' : '') + (lines[line] as string).replace(/^ {2}/, '');
        result = lines.join('\n');
        break;
      case 7: {
        const other = pick(others).split('\n');
        const begin = Math.floor(random() * other.length);
        lines.splice(line, 0, ...other.slice(begin, begin + 1 + Math.floor(random() * 8)));
        result = lines.join('\n');
        break;
      }
      default:
        lines[line] = (lines[line] as string).replace(/[\w.]+(?=[^\w]*$)/, pick(pieces));
        result = lines.join('\n');
    }
  }
  return result;
}

/** All that is asked of a reading by those who build on it. */
function outcome(content: string): unknown {
  const { specification, diagnostics } = read('x.md', content);
  const held = specification.operations.map((one) => [
    ...holds(specification, one),
    ...sometimesHeld(one, specification),
  ]);
  if (diagnostics.length === 0) workOut(templatesOf(specification));
  return {
    diagnostics: diagnostics.map((one) => [at(one.span), one.code, one.message, one.hint]),
    points: [...specification.points.values()].map((one) => [one.address, one.state, at(one.at)]),
    held: held.map((all) => all.map((one) => [one.address, one.why, at(one.at)])),
  };
}

function templatesOf(of: Specification): Template[] {
  const answers = of.operations.flatMap((one) => stated(one.response) ?? []);
  const fields = [...of.resourcesByName.values()].flatMap((one) => [...one.fields.values()]);
  const rows = [...(stated(stated(of.errors)?.codes)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const found = [
    ...answers.flatMap((one) => [one.body, ...(stated(one.headers)?.values() ?? [])]),
    ...fields.flatMap((one) => [one.create, one.derived]),
    ...rows.flatMap((one) => [one.message, one.title, one.body]),
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

describe(`whatever is done to a document (${mutations} mutations, seed ${seed})`, () => {
  it(
    'it is read, in time, and to the same end each time',
    () => {
      const others = wholeDocuments.map(wholeDocument);
      const random = randomFrom(seed);
      let slowest = 0;
      let faultless = 0;
      for (let index = 0; index < mutations; index++) {
        const content = mutated(
          index % 8 === 0 ? (others[index % 4] as string) : (others[0] as string),
          others,
          random,
        );
        const before = performance.now();
        let found: unknown;
        try {
          found = outcome(content);
        } catch (error) {
          throw new Error(`mutation ${index} of seed ${seed} throws:\n${content}`, { cause: error });
        }
        const spent = performance.now() - before;
        if (spent > 20_000)
          throw new Error(`mutation ${index} of seed ${seed} takes ${spent} ms:\n${content}`);
        slowest = Math.max(slowest, spent);
        if ((found as { diagnostics: unknown[] }).diagnostics.length === 0) faultless += 1;
        if (index % 50 === 0) expect(outcome(content)).toEqual(found);
      }
      console.log(
        `seed ${seed}: slowest ${slowest.toFixed(0)} ms, ${faultless} of ${mutations} without a fault`,
      );
      expect(faultless).toBeLessThan(mutations);
    },
    long ? 24 * 3600 * 1000 : 120_000,
  );
});
