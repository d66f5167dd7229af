import type { Model } from '../../expression/query-operand.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import type { Judge } from '../judge/judge.ts';
import { type CompiledRule, compileRule, type ItemRule } from '../judge/rule.ts';
import type { Presented } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import { type Refusal, refuse } from '../message/refusal.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Doing } from '../transaction/doing.ts';
import { type Found, itemsFound } from '../transaction/found.ts';
import { compileCheck, isProven } from './credentials.ts';
import type { Issuer } from './issuer.ts';
import type { Outside } from './outside.ts';
import { type Asking, compileWho, type Who } from './who.ts';

/** What is to be known of a request to judge who may ask. */
interface Asked {
  readonly presented: Presented;
  readonly within: Within | null;
}

interface Within {
  readonly doing: Doing;
  readonly who: Who;
  /** Whether it is about several items, of which a rule leaves some out. */
  readonly isSeveral: boolean;
  readonly found: () => Found;
}

/** Who may ask for an operation, compiled (language §5). */
export interface Access {
  /** The credentials that a request came with. */
  readonly present: (incoming: Incoming) => Presented;
  readonly who: (asking: Asking) => Who;
  readonly judges: readonly Judge<Asked>[];
  /** Whether a credential is checked beside the service's own work. */
  readonly mayWait: boolean;
  /** What each item of a list, or of `every`, is judged by. */
  readonly items: readonly ItemRule[];
}

interface Around {
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly model: Model;
  readonly writers: Writers;
  readonly issuer: Issuer | null;
  readonly outside: Outside;
}

const unasked: Who = { actor: null, credential: 'none', grants: true };
const nothing: Presented = new Map();
const no: readonly Refusal[] = [];
const one = (refusal: Refusal): readonly Refusal[] => [refusal];
const kept = { code: null, kept: true, byChange: false } as const;

/** Null where part 5 says nothing of the operation: then nobody is asked, and nothing is looked at. */
export function compileAccess(
  specification: Specification,
  operation: Operation,
  around: Around,
): Access | null {
  const authentication = stated(specification.authentication);
  if (authentication === undefined) return null;
  const environment = environmentOf(around.writers);
  const who = compileWho(
    authentication,
    operation,
    (name, scheme) => compileCheck(name, scheme, { ...around, environment }, around.issuer, around.outside),
    { ...around, environment },
  );
  const rule = compileRule(authentication, operation, environment);
  const isFree = rule === null || (rule.items.length === 0 && rule.plain.every((part) => part.isFree));
  if (who === null && isFree) return null;
  // Where it is not stated, that a wrong credential is refused is a choice (language §F.1).
  const isRefused = (name: string): boolean => {
    const scheme = stated(stated(authentication.schemes)?.get(name));
    return scheme === undefined || stated(scheme.wrong) !== 'ignore';
  };
  return {
    present: who?.present ?? (() => nothing),
    who: who?.tell ?? (() => unasked),
    items: rule?.items ?? [],
    mayWait: [...(stated(authentication.schemes)?.values() ?? [])].some((said) => isProven(stated(said))),
    judges: [
      ...credentialJudges(rule, isRefused),
      ...(rule ? [plainJudge(rule)] : []),
      ...(rule && rule.items.length > 0 ? [itemJudge(rule.items)] : []),
    ],
  };
}

/** Whether none came where one is needed, and whether one that came is not good (language §H.4, 4). */
function credentialJudges(
  rule: CompiledRule | null,
  isRefused: (scheme: string) => boolean,
): readonly Judge<Asked>[] {
  const holds = (within: Within): boolean => rule === null || letsNobodyIn(rule, within);
  return [
    {
      ...kept,
      condition: 'credential missing',
      refuses: ({ within }) =>
        within && within.who.credential === 'none' && !holds(within) ? one(refuse('credential missing')) : no,
    },
    {
      ...kept,
      condition: 'credential wrong',
      refuses: ({ within, presented }) => {
        if (within?.who.credential !== 'wrong') return no;
        const isWrong = [...presented.keys()].some(isRefused) || !holds(within);
        return isWrong ? one(refuse('credential wrong')) : no;
      },
    },
  ];
}

/** Whether a rule holds where nobody is known: about an item that is not there only `anyone` does (language §H.4). */
function letsNobodyIn({ plain, items }: CompiledRule, within: Within): boolean {
  if (!plain.every((part) => part.isFree || isMet(part, within, false))) return false;
  return items.every((part) => meets(part, within, false));
}

/** Before an item is looked for (language §5.5). */
function plainJudge({ plain }: CompiledRule): Judge<Asked> {
  return {
    ...kept,
    condition: 'not authorized',
    isPlain: true,
    refuses: ({ within }) => {
      if (within === null) return no;
      const isIn = within.who.grants && plain.every((part) => isMet(part, within, true));
      return isIn ? no : one(refuse('not authorized'));
    },
  };
}

function itemJudge(items: readonly ItemRule[]): Judge<Asked> {
  return {
    ...kept,
    condition: 'not authorized',
    refuses: ({ within }) => {
      const subject = within?.found().subject;
      if (!within || !subject || items.every((part) => meets(part, within, true))) return no;
      return one(refuse('not authorized', subject.kept.name));
    },
  };
}

/** @param unfound what is said about an item that is not there */
function isMet({ about, holds }: CompiledRule['plain'][number], within: Within, unfound: boolean): boolean {
  const found: Found['bound'] = about.length > 0 ? within.found().bound : {};
  if (about.some((name) => (found[name] ?? null) === null)) return unfound;
  return holds(within.doing.frame(found));
}

/** Of a list, or of `every`, what the rule refuses is left out, so that it stands in nobody's way. */
function meets({ holds, always }: ItemRule, within: Within, unfound: boolean): boolean {
  if (within.isSeveral || always(within.doing.frame({}))) return true;
  const found = within.found();
  if (found.subject === null) return unfound;
  return holds(within.doing.frame(itemsFound(within.doing, found)));
}
