import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { compare, field as fieldOf, literal, parameter, query } from '../../expression/query.ts';
import { setMember } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { Doing } from '../change/doing.ts';
import { worked } from '../content.ts';
import type { Judge } from '../judge.ts';
import type { Trial } from '../judges.ts';
import { refuse } from '../refusal.ts';
import { compileAsk } from '../resource/ask.ts';
import { keyOf } from '../resource/item.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import type { Reads, Row } from '../store/store.ts';

/** `authenticate` of an operation (language §H.2). */
export interface Authenticating {
  /** The item whose fields match, but for its secrets; null: there is none, or several. */
  readonly find: (doing: Doing) => Row | null;
  readonly judges: readonly Judge<Trial>[];
}

/** Null where an operation authenticates nobody. */
export function compileAuthenticating(
  operation: Operation,
  kept: KeptResource | undefined,
  environment: Environment,
): Authenticating | null {
  const change = stated(operation.does);
  if (change?.verb !== 'authenticate' || kept === undefined) return null;
  const given = [...(stated(change.qualifiers.by) ?? [])].flatMap(([name, said]) => {
    const placed = stated(said);
    return placed ? [{ name, run: compileTemplate(placed.template, environment) }] : [];
  });
  const isSecret = ({ name }: { readonly name: string }): boolean =>
    stated(kept.resource.fields.get(name)?.secret) !== undefined;
  const secrets = given.filter(isSecret);
  const find = compileFind(
    kept,
    given.filter((one) => !isSecret(one)),
  );
  return {
    find: ({ tx, frame }) => find(tx, frame({})),
    judges: [
      {
        condition: 'wrong credentials',
        code: null,
        kept: true,
        byChange: false,
        refuses: ({ within }) => {
          if (within === null) return [];
          const { subject } = within.found();
          const members = subject ? kept.members(subject.row) : {};
          const frame = within.doing.frame({});
          // Each is proven whether the one before it was, and whether there is an item or not.
          const proven = secrets.map(({ name, run }) => {
            const secret = givenBy(run, frame);
            return within.proofs(members[name] ?? null, secret) && secret !== null;
          });
          return subject !== null && proven.every(Boolean) ? [] : [refuse('wrong credentials', kept.name)];
        },
      },
    ],
  };
}

interface Given {
  readonly name: string;
  readonly run: Run;
}

/** Finds the item by its fields, each compared as its uniqueness compares. */
function compileFind(kept: KeptResource, by: readonly Given[]): (reads: Reads, frame: Frame) => Row | null {
  const names = by.map(({ name }) => name);
  const unique = kept.uniques.find(({ fields }) => fields.every((name) => names.includes(name)));
  const from = { table: kept.table };
  const where = by.map(({ name }, index) => compare('matches', fieldOf(from, name), parameter(index)));
  const [first, ...others] = where;
  const all =
    first && others.reduce((left, right) => ({ kind: 'and', left, right }) as const, first as typeof first);
  const rows = compileAsk(query(from, { where: all ?? null, limit: literal(2) }));
  return (reads, frame) => {
    const values = by.map(({ run }) => givenBy(run, frame));
    if (values.includes(null)) return null;
    if (unique === undefined) {
      const [only, second] = rows(reads, values);
      return second === undefined ? (only ?? null) : null;
    }
    const asked: Members = {};
    for (const [index, name] of names.entries()) setMember(asked, name, values[index]);
    const row = unique.find(reads, asked);
    const there = row && kept.members(row);
    const isOne = there && names.every((name) => unique.fields.includes(name) || there[name] === asked[name]);
    return isOne ? row : null;
  };
}

/** What is given, as it is kept; null where it cannot be worked out. */
function givenBy(run: Run, frame: Frame): unknown {
  return worked(() => keyOf(run(frame))) ?? null;
}
