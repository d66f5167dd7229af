import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import type { Verdict } from '../../src/conformance/verdict.ts';
import { diff } from '../../src/diff/diff.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { read } from '../../src/specification/read.ts';
import { type Fault, faults, inventions, startTodo } from '../faulty/todo.ts';
import { type Document, nodes, type Path, todo, without } from '../service/document.ts';

const long = process.env['TACET_LONG'] !== undefined;

const full = todo();
const paths = nodes(full);

/** A document; one in which some of its open points are stated; and what is tested against both. */
interface Refining {
  readonly before: Document;
  readonly after: Document;
  readonly fault: Fault | null;
  readonly seed: number;
}

const cut = fc.uniqueArray(fc.nat(paths.length - 1), { minLength: 1, maxLength: 12 });

const refinings: fc.Arbitrary<Refining> = fc
  .record({
    cut,
    /** How many of the places that are cut out stay so. */
    kept: fc.double({ min: 0, max: 0.9, noNaN: true }),
    closes: fc.boolean(),
    fault: fc.option(fc.constantFrom<Fault>(...faults, ...inventions), { nil: null }),
    seed: fc.integer({ min: 1, max: 1000 }),
  })
  .map(({ cut: cutOut, kept, closes, ...rest }) => {
    const out = cutOut.map((index) => paths[index] as Path);
    const stay = out.slice(0, Math.floor(out.length * kept));
    const isWhole = (part: string): boolean => out.every(([first]) => first !== part);
    const whole = Object.keys(full).filter((part) => !['name', 'tacet'].includes(part) && isWhole(part));
    const before = { ...without(full, ...out), complete: whole };
    const after = { ...without(full, ...stay), complete: closes ? true : whole };
    return { before, after, ...rest };
  });

/** The document, where it can be read. */
function specificationOf(document: Document): Specification | null {
  const { specification, diagnostics } = read('todo.json', JSON.stringify(document), []);
  return diagnostics.some(({ severity }) => severity === 'error') ? null : specification;
}

async function resultsOf(of: Specification, fault: Fault | null, seed: number): Promise<readonly Result[]> {
  const running = await startTodo(fault);
  try {
    const { results } = await testService(of, { url: running.url, seed });
    return results;
  } finally {
    await running.close();
  }
}

/** What one check is about: values that are made up in a run are none of it. */
const about = ({ check, says, statement }: Result): string =>
  `${check}: ${says.replaceAll(/unstated[a-z]+|"(?:[^"\\]|\\.)*"/g, '…')} (${statement.address})`;

describe('as more of a document is stated (language §F.4)', () => {
  it('what violates stays one, and what conforms becomes none', {
    timeout: long ? 7_200_000 : 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(refinings, async ({ before, after, fault, seed }) => {
        const [less, more] = [specificationOf(before), specificationOf(after)];
        fc.pre(less !== null && more !== null);
        const stated = diff(less, more).findings;
        // A shorthand may state otherwise beside what is new (language §F.4).
        fc.pre(stated.every((one) => one.class === 'refinement'));
        const then = await resultsOf(less, fault, seed);
        const now = Map.groupBy(await resultsOf(more, fault, seed), about);
        // What is read through an endpoint that nobody could look through before is seen anew.
        const seesMore = stated.some(({ address }) => address.startsWith('endpoints["GET '));
        // What may be sent in a body only now makes changes that could not be asked for.
        const sendsMore = stated.some(({ address }) => /^endpoints\["[^"]*"\]\.request\./.test(address));
        const broken = [...Map.groupBy(then, about)].flatMap(([what, all]) => {
          const found = now.get(what) ?? [];
          const was = (verdict: Verdict): boolean => all.every((one) => one.verdict === verdict);
          const isViolating = found.some(({ verdict }) => verdict === 'violates');
          const isLost = was('violates') && found.length > 0 && !isViolating;
          const kind = all[0]?.check ?? '';
          const isSeenAnew =
            (seesMore && kind.startsWith('effect.')) || (sendsMore && kind === 'refusal.effect');
          const isBlamed = was('conforms') && isViolating && !isSeenAnew;
          return isLost || isBlamed
            ? [`${what}: ${all[0]?.verdict}, then ${found.map(({ verdict }) => verdict).join(', ')}`]
            : [];
        });
        const told = { fault, stated: stated.map(({ address }) => address) };
        expect({ ...told, broken }).toEqual({ ...told, broken: [] });
      }),
      {
        numRuns: Number(process.env['REFINING'] ?? (long ? 2000 : 16)),
        seed: Number(process.env['TACET_SEED'] ?? 20261121),
      },
    );
  });
});
