import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { type Fault, startTodo } from '../faulty/todo.ts';
import { specificationOf, todoDocument } from './documents.ts';

const todo = specificationOf(todoDocument);

async function reportOf(fault: Fault | null, seed = 1): Promise<Report> {
  const running = await startTodo(fault);
  try {
    return await testService(todo, { url: running.url, seed, sequences: 20 });
  } finally {
    await running.close();
  }
}

/** The members of the bodies that are told to lead to a violation of one statement. */
function bodiesOf({ sequences }: Report, address: string): readonly { readonly [member: string]: unknown }[] {
  return sequences
    .filter(({ statement, check }) => statement.address === address && /^(succeeds|given)/.test(check))
    .map(({ sequence }) => sequence.steps.find(({ request }) => request.body !== null)?.request.body)
    .map((body) => JSON.parse(body ?? '{}') as { readonly [member: string]: unknown });
}

describe('the body of a violation that hangs on a value', () => {
  it.each<[Fault, RegExp]>([
    ['text is trimmed', /^\s$/u],
    ['text is escaped for HTML', /^[&<]$/u],
    ['text is brought into a normal form', /^.[\u0300-\u036f]?$/u],
    ['characters past U+FFFF are lost', /^[\u{10000}-\u{10ffff}]$/u],
    ['text is evaluated', /^\$\{7\*7\}$/u],
    ['line breaks are changed later', /^\r\n$/u],
    ['the connection is cut on hostile text', /^DROP TABLE$/u],
  ])('has nothing in it but what is mangled, where %s', { timeout: 120_000 }, async (fault, title) => {
    const bodies = bodiesOf(await reportOf(fault), 'resources.Todo.fields.title');
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body).toEqual({ title: expect.stringMatching(title) });
  });

  it.each<[Fault, number]>([
    ['titles end at 255', 256],
    ['titles end at 2000', 2001],
  ])('is the first that is too long, where %s', { timeout: 120_000 }, async (fault, length) => {
    const report = await reportOf(fault);
    const lengths = report.sequences.flatMap(({ check, sequence: { steps } }) => {
      const body = JSON.parse(steps.at(-1)?.request.body ?? '{}') as { readonly title?: unknown };
      return check === 'succeeds' && typeof body.title === 'string' ? [body.title.length] : [];
    });
    expect(lengths).toEqual([length]);
  });

  it('is shown in the result, with the sentence that names it', { timeout: 120_000 }, async () => {
    const { results, sequences } = await reportOf('text is trimmed');
    for (const { check, says, statement } of sequences) {
      const result = results.find(
        (one) =>
          one.check === check && one.statement.address === statement.address && one.verdict === 'violates',
      );
      expect(result?.says).toBe(says);
      expect(result?.request).toEqual(result?.sequence?.at(-1)?.request);
    }
  });

  it('is the same for the same seed', { timeout: 120_000 }, async () => {
    const [first, second] = [await reportOf('text is trimmed', 3), await reportOf('text is trimmed', 3)];
    const says = ({ sequences }: Report) => sequences.map((one) => one.says);
    expect(says(first).length).toBeGreaterThan(0);
    expect(says(second)).toEqual(says(first));
  });
});
