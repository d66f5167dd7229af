import { get, json, type Node } from '../source/node.ts';
import { at } from '../source/text.ts';
import { atOnce, type Steps } from '../source/turns.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, find, type Part, parts, step, steps } from '../specification/reading/address.ts';
import {
  type Change,
  type Difference,
  differences,
  differencesInSteps,
  type Side,
  type Stand,
  side,
} from './difference.ts';
import { differsAt, type Edition, editions, renamesIn } from './editions.ts';
import type { Renames } from './renamed.ts';
import { type Context, matches, type Rule } from './rule.ts';
import { differs } from './rules/differs.ts';
import { rules } from './rules.ts';
import { usage } from './usage.ts';

/** What a finding is, the gravest first. */
export const classes = ['breaking', 'stored data', 'changed', 'became open', 'refinement'] as const;
export type Class = (typeof classes)[number];

/** The form of `schemas/diff.schema.json`: what differs between two specifications, and what that comes to. */
export interface Diff {
  /** The names of the two documents. */
  readonly before: string;
  readonly after: string;
  /** Whether open points were replaced by statements, and nothing else happened (language §F.4). */
  readonly refinement: boolean;
  readonly counts: Readonly<Record<Class, number>>;
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly class: Class;
  /** The rule that judged it; null: none did, so what it comes to is not known. */
  readonly rule: string | null;
  /** The section of the language reference that it rests on. */
  readonly section: string;
  readonly address: string;
  /** Further addresses of the same statement, where notation copies it (language §E.15, §E.16). */
  readonly also: readonly string[];
  readonly message: string;
  readonly before: Said;
  readonly after: Said;
}

/** What one side says there. */
export interface Said {
  /** `left out`: not there, and the list that would hold it is closed. */
  readonly state: Stand['state'];
  /** `file:line:column` of where it is stated, or could be. */
  readonly at: string;
  /** The value in short, as JSON; null where none is stated, and for the rest of a list. */
  readonly value: string | null;
}

/** Compares what two specifications state, point by point (language §C, §F.4); their wording is no difference. */
export function diff(before: Specification, after: Specification): Diff {
  return atOnce(diffInSteps(before, after));
}

/** {@link diff} in steps. */
export function* diffInSteps(before: Specification, after: Specification): Steps<Diff> {
  const shared = editions(before, after)
    .filter((edition) => edition.before !== before || edition.after !== after)
    .map((edition) => ({ edition, breaks: breaksIn(edition) }));
  const superseded = shared.find(({ edition }) => edition.isSuperseded);
  const renames: Renames = superseded
    ? renamesIn({ before, after: superseded.edition.after })
    : new Map<Address, string>();
  yield;
  const was = side(before, renames);
  yield;
  const is = side(after);
  yield;
  const found = yield* differencesInSteps(was, is);
  yield;
  const context = contextOf(was, is, superseded);
  yield;
  const own = [
    ...found.flatMap((one) => judged(one, context)),
    ...[...renames].map(([address, name]) => renaming(before, after, address, name, context)),
  ];
  const told = new Set(own.filter((one) => one.class === 'breaking').map(keyOf));
  const more = shared.flatMap(({ edition: { name }, breaks }) =>
    breaks
      .filter((one) => !told.has(keyOf(one)))
      .map((one) => ({ ...one, message: `version ${name}: ${one.message}` })),
  );
  const findings = [...own, ...more].sort((a, b) => classes.indexOf(a.class) - classes.indexOf(b.class));
  const count = (of: Class): number => findings.filter((one) => one.class === of).length;
  return {
    before: before.file,
    after: after.file,
    refinement: found.every((one) => one.change === 'refinement') && renames.size === 0 && more.length === 0,
    counts: {
      breaking: count('breaking'),
      'stored data': count('stored data'),
      changed: count('changed'),
      'became open': count('became open'),
      refinement: count('refinement'),
    },
    findings,
  };
}

interface Compared {
  readonly edition: Edition;
  readonly breaks: readonly Finding[];
}

function contextOf(was: Side, is: Side, superseded?: Compared): Context {
  return {
    before: was.tree,
    after: is.tree,
    was: usage(was.tree),
    is: usage(is.tree),
    ...(superseded && {
      superseded: { name: superseded.edition.name, broken: new Set(superseded.breaks.map(keyOf)) },
    }),
  };
}

/** The parts that say what is done for a client, whichever version it names. */
const served: readonly Part[] = parts.filter((part) => part !== 'service' && part !== 'versioning');

/** What breaks the clients of a version that both documents serve. */
function breaksIn(edition: Edition): Finding[] {
  const was = side(edition.before, renamesIn(edition));
  const is = side(edition.after);
  const context = contextOf(was, is);
  return differences(was, is, served)
    .flatMap((one) => judged(one, context))
    .filter((one) => one.class === 'breaking');
}

