import { compileTemplate, type Run } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { fieldValues } from '../../specification/vocabulary/answer-field.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Errors, Row } from '../../specification/vocabulary/parts/errors.ts';
import { followsIn } from '../content/bringing.ts';
import { type Content, compileContent, compileRuns } from '../content/content.ts';
import { environmentOf, type Writers } from '../content/render.ts';

/** A condition that a row states itself: an expression. */
export interface Own {
  readonly run: Run;
  /** The names that it reads: what an item at hand, or one that the path binds, has to be there for; null: any. */
  readonly reads: ReadonlySet<string> | null;
  /** Whether it follows a reference of the body. */
  readonly follows: boolean;
}

/** A row of part 7, compiled (language §7.1). */
export interface CompiledRow {
  readonly code: string;
  /** Whether it names the operation. */
  readonly named: boolean;
  readonly conditions: readonly { readonly name: ConditionName; readonly subject: string }[];
  readonly own: Own | null;
  /** The condition as which it is answered. */
  readonly as: { readonly name: ConditionName; readonly subject: string } | null;
  readonly status: number | undefined;
  readonly content: Content;
  readonly message: Run | null;
  /** What `error` holds whatever the refusal: its code, and its field. */
  readonly constants: Readonly<Record<string, unknown>>;
  readonly extra: readonly (readonly [string, Run])[] | null;
}

/** @param named whether it names the operation */
export function compileRow(
  code: string,
  row: Row,
  errors: Errors,
  named: boolean,
  writers: Writers,
): CompiledRow {
  const payload = stated(errors.payload);
  const conditions = stated(row.when) ?? [];
  const [own] = conditions.flatMap((one) => (one.expression ? [one.expression] : []));
  const headers = inherit(row.headers, payload?.headers);
  const single = {
    media: inherit(row.media, payload?.media),
    under: inherit(row.under, payload?.under),
    body: inherit(row.body, payload?.body),
  };
  const extra = stated(row.extra);
  const as = stated(row.as);
  const field = stated(row.field);
  return {
    code,
    named,
    conditions: conditions.flatMap((one) => one.names.map((name) => ({ name, subject: one.subject }))),
    own: own ? compileOwn(own, writers) : null,
    as: as ? { name: as.names[0] as ConditionName, subject: as.subject } : null,
    // Of several the first (language §F.1).
    status: stated(row.status)?.[0],
    content: compileContent(fieldValues(headers), stated(row.content) ?? [single], writers),
    message: compileMessage(row.message, conditions[0]?.names[0] ?? code, writers),
    constants: { code: stated(row.code) ?? code, ...(field !== undefined && { field }) },
    extra: extra ? compileRuns(extra, environmentOf(writers)) : null,
  };
}

function compileOwn({ template }: PlacedTemplate, writers: Writers): Own {
  const paths = expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax));
  return {
    run: compileTemplate(template, environmentOf(writers)),
    follows: followsIn(template, writers),
    reads: template.kind === 'handled' ? null : new Set(paths.map(([first]) => first as string)),
  };
}

/** Where any text will do, the condition's own name is the message (language §F.1). */
function compileMessage(said: Row['message'], condition: string, writers: Writers): Run | null {
  if (said.kind === 'any') return () => condition;
  return said.kind === 'stated' ? compileTemplate(said.value.template, environmentOf(writers)) : null;
}

/** A row without a body, media or headers has those of `errors.payload` (language §E.16). */
function inherit<T>(own: Said<T>, shared: Said<T> | undefined): Said<T> {
  return own.kind === 'open' && shared ? shared : own;
}
