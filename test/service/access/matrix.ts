import { expect } from 'vitest';
import type { Operation } from '../../../src/specification/model/operation.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import { type Bench, type Running, reader } from '../running.ts';
import { type Asker, askersOf, carriedFor, textOf } from './askers.ts';
import { admits, type Fate, fatesOf, refusalOf } from './oracle.ts';
import type { Ask, Got, Person, Request, Stage } from './stage.ts';
import { clock } from './stage.ts';

/** Sends requests to what runs, with what is carried for whoever asks. */
function asking({ call }: Pick<Running, 'call'>, { carry, fields: always = {} }: Stage): Ask {
  return async (line, as = null, body, fields = {}): Promise<Got> => {
    const [method = '', place = ''] = line.split(' ');
    const carried =
      as === null ? {} : 'scheme' in as ? (carry[as.scheme]?.(await textOf(as.credential)) ?? {}) : as;
    const target = carried.query ? `${place}${place.includes('?') ? '&' : '?'}${carried.query}` : place;
    const answer = await call({
      method,
      target,
      fields: {
        ...always,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...fields,
        ...carried.fields,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const at = (...names: readonly string[]): string => {
      if (answer.status >= 300) throw new TypeError(`${line}: ${answer.status} ${answer.body}`);
      const found = names.reduce<unknown>(
        (over, name) => (over as Readonly<Record<string, unknown>> | undefined)?.[name],
        JSON.parse(answer.body),
      );
      return String(found);
    };
    return { status: answer.status, text: answer.body, at };
  };
}

/**
 * What a cell may come to: the statuses that it may have, the code of its payload, whether it is as if nothing were
 * there, and whether the operation is carried out.
 */
interface Outcome {
  readonly fate: Fate;
  readonly isDone: boolean;
  readonly statuses: readonly number[];
  readonly code: string | null;
  readonly conceals: boolean;
}

function outcomesOf(of: Specification, operation: Operation, asker: Asker, about: Request): Outcome[] {
  return fatesOf(of, operation, about.names ?? {}, asker.word ? [] : asker.sent).map((fate) => {
    if (fate.is === 'through' && about.refused) {
      const { status, code } = about.refused;
      return { fate, isDone: false, statuses: [status], code, conceals: false };
    }
    if (fate.is === 'through') {
      const answers = (stated(operation.response) ?? []).flatMap(({ status }) => stated(status) ?? []);
      const statuses = [...answers, ...(about.orElse ? [about.orElse] : [])];
      return { fate, isDone: true, statuses, code: null, conceals: false };
    }
    const isOfItem = fate.is === 'not authorized R';
    const condition = isOfItem ? 'not authorized' : fate.is;
    const subject = isOfItem ? (operation.subject?.name ?? '') : '';
    const { status, ...refusal } = refusalOf(of, operation, condition, subject);
    return { fate, isDone: false, statuses: [status], ...refusal };
  });
}

/** A target or a body with another item of the same form in the place of the one that it tells. */
function elsewhere(text: string, id: string): string {
  const last = id.at(-1) === '7' ? '8' : '7';
  return text.replace(id, /^\d+$/.test(id) ? '987654' : `${id.slice(0, -1)}${last}`);
}

/** The rows of every resource. What the service notes for itself may change at any time: events go out, leases are renewed. */
async function items(running: Running): Promise<string> {
  const tables = await running.rows();
  return JSON.stringify(tables.filter(([name]) => /^(_|[A-Z])/.test(name)));
}

/** What came of a matrix. */
interface Tried {
  /** Operations, each about something of somebody's; and who asks with what: as many cells as the two make. */
  readonly rows: number;
  readonly askers: number;
  /** What was sent in the place of a good credential. */
  readonly columns: ReadonlySet<string>;
  readonly wrong: readonly Wrong[];
}

export interface Wrong {
  readonly what: string;
  readonly how: string;
  readonly [about: string]: unknown;
}

/**
 * Tries every operation, with every credential, about something of everybody's.
 *
 * @param served the document that is served, where that is not the one that is asked for
 * @param operations those that are tried; all
 * @param isEnough ends it with the cell that shows something wrong that is looked for; nothing is
 */
export async function matrix(
  serving: Bench['serving'],
  stage: Stage,
  served = stage.document,
  operations?: readonly string[],
  isEnough: (wrong: readonly Wrong[]) => boolean = () => false,
): Promise<Tried> {
  const of = reader(stage.document).specification;
  const wrong: Wrong[] = [];
  const columns = new Set<string>();
  let rows = 0;
  let askers = 0;
  await serving(
    served,
    async (running) => {
      const ask = asking(running, stage);
      const people = await stage.people(ask, clock.pass);
      const owners = people.filter(stage.owners ?? (() => true));
      expect(Object.keys(stage.about).sort()).toEqual(of.operations.map(({ name }) => name).sort());
      const tried = of.operations.filter(({ name }) => operations?.includes(name) ?? true);
      for (const operation of tried)
        for (const owner of isOfOwner(stage, operation) ? owners : owners.slice(0, 1)) {
          rows += 1;
          const all = askersOf(people, stage);
          askers = all.length;
          for (const asker of all) {
            if (isEnough(wrong)) break;
            columns.add(asker.how);
            // Rates are another part's.
            clock.pass(61_000);
            const wrongs = await cell(of, running, stage, { operation, owner, asker, people, ask });
            wrong.push(
              ...wrongs.map((what) => ({
                what,
                how: asker.how,
                operation: operation.name,
                who: asker.person.name,
                scheme: asker.sent.map(({ scheme }) => scheme).join(),
                of: owner.name,
              })),
            );
          }
        }
      expect(running.held()).toEqual([]);
    },
    {
      ...stage.options,
      milliseconds: clock.now,
      onFault: (fault) => void wrong.push({ what: String(fault), how: '' }),
    },
  );
  return { rows, askers, columns, wrong };
}

/** Whether a request is about something of somebody's: it is made for whoever that is. */
function isOfOwner({ about }: Stage, { name }: Operation): boolean {
  return (about[name]?.length ?? 0) > 0;
}

interface Cell {
  readonly operation: Operation;
  readonly owner: Person;
  readonly asker: Asker;
  readonly people: readonly Person[];
  readonly ask: Ask;
}

/** What is wrong with a cell. */
async function cell(
  of: Specification,
  running: Running,
  stage: Stage,
  { operation, owner, asker, people, ask }: Cell,
): Promise<readonly string[]> {
  const about = await (stage.about[operation.name] as Stage['about'][string])(
    owner,
    asker.person,
    ask,
    people,
  );
  const [method = '', path = ''] = operation.key.split(' ');
  const target = about.target ?? `${stated(stated(of.endpoints)?.base) ?? ''}${path}`;
  const carried = await carriedFor(asker, stage);
  const send = (to: string, body = about.body) => ask(`${method} ${to}`, carried, body, about.fields);
  const outcomes = outcomesOf(of, operation, asker, about);
  const isRefused = outcomes.some(({ isDone }) => !isDone);
  const before = isRefused ? await items(running) : '';
  const got = await send(target);
  const outcome = outcomes.find(({ statuses }) => statuses.includes(got.status));
  const mustStay = outcome ? !outcome.isDone : outcomes.every(({ isDone }) => !isDone);
  const found = mustStay && (await items(running)) !== before ? ['it changed something'] : [];
  if (outcome === undefined) {
    const due = outcomes.map(({ fate, statuses }) => `${fate.is} ${statuses.join()}`).join(' or ');
    return [...found, `${got.status} in place of ${due}: ${got.text}`];
  }
  const { fate, isDone, code, conceals } = outcome;
  if (isDone) {
    if (about.shows) {
      const isShown = admits(of, operation, { actor: fate.by, names: { this: about.shows } }, true);
      if (got.text.includes(about.shows.id) !== isShown)
        found.push(isShown ? 'it is not shown' : 'it is shown');
    }
    return found;
  }
  if (code !== null && !got.text.includes(JSON.stringify(code)))
    found.push(`${got.text} does not tell ${code}`);
  if (conceals && about.id !== undefined) {
    const { id, body } = about;
    const there = await send(elsewhere(target, id), typeof body === 'string' ? elsewhere(body, id) : body);
    if (there.text !== got.text || there.status !== got.status)
      found.push('it is not as if it were not there');
  }
  return found;
}
