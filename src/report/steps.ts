/** Some open points that, once answered, let operations run. */
export interface Step {
  /** The points to answer, beside those of the steps before. */
  readonly answer: readonly string[];
  /** The operations that run then. */
  readonly runs: readonly string[];
  /** How many operations run by then that waited at first: those of the steps before, and these. */
  readonly inAll: number;
}

interface Waiting {
  readonly name: string;
  readonly waitsFor: readonly string[];
}

/**
 * In which order to answer open points, so that operations run soon. An operation often waits for several points
 * together, so a step is such a set: the one that lets most operations run for each point that it holds; among
 * equals the smaller one, then the one that an operation stated earlier waits for. After the last step, all run.
 */
export function steps(operations: readonly Waiting[]): Step[] {
  let waiting: readonly Waiting[] = operations.filter((one) => one.waitsFor.length > 0);
  let candidates = candidatesOf(waiting);
  const found: Step[] = [];
  let inAll = 0;
  while (candidates.length > 0) {
    const best = candidates.reduce((one, other) => (isBetter(other, one) ? other : one));
    inAll += best.runs.length;
    found.push({ answer: best.answer, runs: best.runs, inAll });
    const answered = new Set(best.answer);
    const released = new Set(best.runs);
    waiting = waiting.filter((one) => !released.has(one.name));
    const isTouched = waiting.some((one) => one.waitsFor.some((point) => answered.has(point)));
    if (isTouched) {
      waiting = waiting.map(({ name, waitsFor }) => ({
        name,
        waitsFor: waitsFor.filter((point) => !answered.has(point)),
      }));
      candidates = candidatesOf(waiting);
      // Nothing else waits for these points, so what the other candidates bring stays as it is.
    } else
      candidates = candidates.filter((one) => one !== best && !one.runs.some((name) => released.has(name)));
  }
  return found;
}

type Candidate = Pick<Step, 'answer' | 'runs'>;

/** Each set of points that some operation waits for, with all the operations that need no other point. */
function candidatesOf(waiting: readonly Waiting[]): Candidate[] {
  const sets = new Map<string, { answer: readonly string[]; places: number[] }>();
  const byPoint = new Map<string, Set<string>>();
  for (const [place, { waitsFor }] of waiting.entries()) {
    const key = JSON.stringify([...waitsFor].sort());
    const set = sets.get(key) ?? { answer: waitsFor, places: [] };
    set.places.push(place);
    sets.set(key, set);
    for (const point of waitsFor) byPoint.set(point, (byPoint.get(point) ?? new Set()).add(key));
  }
  return [...sets.values()].map(({ answer }) => {
    const met = new Map<string, number>();
    for (const point of answer)
      for (const key of byPoint.get(point) ?? []) met.set(key, (met.get(key) ?? 0) + 1);
    const places = [...met].flatMap(([key, points]) => {
      const set = sets.get(key);
      return set?.answer.length === points ? set.places : [];
    });
    const inOrder = places.sort((one, other) => one - other);
    return { answer, runs: inOrder.flatMap((place) => waiting[place]?.name ?? []) };
  });
}

function isBetter(one: Candidate, than: Candidate): boolean {
  const gain = one.runs.length * than.answer.length - than.runs.length * one.answer.length;
  return gain !== 0 ? gain > 0 : one.answer.length < than.answer.length;
}
