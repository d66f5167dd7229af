import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Condition, type ConditionRow, conditions } from '../../specification/vocabulary/condition.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Coded, rowsOf as codesOf } from '../openapi/export/refusals.ts';
import type { Items } from '../schemas/items.ts';
import type { Schema } from '../schemas/schema.ts';
import { schemaOfValue } from '../schemas/values.ts';
import { type Line, line, openLine, standingOf, written } from '../wording/line.ts';
import { conditionText, refusalsOpen, statusText } from '../wording/refused.ts';
import { type MemberRow, rowsOf } from './member-rows.ts';

/** A row of part 7: a reason to refuse, and how it is answered. */
export interface ErrorEntry {
  /** What `error.code` says. */
  readonly code: string;
  readonly status: Line;
  /** The conditions that cause it, or what is asked about them. */
  readonly when: readonly Line[];
  /** When they hold, in plain sentences (language §H.4); none for an expression. */
  readonly holds: readonly string[];
  readonly message: Line | null;
}

export interface ErrorsEntry {
  readonly codes: readonly ErrorEntry[];
  /** The members of the body of a refusal. */
  readonly rows: readonly MemberRow[];
  readonly media: string | null;
  readonly open: readonly Line[];
}

export function errorEntry({ code, row }: Coded): ErrorEntry {
  const { as, status, when, message } = row;
  const other = stated(as);
  const text = stated(message);
  return {
    code: stated(row.code) ?? code,
    status: other
      ? line(`as ${conditionText(other)}`, standingOf(as))
      : line(statusText(row), standingOf(status)),
    when: stated(when)?.map((one) => line(conditionText(one), standingOf(when))) ?? [openLine(when, 'when')],
    holds: holdsOf(stated(when) ?? []),
    message:
      text !== undefined
        ? line(written(text), standingOf(message))
        : message.kind === 'open' && message.asked
          ? openLine(message, 'message')
          : null,
  };
}

function holdsOf(all: readonly Condition[]): readonly string[] {
  const sentences = all.flatMap(({ names, subject }) =>
    names.flatMap((name) => {
      if (name === 'expression') return [];
      const row: ConditionRow = conditions[name];
      return subject !== '' && name === 'not authorized' && row.other ? row.other.holds : row.holds;
    }),
  );
  return [...new Set(sentences)].map((sentence) => sentence.replaceAll('`', ''));
}

export function errorsEntry(of: Specification, items: Items): ErrorsEntry {
  const errors = stated(of.errors);
  const payload = errors && stated(errors.payload);
  const media = payload && stated(payload.media);
  const open = errors?.payload.kind === 'open' ? [openLine(errors.payload, 'what the body looks like')] : [];
  return {
    codes: codesOf(of).map(errorEntry),
    rows: payload ? rowsOf(payloadSchema(payload, items)) : [],
    media: media ? written(media) : null,
    open: [...refusalsOpen(of), ...open],
  };
}

function payloadSchema({ shape, body }: NonNullable<ReturnType<typeof payloadOf>>, items: Items): Schema {
  const [looks, content] = [stated(shape), stated(body)];
  if (looks) return schemaOf(looks);
  return content ? schemaOfValue(content.template, items.values).schema : true;
}

function payloadOf({ errors }: Specification) {
  return stated(stated(errors)?.payload);
}