function keyOf({ address, rule }: Pick<Finding, 'address' | 'rule'>): string {
  return `${address} ${rule}`;
}

const unjudged: Readonly<Record<Change, { readonly class: Class; readonly message: string }>> = {
  refinement: { class: 'refinement', message: 'was open, and is stated' },
  withdrawn: { class: 'became open', message: 'was stated, and is open' },
  changed: { class: 'changed', message: 'unclassified: no rule knows what this comes to' },
};

/** A rule's judgements, and where none of them weighs, what the change is in itself. */
function judged(one: Difference, context: Context): Finding[] {
  const verdicts = rules
    .filter((rule) => rule.at.some((pattern) => matches(one.path, pattern)))
    .flatMap((rule) => rule.judge(one, context).map((judgement) => ({ rule, judgement })));
  const { superseded } = context;
  const isKept = (rule: Rule): boolean =>
    superseded !== undefined &&
    served.some((part) => part === one.path[0]) &&
    !superseded.broken.has(keyOf({ address: one.address, rule: rule.name }));
  const converted = isConverted(one.address, context);
  const weighs = ({ rule, judgement: { effect } }: (typeof verdicts)[number]): boolean =>
    (effect === 'stored data' && !converted) ||
    (effect === 'breaking' && one.change !== 'refinement' && !isKept(rule));
  const grave = verdicts
    .filter(weighs)
    .map(({ rule, judgement }) => finding(one, judgement.effect as Class, judgement.message, rule));
  if (grave.some((found) => found.class === 'breaking') || (grave.length > 0 && one.change === 'changed'))
    return grave;
  const plain = unjudged[one.change];
  const harmless = verdicts.find((verdict) => !weighs(verdict));
  if (harmless === undefined || one.change !== 'changed')
    return [...grave, finding(one, plain.class, told(one, plain.message), null)];
  const notes = [
    harmless.judgement.message,
    ...(superseded && isKept(harmless.rule) ? [keeper(one.address, superseded.name, context)] : []),
    ...(converted ? ['stored values are converted by its taken'] : []),
  ];
  return [...grave, finding(one, 'changed', notes.join('; '), harmless.rule)];
}

/** Who keeps what was stated, for the clients of the version that was the newest. */
function keeper(address: Address, version: string, context: Context): string {
  const differing = differsAt(address, version, context);
  return differing ? `${differing.address} keeps what older versions say` : `version ${version} is as it was`;
}

/** Whether an older version says how values are taken in from the form in which they are stored (language §9.3). */
function isConverted(address: Address, context: Context): boolean {
  const differing = context.superseded && differsAt(address, context.superseded.name, context);
  return differing !== undefined && get(differing.statement, 'taken') !== undefined;
}

/** A field that has another name, and keeps the old one for the clients of an older version. */
function renaming(
  before: Specification,
  after: Specification,
  from: Address,
  name: string,
  context: Context,
): Finding {
  const [part, ...path] = (steps(from) ?? []).map(String).slice(0, -1);
  const address = step(path.reduce<Address>(step, String(part)), name);
  const keeps = keeper(address, String(context.superseded?.name), context);
  return {
    class: 'changed',
    rule: differs.name,
    section: differs.section,
    address,
    also: [],
    message: `is called ${name} now; ${keeps}, and stored values stay with the field`,
    before: named(before, from),
    after: named(after, address),
  };
}

function named({ tree }: Specification, address: Address): Said {
  const path = steps(address) ?? [];
  const list = find(tree, path.slice(0, -1));
  const name = String(path.at(-1));
  const key = list?.kind === 'map' ? list.entries.get(name)?.key : undefined;
  return { state: 'stated', at: at(key ?? tree.span), value: JSON.stringify(name) };
}

function told({ path, change }: Difference, message: string): string {
  if (path.at(-1) !== '*') return message;
  return change === 'refinement' ? 'the list is complete now' : 'the list is complete no longer';
}

function finding(one: Difference, of: Class, message: string, rule: Rule | null): Finding {
  return {
    class: of,
    rule: rule?.name ?? null,
    section: rule?.section ?? 'F.4',
    address: one.address,
    also: one.also,
    message,
    before: said(one.was, one.before),
    after: said(one.is, one.after),
  };
}

function said({ state, at: where }: Stand, node: Node | undefined): Said {
  return { state, at: at(where), value: node ? short(node) : null };
}

const longest = 60;

function short(node: Node): string {
  const written = JSON.stringify(json(node));
  return written.length > longest ? `${written.slice(0, longest - 1)}…` : written;
}
