import { afterAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/specification/operation.ts';
import { stated } from '../../../src/specification/said.ts';
import type { Specification } from '../../../src/specification/specification.ts';
import { bench, type Running, reader } from '../running.ts';
import { admits, fateOf, refusalOf } from './oracle.ts';
import type { Ask, Got, Person, Request, Stage } from './stage.ts';
import { broker } from './stages/broker.ts';
import { parcelDesk } from './stages/parcel-desk.ts';
import { payments } from './stages/payments.ts';
import { publishing } from './stages/publishing.ts';
import { subscriptions } from './stages/subscriptions.ts';

const { serving, end } = bench();
afterAll(end);

/** What is done to a good credential, so that it is good no more. */
const faults: Readonly<Record<string, (credential: string) => string>> = {
  'one that was tampered with': (text) => inPair(text, changed),
  'one that was cut': (text) => inPair(text, (inner) => inner.slice(0, -1)),
  "one of nobody's": () => 'no-such-credential',
  'an empty one': () => '',
};

function changed(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}

/** A name and a password are changed in the password, or else in the name. */
function inPair(text: string, change: (text: string) => string): string {
  const [, name = '', password = ''] = /^([^:]+):(.*)$/.exec(Buffer.from(text, 'base64').toString()) ?? [];
  if (name === '') return change(text);
  return Buffer.from(password === '' ? `${change(name)}:` : `${name}:${change(password)}`).toString('base64');
}

/** A cell: who asks, with what of the credential, about something of whose. */
interface Asker {
  readonly person: Person;
  readonly how: string;
  /** Null: it is sent with none. */
  readonly credential: string | null;
  /** Fields in place of those that carry it. */
  readonly fields?: Readonly<Record<string, string>>;
}

function askersOf(people: readonly Person[], { carry }: Stage): Asker[] {
  const good = people.map((person) => ({ person, how: 'a good one', credential: person.credential }));
  const schemes = [...new Map(people.filter((one) => !one.isLate).map((one) => [one.scheme, one])).values()];
  const wrong = schemes.flatMap((person) =>
    Object.entries(faults).map(([how, make]) => ({ person, how, credential: make(person.credential) })),
  );
  const others = schemes.flatMap((person) =>
    schemes
      .filter(({ scheme }) => scheme !== person.scheme)
      .map(({ credential, scheme }) => ({ person, how: `one of ${scheme}`, credential })),
  );
  const words = schemes.flatMap((person) => {
    const { Authorization: carried } = carry[person.scheme]?.(person.credential) ?? {};
    const fields = { Authorization: carried?.replace(/^\S+/, 'Unstated') ?? '' };
    return carried ? [{ person, how: 'one after another word', credential: null, fields }] : [];
  });
  const [somebody] = people;
  return [
    ...good,
    ...wrong,
    ...others,
    ...words,
    { person: somebody as Person, how: 'none', credential: null },
  ];
}

/** Sends requests to what runs, with what is carried for whoever asks. */
function asking({ call }: Pick<Running, 'call'>, { carry, fields: always = {} }: Stage): Ask {
  return async (line, as = null, body, fields = {}): Promise<Got> => {
    const [method = '', target = ''] = line.split(' ');
    const answer = await call({
      method,
      target,
      fields: {
        ...always,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...fields,
        ...(as && carry[as.scheme]?.(as.credential)),
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

/** What a cell is to come to: the statuses that it may have, and whether it is as if nothing were there. */
function expected(
  of: Specification,
  operation: Operation,
  { person, credential, how }: Asker,
  about: Request,
) {
  const isGood = !person.isLate && (how === 'a good one' || credential === null);
  const actor = credential === null ? null : person.actor;
  const fate = fateOf(of, operation, { actor, names: about.names ?? {} }, isGood);
  if (fate === 'through') {
    const answers = (stated(operation.response) ?? []).flatMap(({ status }) => stated(status) ?? []);
    return { fate, statuses: [...answers, ...(about.orElse ? [about.orElse] : [])], conceals: false };
  }
  const subject = fate === 'not authorized' && about.names?.['this'] ? (operation.subject?.name ?? '') : '';
  const { status, conceals } = refusalOf(of, operation, fate, subject);
  return { fate, statuses: [status], conceals };
}

/** The target with another item of the same form in the place of the one that it tells. */
function elsewhere(target: string, id: string): string {
  const last = id.at(-1) === '7' ? '8' : '7';
  return target.replace(id, /^\d+$/.test(id) ? '987654' : `${id.slice(0, -1)}${last}`);
}

/** The rows of every resource. What the service notes for itself may change at any time: events go out, leases are renewed. */
async function items(running: Running): Promise<string> {
  const tables = await running.rows();
  return JSON.stringify(tables.filter(([name]) => /^(_|[A-Z])/.test(name)));
}

/** Tries every operation, with every credential, about something of everybody's; gives how many cells, and those that are wrong. */
async function matrix(
  stage: Stage,
  served = stage.document,
): Promise<{ readonly cells: number; readonly wrong: readonly unknown[] }> {
  const of = reader(stage.document).specification;
  const wrong: unknown[] = [];
  let cells = 0;
  let time = Date.UTC(2026, 10, 21);
  const pass = (ms: number): void => {
    time += ms;
  };
  await serving(
    served,
    async (running) => {
      const ask = asking(running, stage);
      const people = await stage.people(ask, pass);
      const owners = people.filter(stage.owners ?? (() => true));
      expect(Object.keys(stage.about).sort()).toEqual(of.operations.map(({ name }) => name).sort());
      for (const operation of of.operations)
        for (const owner of owners)
          for (const asker of askersOf(people, stage)) {
            cells += 1;
            // Rates are another part's.
            pass(61_000);
            const about = await (stage.about[operation.name] as Stage['about'][string])(
              owner,
              asker.person,
              ask,
              people,
            );
            const [method = '', path = ''] = operation.key.split(' ');
            const target = about.target ?? `${stated(stated(of.endpoints)?.base) ?? ''}${path}`;
            const as = asker.credential === null ? null : { ...asker.person, credential: asker.credential };
            const send = (to: string) =>
              ask(`${method} ${to}`, as, about.body, { ...about.fields, ...asker.fields });
            const { fate, statuses, conceals } = expected(of, operation, asker, about);
            const before = fate === 'through' ? '' : await items(running);
            const got = await send(target);
            const note = (what: string): void => {
              const who = `${asker.person.name} with ${asker.how}`;
              wrong.push({
                what,
                operation: operation.name,
                who,
                of: owner.name,
                fate,
                statuses,
                got: got.text,
              });
            };
            if (!statuses.includes(got.status)) note(`status ${got.status}`);
            if (fate !== 'through' && (await items(running)) !== before) note('it changed something');
            if (fate === 'through' && about.shows) {
              const isShown = admits(
                of,
                operation,
                { actor: as?.actor ?? null, names: { this: about.shows } },
                true,
              );
              if (got.text.includes(about.shows.id) !== isShown)
                note(isShown ? 'it is not shown' : 'it is shown');
            }
            if (!conceals || about.id === undefined) continue;
            const there = await send(elsewhere(target, about.id));
            if (there.text !== got.text || there.status !== got.status)
              note(`it is not as if it were not there`);
          }
      expect(running.held()).toEqual([]);
    },
    { ...stage.options, milliseconds: () => time, onFault: (fault) => void wrong.push(fault) },
  );
  return { cells, wrong };
}

/** By example, what makes its cells: operations, owners, and credentials (good, wrong, another's, after another word, none). */
describe('whom each operation is for, in every example that states it (language §5)', () => {
  it.each([
    ['parcel-desk', parcelDesk, 12 * 2 * (5 + 2 * 4 + 2 + 1 + 1)],
    ['broker', broker, 9 * 1 * (1 + 4 + 0 + 1 + 1)],
    ['publishing', publishing, 19 * 2 * (3 + 4 + 0 + 1 + 1)],
    ['subscriptions', subscriptions, 9 * 2 * (3 + 2 * 4 + 2 + 1 + 1)],
    ['payments', payments, 13 * 2 * (4 + 2 * 4 + 2 + 2 + 1)],
  ] as const)('is kept to in each cell of %s', { timeout: 180_000 }, async (_, stage, cells) => {
    expect(await matrix(stage)).toEqual({ cells, wrong: [] });
  });

  it('is seen not to be, where it is not', async () => {
    const served = broker.document.replace('otherwise: platform', 'otherwise: anyone');
    const { wrong } = await matrix(broker, served);
    expect(new Set(wrong.map((one) => (one as { readonly what: string }).what))).toContain(
      'it changed something',
    );
    expect(wrong.length).toBeGreaterThan(9);
  });
});
