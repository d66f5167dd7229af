import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Deviation, implementing } from '../../../src/conformance/deviations/deviation.ts';
import { nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { nextOf } from '../../../src/conformance/search/awaited.ts';
import { type Plan, plan, together, type Walk } from '../../../src/conformance/search/plan.ts';
import { beginsMs, begunWorld, url } from '../../../src/conformance/search/simulate.ts';
import type { Answer } from '../../../src/semantics/judge/answer.ts';
import { mayShowMore } from '../../../src/semantics/judge/further.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { type Step, step } from '../../../src/semantics/request/request.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import { send } from '../../semantics/playing.ts';
import { specificationOf, start } from '../../service/served.ts';

const text = readFileSync('test/semantics/shelves.yaml', 'utf8');
const specification = specificationOf(text);
const budgetMs = 2500;
const found = plan(specification, { budgetMs });

/** Plays a walk, and gives the place of the first answer that no right service sends; null: there is none. */
async function firstWrong(
  { requests }: Walk,
  begun: World,
  ask: (request: Request, right: readonly Step[]) => Answer | null | Promise<Answer | null>,
): Promise<number | null> {
  const worlds = [begun];
  for (const place of requests.keys()) {
    const request = nextOf(requests, worlds, { url, beganMs: beginsMs, fresh: (text) => text });
    const right = request ? step(worlds.at(-1) as World, request) : [];
    const answer = request && (await ask(request, right));
    if (!request || !answer) throw new TypeError(`request ${place} cannot be sent`);
    const more = mayShowMore(specification, request.operation);
    const { differences, world } = judge(right, answer, more);
    if (differences.length > 0) return place;
    worlds.push(world as World);
  }
  return null;
}

/** Asks an implementation that deviates wherever it may choose. */
function deviating(deviation: Deviation): (request: Request, right: readonly Step[]) => Answer | null {
  const implementation = deviation.implementation();
  let world = begunWorld(specification);
  return (request, right) => {
    const steps = implementation(world, request);
    const wrong = steps.find(({ prediction }) => {
      const answer = answerTo(prediction);
      const more = mayShowMore(specification, request.operation);
      return answer !== null && judge(right, answer, more, false).differences.length > 0;
    });
    const last = wrong ?? steps.at(-1);
    const answer = last ? answerTo(last.prediction) : null;
    if (last && answer) world = judge([last], answer).world ?? world;
    return answer;
  };
}

describe('plans of several searches', () => {
  const [one, other] = [1, 3].map((seed) => plan(specification, { budgetMs: 60, seed })) as [Plan, Plan];
  const all = together([one, other]);

  it('tell together what each tells', () => {
    const told = new Set([...one.told.keys(), ...other.told.keys()]);
    expect(new Set(all.told.keys())).toEqual(told);
    expect(told.size).toBeGreaterThan(Math.max(one.told.size, other.told.size));
    for (const [deviation, walk] of all.told)
      expect(all.walks.some((each) => each === walk && each.told.has(deviation))).toBe(true);
  });

  it('leave untold what none tells, each once', () => {
    const names = all.untold.map(({ deviation }) => nameOf(deviation));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(one.told.size + one.untold.length - all.told.size);
  });
});

describe('a plan', () => {
  it.each(['parcel-desk', 'broker', 'translations'])('is made of %s', (name) => {
    const example = specificationOf(readFileSync(`examples/${name}.md`, 'utf8'));
    const { told, untold } = plan(example, { budgetMs: 1 });
    expect(told.size + untold.length).toBeGreaterThan(100);
  });

  it('tells faults that people make', () => {
    const told = [...found.told.keys()].map(nameOf);
    expect(told).toEqual(
      expect.arrayContaining([
        'resources.Book.fields.title.writable: it is false',
        'endpoints["GET /shelves/{shelf}/books"].does.where: it is this.shelf != place',
        'endpoints["POST /authors"].does: a success is answered, and nothing is done',
      ]),
    );
    expect(told.length).toBeGreaterThan(100);
  });

  it('gives a reason for each deviation that it does not tell', () => {
    const reasonOf = (name: string): string | undefined =>
      found.untold.find(({ deviation }) => nameOf(deviation) === name)?.reason;
    expect(reasonOf('resources.Author.fields.id.set.create: it is left out')).toBe('open');
    expect(reasonOf('endpoints["GET /books/{id}"].does: it is done twice')).toBeUndefined();
  });

  it('is the same for the same seed', () => {
    const shapeOf = ({ walks }: typeof found): unknown =>
      walks.map(({ seed, requests }) => [
        seed,
        requests.map(({ operation, content }) => [operation.name, content]),
      ]);
    expect(shapeOf(plan(specification, { budgetMs }))).toEqual(shapeOf(found));
  });

  it('finds nothing wrong in a right implementation', async () => {
    const right = implementing(specification);
    for (const walk of found.walks) {
      let world = begunWorld(specification);
      const wrong = await firstWrong(walk, begunWorld(specification), (request) => {
        const steps = right(world, request);
        const answer = answerTo((steps.at(-1) as Step).prediction);
        world = (answer && judge(steps, answer).world) ?? world;
        return answer;
      });
      expect(wrong).toBeNull();
    }
  });

  it('finds nothing wrong in the service', async () => {
    for (const walk of found.walks.slice(0, 5)) {
      const { address, close } = await start(text);
      try {
        const wrong = await firstWrong(walk, begunWorld(specification), (request) =>
          send({ ...request, url: address }, specification),
        );
        expect(wrong).toBeNull();
      } finally {
        await close();
      }
    }
  });

  it('finds an implementation that deviates, not later than it says', async () => {
    const missed: string[] = [];
    const sample = [...found.told].filter((_, place) => place % 5 === 0);
    for (const [deviation, walk] of sample) {
      const wrong = await firstWrong(walk, begunWorld(specification), deviating(deviation)).catch(String);
      if (typeof wrong !== 'number' || wrong > (walk.told.get(deviation) as number))
        missed.push(`${nameOf(deviation)} ${wrong} ${walk.told.get(deviation)}`);
    }
    // A walk cannot go on where the implementation lacks an item that a request needs.
    expect(missed.filter((line) => !line.includes('cannot be sent'))).toEqual([]);
    expect(missed.length).toBeLessThan(sample.length / 10);
  });
});
