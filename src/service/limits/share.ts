import { compileTemplate, type Environment, type Run } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { worked } from '../../expression/values.ts';
import { counts } from '../../specification/model/counted.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Per, Share } from '../../specification/vocabulary/parts/limits.ts';
import { ownerOf } from '../access/owner.ts';
import type { FrameOf } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import { plainAddress } from '../value/addresses.ts';

/** What is to be known of a request to tell whose it is. */
export interface Asked {
  readonly incoming: Incoming;
  readonly frame: FrameOf;
}

/** Which requests are counted, and whose together, compiled. */
export interface CompiledShare {
  /** Requests of which it is the same are counted together; null: it is not counted. */
  readonly whose: (asked: Asked) => string | null;
  /** Whether that hangs on what is kept, or on `now`. */
  readonly readsKept: boolean;
}

/** Null where an operation's requests are not counted, as while it is open whose are (language §8.1). */
export function compileShare(
  share: Share & { readonly every?: Said<number> },
  operation: Operation,
  environment: Environment,
): CompiledShare | null {
  if (!counts(share, operation)) return null;
  const when = stated(share.when);
  const holds = when && compileTemplate(when.template, environment);
  const key = compilePer(share.per, environment);
  const per = stated(share.per);
  const read = [when, per?.kind === 'expression' ? per.expression : undefined];
  return {
    whose: (asked) => {
      if (holds && worked(() => holds(asked.frame({}))) !== true) return null;
      return key(asked);
    },
    readsKept: per?.kind === 'actor' || read.some((one) => one !== undefined && readsKept(one)),
  };
}

/** Whether a template reads what is known only once what is kept is looked at. */
export function readsKept({ template }: PlacedTemplate): boolean {
  const names = expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax).map(([first]) => first));
  return names.some((name) => name === 'now' || name === 'actor' || /^[A-Z]/.test(String(name)));
}

function compilePer(said: Said<Per>, environment: Environment): (asked: Asked) => string | null {
  const per = stated(said);
  switch (per?.kind) {
    case undefined:
      return () => '';
    case 'actor':
      return ({ frame }) => keyOf(frame({}).names['actor']);
    case 'address':
      return ({ incoming }) => addressOf(incoming);
    case 'expression': {
      const run: Run = compileTemplate(per.expression.template, environment);
      return ({ frame }) => keyOf(worked(() => run(frame({}))));
    }
  }
}

/** A value as a text that no other value has; null where there is none. */
function keyOf(value: unknown): string | null {
  return value === null || value === undefined ? null : ownerOf(value);
}

function addressOf({ from }: Incoming): string | null {
  return from.remoteAddress === undefined ? null : plainAddress(from.remoteAddress);
}
