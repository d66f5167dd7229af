import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import type { Model } from '../../expression/query-operand.ts';
import { worked } from '../../expression/values.ts';
import { isMade } from '../../specification/model/holders.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Judge } from '../judge/judge.ts';
import { refuse } from '../message/refusal.ts';
import { keyOf } from '../resource/item.ts';
import type { KeptResource } from '../resource/kept.ts';
import { nobodysDigest } from '../resource/secrets.ts';
import type { Row } from '../store/store.ts';
import type { Doing } from '../transaction/doing.ts';
import type { Found } from '../transaction/found.ts';
import { compileLookup, type Lookup } from './lookup.ts';
import type { Proofs } from './proofs.ts';

/** What is to be known of a request to judge what it proves. */
interface Asked {
  readonly within: {
    readonly doing: Doing;
    readonly proofs: Pick<Proofs, 'proves'>;
    readonly found: () => Found;
  } | null;
}

/** `authenticate` of an operation (language §H.2). */
export interface Authenticating {
  /** The item whose fields match, but for its secrets; null: there is none, or several. */
  readonly find: (doing: Doing) => Row | null;
  /** By what the store finds it, where that is nothing unique. */
  readonly narrowed: Lookup['narrowed'];
  readonly judges: readonly Judge<Asked>[];
}

/** Null where an operation authenticates nobody. */
export function compileAuthenticating(
  operation: Operation,
  kept: KeptResource | undefined,
  model: Model,
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
  const secrets = given.filter(isSecret).map((one) => {
    const field = kept.resource.fields.get(one.name);
    return { ...one, nobodys: field && isMade(field) ? nobodysDigest : null };
  });
  const plain = given.filter((one) => !isSecret(one));
  const { find, narrowed } = compileLookup(
    kept,
    plain.map(({ name }) => name),
    model,
    environment,
  );
  return {
    narrowed,
    find: ({ tx, frame }) => {
      const values = plain.map(({ run }) => givenBy(run, frame({})));
      return values.includes(null) ? null : find(tx, values);
    },
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
          const proven = secrets.map(({ name, run, nobodys }) => {
            const secret = givenBy(run, frame);
            return within.proofs.proves(members[name] ?? nobodys, secret) && secret !== null;
          });
          return subject !== null && proven.every(Boolean) ? [] : [refuse('wrong credentials', kept.name)];
        },
      },
    ],
  };
}

/** What is given, as it is kept; null where it cannot be worked out. */
function givenBy(run: Run, frame: Frame): unknown {
  return worked(() => keyOf(run(frame))) ?? null;
}
