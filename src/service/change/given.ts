import type { Environment, Frame } from '../../expression/compile.ts';
import { callsMade, path, pathsRead } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import { ownMember, setMember } from '../../source/node.ts';
import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import { compileMade, compileMadeMember } from '../content/made.ts';
import type { RequestView } from '../message/frame.ts';
import type { AtHand, Brought, KeptResource, Members } from '../resource/kept.ts';
import type { Key } from '../store/rows.ts';

/** What a request's body brings to an item that has these members. */
export type Bring = (request: RequestView, before: Members) => Brought;

/** What a change sets, the later part of `with` going before the earlier (language §H.2). */
export type Giving = (frame: Frame, before: Members, of: KeptResource) => Brought;

export interface CompiledGiving {
  readonly give: Giving;
  /** Whether the request's body is taken whole. */
  readonly takesBody: boolean;
}

export function compileGiving(change: Change, bring: Bring, environment: Environment): CompiledGiving {
  const { address } = change.qualifiers.with;
  const parts = (stated(change.qualifiers.with) ?? []).map((one, index) =>
    isBody(one) ? null : compilePart(one.template, step(address, index), environment),
  );
  const made = [...madeIn(stated(change.qualifiers.with) ?? [])];
  const give: Giving = (frame, before, of) => {
    let brought: Brought = { given: {} };
    const set: Members = {};
    const own: AtHand = {
      member: (name) => ownMember(Object.hasOwn(set, name) ? set : before, name),
      key: of.keyFields.map((name) => ownMember(before, name)) as unknown as Key,
    };
    for (const run of parts) {
      if (run === null) {
        brought = bring(frame.names['request'] as RequestView, before);
        for (const name of [...Object.keys(brought.given), ...(brought.gone ?? [])]) delete set[name];
        continue;
      }
      const members = run(frame, of, own);
      if (typeof members !== 'object' || members === null) continue;
      for (const [name, value] of Object.entries(members))
        if (value !== undefined) setMember(set, name, value);
    }
    return made.length === 0 ? { ...brought, set } : { ...brought, set, made };
  };
  return { give, takesBody: parts.includes(null) };
}

/** The members that are made up whatever the request: those by `random()` or `uuid()` in the last part that sets them. */
function madeIn(parts: readonly PlacedTemplate[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { template } of parts) {
    // What a part brings that is no map is not known beforehand.
    if (template.kind !== 'object') found.clear();
    for (const [name, one] of template.kind === 'object' ? template.members : []) {
      const syntaxes = expressionsIn(one).map(({ syntax }) => syntax);
      const isMade = syntaxes.flatMap(callsMade).some((call) => call === 'random' || call === 'uuid');
      const isAsked = syntaxes.flatMap(pathsRead).some(([root]) => root === 'request');
      if (isMade && !isAsked) found.add(name);
      else found.delete(name);
    }
  }
  return found;
}

/** Works out what a part of `with` sets for the item at hand. */
type Part = (frame: Frame, of: KeptResource, own: AtHand) => unknown;

function compilePart(template: Template, address: string, environment: Environment): Part {
  if (template.kind !== 'object') return compileMade(template, address, environment);
  // Each member by itself, since `unique()` has to know of which field it makes the value.
  const members = [...template.members].map(
    ([name, one]) => [name, compileMadeMember(one, step(address, name), environment)] as const,
  );
  return (frame, of, { member, key }) => {
    const set: Members = {};
    const own: AtHand = {
      member: (name) => (Object.hasOwn(set, name) ? set[name] : member(name)),
      key,
    };
    for (const [name, run] of members) setMember(set, name, run(of.uniquely(frame, name, own)));
    return set;
  };
}

/** Whether it is `"${request.body}"`, taken whole. */
function isBody({ template }: PlacedTemplate): boolean {
  if (template.kind !== 'expression') return false;
  return path(template.expression.syntax)?.join('.') === 'request.body';
}
