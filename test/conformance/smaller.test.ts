import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { isObject, type Members, readJson, serve } from '../faulty/kit.ts';
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

/** Notes with five members that may be left out. */
const notes = specificationOf(
  `
tacet: 1
complete: true
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      text: { type: string, minLength: 1, maxLength: 9 }
${['a', 'b', 'c', 'd', 'e'].map((name) => `      ${name}: { type: integer, minimum: 1, maximum: 99 }`).join('\n')}
    required: [text]
    others: refuse
endpoints:
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
errors: { payload: (none), codes: { bad: { when: [malformed, invalid], status: 400 }, none: { when: unknown, status: 404 } } }
${['service', 'states', 'authentication', 'events', 'limits', 'versioning'].map((part) => `${part}: (none)`).join('\n')}
`,
  'notes.yaml',
);

it('has as few members as lead to a violation, where it hangs on which of them stand together', async () => {
  const kept: Members[] = [];
  const fits = (note: Members): boolean =>
    typeof note['text'] === 'string' &&
    /^.{1,9}$/su.test(note['text']) &&
    Object.entries(note).every(
      ([name, value]) =>
        name === 'text' ||
        (/^[a-e]$/.test(name) && Number.isInteger(value) && Number(value) > 0 && Number(value) < 100),
    );
  const running = await serve(({ method, segments: [, id], content }) => {
    if (method === 'GET')
      return kept[Number(id) - 1] ? { status: 200, body: kept[Number(id) - 1] } : { status: 404 };
    const given = readJson(content);
    if (!isObject(given) || !fits(given)) return { status: 400 };
    const note: Members = { id: kept.length + 1, ...given };
    // What is wrong: one member is lost without another.
    if (!('d' in note)) delete note['e'];
    kept.push(note);
    return { status: 201, body: note };
  });
  try {
    const { sequences } = await testService(notes, { url: running.url, seed: 1, sequences: 20 });
    const bodies = sequences.flatMap(({ check, sequence: { steps } }) =>
      check === 'given.back' ? [JSON.parse(steps[0]?.request.body ?? '{}') as Members] : [],
    );
    expect(bodies.map((body) => Object.keys(body).sort())).toEqual([['e', 'text']]);
  } finally {
    await running.close();
  }
});
