import type { Environment, Frame } from '../../expression/compile.ts';
import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { floorStatus } from '../../specification/vocabulary/condition.ts';
import type { Errors } from '../../specification/vocabulary/parts/errors.ts';
import { compileRuns } from '../content/content.ts';
import type { FrameOf } from '../message/frame.ts';
import type { Failing, Refusal } from '../message/refusal.ts';
import type { Because, Reply, Unsent } from '../message/reply.ts';
import type { CompiledRow } from './row.ts';
import type { Fit } from './rows.ts';

/** The text for a failure; undefined: none is stated. */
export type Messages = (failure: Failing, frame: FrameOf) => (() => string) | undefined;

/** The answer to a refusal by its row, in which expressions read `error` (language §7.1). */
export function rowReply(
  { row, failures }: Fit,
  refusal: Refusal,
  operation: string | null,
  messages: Messages,
  frameOf: FrameOf,
): Reply {
  const status = row.status ?? floorStatus[refusal.condition];
  const shown = failures.map((failure) => ({ failure, message: messages(failure, frameOf) }));
  const error: Record<string, unknown> = {
    ...row.constants,
    status,
    ...(operation !== null && { operation }),
    failures: shown.map(({ failure: { field, keyword }, message }) =>
      whenRead({ field, keyword }, [['message', message]]),
    ),
  };
  const frame = frameOf({ ...refusal.names, error });
  whenRead(error, [
    ['message', row.message && (() => row.message?.(frame))],
    ['extra', row.extra && (() => extraOf(row.extra ?? [], frame))],
    ['fields', () => grouped(shown, error)],
  ]);
  const faults: Unsent[] = [];
  const content = row.content(frame, (unsent) => faults.push(unsent));
  return { status, ...content, because: because(refusal, row), ...(faults.length > 0 && { faults }) };
}

function extraOf(extra: NonNullable<CompiledRow['extra']>, frame: Frame): Record<string, unknown> {
  return whenRead(
    {},
    extra.map(([name, run]) => [name, () => run(frame)]),
  );
}

/**
 * Adds members that are evaluated when they are first read: one that cannot be evaluated holds up what reads it, and nothing
 * else. A member without a function is not there.
 */
function whenRead(
  object: Record<string, unknown>,
  members: readonly (readonly [string, (() => unknown) | null | undefined])[],
): Record<string, unknown> {
  for (const [name, evaluate] of members) {
    if (!evaluate) continue;
    const get = (): unknown => {
      const value = evaluate();
      Object.defineProperty(object, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
  }
  return object;
}

/** Why a request was refused: by the names of what is stated, and by nothing that the request brought. */
export function because({ condition, subjects, failures }: Refusal, row: CompiledRow | null): Because {
  const named = ({ subjects: [subject = ''], keyword }: Failing): string => {
    const [of = '', field = ''] = subject.split('.');
    return keyword === 'others' ? `${of}.others` : `${of}.${field}.${keyword}`;
  };
  const about = failures.length > 0 ? [...new Set(failures.map(named))] : subjects.slice(0, 1);
  return {
    statements: row === null ? [] : [step('errors.codes', row.code)],
    condition,
    about: about.filter((one) => one !== ''),
    ...(row && { code: String(row.constants['code']) }),
  };
}

/** Of a row with field and message, these; else failures by field, of which those without a message add none (§7.2). */
function grouped(
  shown: readonly { readonly failure: Failing; readonly message: (() => string) | undefined }[],
  error: Readonly<Record<string, unknown>>,
): Record<string, string[]> {
  const { field, message: whole } = error;
  if (typeof field === 'string' && typeof whole === 'string') return Object.fromEntries([[field, [whole]]]);
  const fields = new Map<string, string[]>();
  for (const { failure, message } of shown)
    if (message !== undefined) fields.set(failure.field, [...(fields.get(failure.field) ?? []), message()]);
  return Object.fromEntries(fields);
}

/** The text for a failure: by `R.field.keyword`, then `R.field`, then the keyword (language §7, `messages`). */
export function compileMessages(errors: Errors | undefined, environment: Environment): Messages {
  const compiled = new Map(compileRuns(errors && stated(errors.messages), environment));
  return (failure, frameOf) => {
    const [narrowest] = failure.subjects;
    const field = narrowest?.slice(0, narrowest.length - failure.keyword.length - 1);
    const run = compiled.get(narrowest ?? '') ?? compiled.get(field ?? '') ?? compiled.get(failure.keyword);
    if (run === undefined) return undefined;
    const frame = frameOf({ value: failure.value, error: { limit: failure.limit } });
    return () => String(run(frame));
  };
}
