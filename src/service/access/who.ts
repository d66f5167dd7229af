import { compileTemplate, type Frame } from '../../expression/compile.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import type { ActorOf, Scheme } from '../../specification/vocabulary/scheme.ts';
import { Kind } from '../judge/rule.ts';
import type { Presented } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import type { Check, Checking, Holder, Holding } from './credentials.ts';
import { compileLookup } from './lookup.ts';
import { compilePresenting, type Presenting } from './presented.ts';

/** Who asks, as far as credentials tell. */
export interface Who {
  /** Null where nobody is known. */
  readonly actor: unknown;
  /** `wrong`: credentials came, and are not good. */
  readonly credential: 'none' | 'wrong' | 'good';
  /** Whether the credential grants all scopes that the rule wants. */
  readonly grants: boolean;
}

/** What it takes to tell who asks. */
export interface Asking extends Checking {
  readonly presented: Presented;
}

export interface CompiledWho {
  readonly present: (incoming: Incoming) => Presented;
  readonly tell: (asking: Asking) => Who;
}

/** A scheme, compiled. */
interface Compiled {
  readonly name: string;
  readonly presenting: Presenting;
  /** A credential under another word is a wrong one (language §5.1). */
  readonly isForeignWrong: boolean;
  readonly check: Check;
  readonly actor: (holder: Holder, asking: Asking) => unknown;
  readonly scopes: (holder: Holder, asking: Asking) => readonly unknown[];
}

const nobody: Who = { actor: null, credential: 'none', grants: true };
const wrong: Who = { actor: null, credential: 'wrong', grants: true };
const nothing: Presented = new Map();

/** Somebody, of whom it is open who. */
const somebody = Object.freeze({});

/** Compiles how an operation tells who asks (language §5.1 to §5.3); null: nobody is asked. */
export function compileWho(
  authentication: Authentication,
  operation: Operation,
  checkOf: (name: string, scheme: Scheme) => Check | null,
  holding: Holding,
): CompiledWho | null {
  const { environment } = holding;
  const wanted = stated(stated(ruleOf(authentication, operation))?.schemes);
  const schemes = [...(stated(authentication.schemes) ?? [])].flatMap(([name, said]): Compiled[] => {
    const scheme = stated(said);
    const isAdmitted = wanted === undefined || wanted.flat().some(({ text }) => text === name);
    const presenting = scheme && isAdmitted && compilePresenting(scheme);
    const check = presenting && checkOf(name, scheme);
    if (!check) return [];
    const scopes = stated(scheme.scopes);
    const granted = scopes && compileTemplate(scopes.template, environment);
    return [
      {
        name,
        presenting,
        isForeignWrong: stated(scheme.foreign) === 'wrong',
        check,
        actor: compileActor(stated(scheme.actor), holding),
        scopes: (holder, asking) => (granted?.(namesOf(holder, asking)) ?? []) as readonly unknown[],
      },
    ];
  });
  if (schemes.length === 0) return null;
  const alternatives =
    wanted?.map((all) =>
      all.map(({ text, scopes }) => ({ name: text, scopes: scopes.map((one) => one.text) })),
    ) ?? schemes.map(({ name }) => [{ name, scopes: [] as string[] }]);
  /** Where there is one scheme, the alternatives that it fulfils by itself. */
  const [only] = schemes.length === 1 ? schemes : [];
  const alone = only && alternatives.filter((all) => all.every(({ name }) => name === only.name));
  const byName = new Map(schemes.map((one) => [one.name, one]));
  const refusesSeveral = stated(authentication.several) === 'refuse';
  const placeOf = (name: string): string => byName.get(name)?.presenting.place ?? '';

  return {
    present: (incoming) => {
      const found = new Map<string, string>();
      for (const { name, presenting } of schemes) {
        const credential = presenting.find(incoming);
        if (credential !== null) found.set(name, credential);
      }
      for (const { name, presenting, isForeignWrong } of schemes) {
        const isOthers = [...found.keys()].some((other) => placeOf(other) === presenting.place);
        // No credential is the empty text.
        if (isForeignWrong && !isOthers && presenting.isForeign?.(incoming)) found.set(name, '');
      }
      return found.size === 0 ? nothing : found;
    },
    tell: (asking) => {
      const { presented } = asking;
      if (presented.size === 0) return nobody;
      if (alone) return alone.length === 0 ? nobody : oneOf(alone);
      const whole = alternatives.filter((all) => all.every(({ name }) => presented.has(name)));
      if (whole.length === 0) return nobody;
      const places = new Set([...presented.keys()].map(placeOf));
      const covers = (all: (typeof whole)[number]): boolean =>
        new Set(all.map(({ name }) => placeOf(name))).size === places.size;
      if (refusesSeveral && !whole.some(covers)) return wrong;
      // Of several the first, by the order of the schemes (language §5.1); those that stand in one place are tried in turn.
      const [place = ''] = places;
      const first = whole.filter((all) => all.some(({ name }) => placeOf(name) === place));
      return oneOf(first.length > 0 ? first : whole);

      /** By the first list that is good and grants what is required; else by the first that is good. */
      function oneOf(several: typeof whole): Who {
        let good: Who | null = null;
        for (const all of several) {
          const who = together(all);
          if (who?.grants) return who;
          good ??= who;
        }
        return good ?? wrong;
      }

      function together(all: (typeof whole)[number]): Who | null {
        let actor: unknown = null;
        let grants = true;
        for (const { name, scopes } of all) {
          const scheme = byName.get(name) as Compiled;
          const holder = scheme.check(presented.get(name) as string, asking);
          if (holder === null) return null;
          const own = scheme.actor(holder, asking);
          if (own === undefined) return null;
          actor ??= own;
          const granted = scopes.length > 0 ? scheme.scopes(holder, asking) : [];
          grants &&= scopes.every((one) => granted.includes(one));
        }
        return { actor, credential: 'good', grants };
      }
    },
  };
}

/** What `actor` is, by whom a credential belongs to; undefined: the credential is nobody's that it could be. */
function compileActor(
  said: ActorOf | undefined,
  holding: Holding,
): (holder: Holder, asking: Asking) => unknown {
  switch (said?.kind) {
    case undefined:
      return () => somebody;
    case 'resource':
      return ({ item }) => (item?.resource === said.resource.text ? item : undefined);
    case 'actor': {
      const kind = new Kind(said.actor.text);
      return () => kind;
    }
    case 'expression': {
      const run = compileTemplate(said.expression.template, holding.environment);
      return (holder, asking) => run(namesOf(holder, asking)) ?? null;
    }
    case 'field': {
      const kept = holding.resources.get(said.resource);
      if (kept === undefined || kept.keyFields.length === 0) return () => undefined;
      const { find } = compileLookup(kept, [said.field], holding.model, holding.environment);
      return ({ subject }, { reads, frame }) => {
        const row = typeof subject === 'string' ? find(reads, [subject]) : null;
        return row ? kept.item(row, () => frame({})) : undefined;
      };
    }
  }
}

function namesOf({ item, claims }: Holder, { frame }: Asking): Frame {
  return frame({ this: item, ...(claims && { claims }) });
}
