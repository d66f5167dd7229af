import { compileTemplate, type Environment, type Frame } from '../../expression/compile.ts';
import { path } from '../../expression/expression.ts';
import { setMember } from '../../source/node.ts';
import type { Change } from '../../specification/change.ts';
import { stated } from '../../specification/said.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';
import type { RequestView } from '../frame.ts';
import type { Brought, Members } from '../resource/kept.ts';

/** What a request's body brings to an item that has these members. */
export type Bring = (request: RequestView, before: Members) => Brought;

/** What a change sets, the later part of `with` going before the earlier (language §H.2). */
export type Giving = (frame: Frame, before: Members) => Brought;

export interface CompiledGiving {
  readonly give: Giving;
  /** Whether the request's body is taken whole. */
  readonly takesBody: boolean;
}

export function compileGiving(change: Change, bring: Bring, environment: Environment): CompiledGiving {
  const parts = (stated(change.qualifiers.with) ?? []).map((one) =>
    isBody(one) ? null : compileTemplate(one.template, environment),
  );
  const give: Giving = (frame, before) => {
    let brought: Brought = { given: {} };
    const set: Members = {};
    for (const run of parts) {
      if (run === null) {
        brought = bring(frame.names['request'] as RequestView, before);
        for (const name of [...Object.keys(brought.given), ...(brought.gone ?? [])]) delete set[name];
        continue;
      }
      const members = run(frame);
      if (typeof members !== 'object' || members === null) continue;
      for (const [name, value] of Object.entries(members))
        if (value !== undefined) setMember(set, name, value);
    }
    return { ...brought, set };
  };
  return { give, takesBody: parts.includes(null) };
}

/** Whether it is `"${request.body}"`, taken whole. */
function isBody({ template }: PlacedTemplate): boolean {
  if (template.kind !== 'expression') return false;
  return path(template.expression.syntax)?.join('.') === 'request.body';
}
