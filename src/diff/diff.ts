import { json, type Node } from '../source/node.ts';
import { at } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Change, type Difference, differences, type Stand } from './difference.ts';
import { type Context, type Judgement, matches, type Rule } from './rule.ts';
import { rules } from './rules.ts';
import { spelledOut } from './spelling.ts';
import { usage } from './usage.ts';
import { keptBy } from './versions.ts';

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
  const context: Context = {
    before: spelledOut(before),
    after: spelledOut(after),
    was: usage(before),
    is: usage(after),
  };
  const found = differences(before, after);
  const findings = found
    .flatMap((one) => judged(one, context))
    .sort((a, b) => classes.indexOf(a.class) - classes.indexOf(b.class));
  const count = (of: Class): number => findings.filter((one) => one.class === of).length;
  return {
    before: before.file,
    after: after.file,
    refinement: found.every((one) => one.change === 'refinement'),
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
  const older = keptBy(one.address, context);
  const weigh = ({ effect }: Judgement): boolean =>
    effect === 'stored data' || (effect === 'breaking' && one.change !== 'refinement' && older === undefined);
  const grave = verdicts
    .filter(({ judgement }) => weigh(judgement))
    .map(({ rule, judgement }) => finding(one, judgement.effect as Class, judgement.message, rule));
  if (grave.some((found) => found.class === 'breaking') || (grave.length > 0 && one.change === 'changed'))
    return grave;
  const plain = unjudged[one.change];
  const harmless = verdicts.find(({ judgement }) => !weigh(judgement));
  if (harmless === undefined || one.change !== 'changed')
    return [...grave, finding(one, plain.class, told(one, plain.message), null)];
  const kept = older === undefined ? '' : `; ${older} keeps what older versions say`;
  return [...grave, finding(one, 'changed', `${harmless.judgement.message}${kept}`, harmless.rule)];
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
