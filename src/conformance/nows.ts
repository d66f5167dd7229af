import { path } from '../expression/expression.ts';
import { order } from '../expression/functions.ts';
import type { Template } from '../expression/template.ts';
import { instant } from '../expression/time.ts';
import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import type { Change } from '../specification/vocabulary/change.ts';
import type { Field } from '../specification/vocabulary/parts/resources.ts';
import { type Check, ifReached, type Scenario, type Seen, scenario, Unreached } from './check.ts';
import { touchedBy } from './foresee/also.ts';
import { isWholeBody } from './foresee/giving.ts';
import { closed, doesJustThat, succeeded } from './guards.ts';
import { isReadable, membersOf } from './item.ts';
import { readBack } from './perform.ts';
import { sample } from './sample.ts';
import { moveNamed } from './states/machines.ts';
import { type Done, heldUp, type Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { all, known, unseen, yes } from './verdict.ts';

/** A statement by which an operation sets a member to `now`. */
interface Setting {
  readonly operation: Operation;
  readonly field: Field;
  readonly said: Said<PlacedTemplate>;
}

/** How a time begins (RFC 3339). */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** What a request set to `now`. */
interface Reading {
  readonly by: Setting;
  readonly value: Json;
  readonly exchange: Done['exchange'];
}

interface Read extends Seen {
  readonly readings: readonly Reading[];
}

/**
 * What is set to `now`, by whatever request, is later than any that was kept before (language §G.2). Each is set before
 * and after others, so that one that does not keep to it stands out; what clock it is that goes nothing states.
 */
export function nows(trial: Trial): Scenario[] {
  const { of } = trial;
  const settings = [...new Map(settingsOf(trial).map((one) => [one.said.address, one])).values()];
  if (settings.length === 0) return [];
  const observe = async (): Promise<Read> => {
    const readings: Reading[] = [];
    for (const by of [...settings, ...settings]) {
      const done = await ifReached(() => sample(trial, by.operation));
      const value = done && (await ifReached(() => valueIn(trial, by.field, done)));
      if (done && typeof value === 'string' && time.test(value))
        readings.push({ by, value, exchange: done.exchange });
    }
    const last = readings.at(-1);
    if (last === undefined) throw new Unreached('nothing shows what is set to `now`');
    return { exchange: last.exchange, readings };
  };
  const checks = settings.map((own): Check<Read> => {
    const { operation, field, said } = own;
    return {
      name: 'set.now',
      says: `${operation.key} sets ${field.name} to a time that goes on from one request to the next`,
      cites: { address: said.address, at: said.at },
      guard: ({ readings }) =>
        all(
          readings.length > 1 && readings.some(({ by }) => by === own)
            ? yes
            : unseen('nothing shows it beside another'),
          doesJustThat(of, operation),
          closed(of, field.address),
        ),
      claim: ({ readings }) => {
        const [one, next] = blamed(readings, own) ?? [];
        return {
          truth: known(one === undefined),
          expected: one
            ? `later than ${shownAs(one.value)}, which ${nameOf(one)} was set to before`
            : 'later each time',
          found: next ? `${shownAs(next.value)} for ${nameOf(next)}` : 'so',
        };
      },
    };
  });
  return [
    scenario(
      of,
      settings.map(({ said }) => said.address),
      observe,
      checks,
    ),
  ];
}

function nameOf({ by: { operation, field } }: Reading): string {
  return `${field.name} by ${operation.key}`;
}

type Pair = readonly [before: Reading, after: Reading];

/** Two readings of which the later one is of an earlier time, and not by the other's fault. */
function blamed(readings: readonly Reading[], own: Setting): Pair | undefined {
  const wrong = readings.flatMap((one, index) =>
    readings.slice(index + 1).flatMap((next): Pair[] => (isEarlier(next, one) ? [[one, next]] : [])),
  );
  const count = (setting: Setting): number =>
    wrong.filter((pair) => pair.some(({ by }) => by === setting)).length;
  return wrong.find(([one, next]) => {
    const other = one.by === own ? next.by : one.by;
    if (![one.by, next.by].includes(own)) return false;
    // Of two that stand against each other alone, it is the one that was set when a later time was kept.
    return count(own) > count(other) || (count(own) === count(other) && next.by === own);
  });
}

function isEarlier(one: Reading, other: Reading): boolean {
  return order(instant(one.value) as Json, instant(other.value) as Json) < 0;
}

/** What a request set, as its answer shows it, or as it is read afterwards. */
async function valueIn(trial: Trial, field: Field, done: Done): Promise<Json | undefined> {
  if (succeeded(done.exchange, done.operation).value !== true || done.item === null) return undefined;
  const isShown = done.lens?.fields.get(field.name) === field;
  const { shown } = isShown ? done : await readBack(trial, done.item);
  return membersOf(shown)?.[field.name];
}

function settingsOf({ of }: Trial): Setting[] {
  return of.operations.flatMap((operation) => {
    const { subject, does } = operation;
    const change = stated(does);
    if (subject === null || change?.subject.kind !== 'one' || heldUp(of, operation) !== null) return [];
    const move = moveNamed(of, subject, change.verb);
    const sets = stated(move?.transition.set);
    // What is there already may be kept, and what else is done may set it to something else.
    if (change.qualifiers.present.kind !== 'open' || touchedBy(of, operation).includes(subject.name))
      return [];
    return [...subject.fields.values()].flatMap((field): Setting[] => {
      const said = change.verb === 'create' ? field.create : sets?.get(field.name);
      const isPlain = isReadable(field) && field.shown.kind === 'open' && !mayGive(change, field);
      return isPlain && said?.kind === 'stated' && isNow(said.value.template)
        ? [{ operation, field, said }]
        : [];
    });
  });
}

/** Whether `with` may give a field another value: by itself, or as the client gives it. */
function mayGive({ qualifiers }: Change, { name, writable }: Field): boolean {
  return (stated(qualifiers.with) ?? []).some(({ template }) =>
    template.kind === 'object'
      ? template.members.has(name)
      : !isWholeBody(template) || stated(writable) !== false,
  );
}

function isNow(template: Template): boolean {
  return template.kind === 'expression' && path(template.expression.syntax)?.join() === 'now';
}
