import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Check, type Claim, ifReached, type Scenario, type Seen, scenario } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { header } from '../http.ts';
import { look } from '../look.ts';
import { pageParameter } from '../page.ts';
import { perform } from '../perform.ts';
import { deed } from '../success.ts';
import { type Done, type Entry, restsOf, send, type Trial } from '../trial.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { mostOf, offered, placeIn, type Walk, walk } from '../walk.ts';
import { several, where } from './collection.ts';

const relations = ['self', 'first', 'previous', 'next', 'last'] as const;
type Relation = (typeof relations)[number];

interface Addressed extends Seen {
  readonly found: Walk;
  /** What each address of each page showed when it was followed; null: there is none. */
  readonly followed: readonly ReadonlyMap<Relation, Done | null>[];
}

/** The addresses of other pages, in the body or as links (RFC 8288): each leads where it says (language §4.2). */
export function addresses(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const told = relations.filter((relation) => isTold(operation, relation));
  if (told.length === 0) return [];
  const observe = async (): Promise<Addressed> => {
    const made = await ifReached(() => several(trial, resource, 4));
    const attempt = where(trial, made?.[0]);
    const { entries } = await walk(trial, operation, { attempt });
    const size = pageParameter(operation, 'size');
    const many = Math.min(Math.ceil(entries.length / 3) || 1, mostOf(trial, operation) ?? 1);
    const found = await walk(trial, operation, { attempt, ...(size && { size: many }) });
    const followed = [];
    for (const page of [found.pages[0], found.pages.at(-1)]) {
      const seen = new Map<Relation, Done | null>();
      for (const relation of told)
        seen.set(relation, page ? await follow(trial, operation, page, relation) : null);
      followed.push(seen);
    }
    return { exchange: found.last.exchange, found, followed };
  };
  const byCursor = pageParameter(operation, 'cursor') !== undefined;
  const check = (relation: Relation): Check<Addressed> => ({
    name: 'page.address',
    says: `${operation.key} tells the address of the ${relation} page, from the first and from the last`,
    cites: deed(operation),
    guard: ({ found }) =>
      all(doesJustThat(trial.of, operation), known(found.pages.length > 1, 'the list has one page')),
    claim: ({ found, followed }) => {
      const claims = [0, found.pages.length - 1].map((index, side) =>
        leads(found, index, relation, followed[side]?.get(relation) ?? null, byCursor),
      );
      return claims.find(({ truth }) => truth.value === false) ?? (claims[0] as Claim);
    },
  });
  return [scenario(trial.of, restsOf(operation), observe, told.map(check)), ...kept(trial, operation, told)];
}

/** Every other parameter is kept in the address of another page (language §4.2). */
function kept(trial: Trial, operation: Operation, told: readonly Relation[]): Scenario[] {
  const given = queryParameters(operation).flatMap((one): [string, string][] => {
    const fields = stated(one.roles.sort);
    if (fields) return [[one.name, fields[0]?.text ?? '']];
    if (!stated(one.roles.filter)) return [];
    const value = trial.tools.valid({ type: 'string', ...schemaOf(one.shape) }, 'least');
    return typeof value === 'string' || typeof value === 'number' ? [[one.name, String(value)]] : [];
  });
  if (given.length === 0) return [];
  const query = new URLSearchParams(given).toString();
  const addressesOf = (done: Done): string[] =>
    told.flatMap((relation) => {
      const one = offered(done, `url.${relation}`) ?? linked(done, relation);
      return typeof one === 'string' ? [one] : [];
    });
  const check: Check<Done> = {
    name: 'page.kept',
    says: `${operation.key} keeps ${given.map(([name]) => name).join(', ')} in the addresses of other pages`,
    cites: deed(operation),
    guard: (done) =>
      all(
        succeeded(done.exchange, operation),
        addressesOf(done).length > 0 ? yes : unseen('there is no address'),
        doesJustThat(trial.of, operation),
      ),
    claim: (done) => {
      const wrong = addressesOf(done).find((one) => {
        const { searchParams } = new URL(one, done.exchange.request.url);
        return given.some(([name, value]) => searchParams.get(name) !== value);
      });
      return { truth: known(wrong === undefined), expected: `with ${query}`, found: wrong ?? 'so' };
    },
  };
  return [scenario(trial.of, restsOf(operation), () => perform(trial, operation, { query }), [check])];
}

/**
 * Whether an address leads from one page of a list to the one that it says; where there is none, it is null. Before the
 * end of the list lie the last items, however many pages lead there from its beginning (language §4.2).
 */
function leads(found: Walk, from: number, relation: Relation, seen: Done | null, byCursor: boolean): Claim {
  const last = found.pages.length - 1;
  const to = { self: from, first: 0, previous: from - 1, next: from + 1, last }[relation];
  const wanted = found.pages[to];
  const named = wanted ? `the ${wanted.entries.length} items of page ${to + 1}` : 'no address';
  if (seen === null) return { truth: known(wanted === undefined), expected: named, found: 'no address' };
  const shown = (entries: readonly Entry[]): string => JSON.stringify(entries.map((entry) => entry.shown));
  const isEnd = byCursor && relation === 'last' && seen.entries && seen.entries.length > 0;
  const there = isEnd ? found.entries.slice(-(seen.entries as readonly Entry[]).length) : wanted?.entries;
  const isIt = wanted !== undefined && seen.entries !== null && shown(seen.entries) === shown(there ?? []);
  return {
    truth:
      seen.entries === null && wanted ? unseen('what it leads to shows no list') : isIt ? yes : known(false),
    expected: named,
    found: `${seen.entries?.length ?? 'no'} items at ${seen.exchange.request.url}`,
  };
}

function isTold({ response }: Operation, relation: Relation): boolean {
  return (stated(response) ?? []).some((answer) => {
    const fields = [...(stated(answer.headers)?.values() ?? [])];
    const templates = [answer.body, ...fields].flatMap((said) => stated(said)?.template ?? []);
    const isLinked = relation !== 'self' && templates.some((one) => placeIn(one, 'links') !== null);
    return isLinked || templates.some((one) => placeIn(one, `url.${relation}`) !== null);
  });
}

/** Asks at the address that a page gives; null where it gives none. */
async function follow(
  trial: Trial,
  operation: Operation,
  page: Done,
  relation: Relation,
): Promise<Done | null> {
  const told = offered(page, `url.${relation}`) ?? linked(page, relation);
  if (typeof told !== 'string') return null;
  const { href } = new URL(told, page.exchange.request.url);
  const asked = { operation, as: trial.persona, names: page.names };
  const exchange = await send(trial, { ...page.exchange.request, url: href }, asked);
  return look(trial, operation, {}, exchange);
}

/** The target of a link with a relation (RFC 8288 §3), in a header field or in the body. */
function linked(page: Done, relation: Relation): string | null {
  const links = offered(page, 'links') ?? header(page.exchange.response, 'link');
  const rel = relation === 'previous' ? 'prev(?:ious)?' : relation;
  const form = new RegExp(`<([^>]*)>[^,<]*;\\s*rel="?(?:[^";,]*\\s)?${rel}(?:\\s[^";,]*)?"?`);
  return typeof links === 'string' ? (form.exec(links)?.[1] ?? null) : null;
}
