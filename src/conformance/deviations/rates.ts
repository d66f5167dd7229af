import type { Window } from '../../semantics/rate/window.ts';
import type { Step } from '../../semantics/request/request.ts';
import { Range } from '../../semantics/value/value.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Rate } from '../../specification/vocabulary/parts/limits.ts';
import { type Implementation, type Kind, wrapping } from './deviation.ts';

/** Requests that a rate refuses: they are counted, or their answers lack the fields of the rate (language §8.1). */
export const rates: Kind = (said, specification) => {
  const [, name] = /^limits\.rates\.([^.[]+)$/.exec(said.address) ?? [];
  if (name === undefined || said.kind !== 'stated') return [];
  const { headers, every, allow } = said.value as Rate;
  const fields = stated(headers);
  const names = fields?.kind === 'fields' ? [...fields.fields.keys()].map((each) => each.toLowerCase()) : [];
  const shareMs = (stated(every) ?? 0) / (stated(allow) ?? 1);
  const deviating = (says: string, wrong: (step: Step) => Step) =>
    wrapping(
      said,
      specification,
      says,
      (right): Implementation =>
        (world, request) =>
          right(world, request).map((step) => (isRefusedBy(name, step) ? wrong(step) : step)),
    );
  return [
    deviating('what it refuses is counted, too', (step) => countedToo(name, step, shareMs)),
    ...(names.length === 0
      ? []
      : [deviating('what it refuses is answered without its fields', (step) => without(names, step))]),
  ];
};

function isRefusedBy(name: string, { prediction }: Step): boolean {
  return prediction.condition === 'rate exceeded' && prediction.subject === name;
}

function without(names: readonly string[], step: Step): Step {
  const none = Object.fromEntries(names.map((name) => [name, null]));
  return { ...step, prediction: { ...step.prediction, headers: { ...step.prediction.headers, ...none } } };
}

function countedToo(name: string, step: Step, shareMs: number): Step {
  const { world } = step;
  if (world === null) return step;
  const { at } = world.received;
  const own = world.tallies.findLast(({ rate, key }) => rate === name && key !== undefined);
  const tallies = world.tallies.map((tally) =>
    tally === own ? { ...tally, windows: tally.windows.map((window) => longer(window, at, shareMs)) } : tally,
  );
  return { ...step, world: world.tallying(tallies) };
}

/** A window that is fixed begins again. */
function longer(window: Window, at: Range, shareMs: number): Window {
  switch (window.kind) {
    case 'fixed':
      return { ...window, start: at };
    case 'sliding':
      return { ...window, counted: [...window.counted, { at, least: 1, most: 1 }] };
    case 'bucket':
      return { ...window, owedMs: new Range(window.owedMs.least + shareMs, window.owedMs.most + shareMs) };
  }
}
