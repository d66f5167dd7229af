import type { Span } from '../../source/text.ts';

/** Why a description cannot be read: a code that is stable, and what to do. */
export const remedies = {
  'description-syntax': 'correct the YAML or JSON there',
  'description-version': 'convert the description to a version that is read',
  'description-form': 'write it as the specification of the format has it',
  'description-reference':
    'correct the $ref, or save what it is meant to lead to in the folder of the description',
  'description-cycle': 'let one of these references lead to a value',
  'description-size':
    'leave out what no operation or message needs, or take it apart into several descriptions',
} as const;

export type UnreadableCode = keyof typeof remedies;

/** A description that cannot be read: why, where, and its code. */
export class Unreadable extends Error {
  readonly code: UnreadableCode;
  readonly at: Span;

  constructor(code: UnreadableCode, message: string, at: Span) {
    super(message);
    this.code = code;
    this.at = at;
  }
}
