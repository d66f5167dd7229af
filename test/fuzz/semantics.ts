import './cheap-secrets.ts';

import { serve } from '../../src/service/service.ts';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { type Finding, given, playedAt, type Tally, worldOf } from '../semantics/playing.ts';
import type { Document } from '../service/document.ts';
import { operatorsOf } from './play.ts';

/** What came of a document whose service was asked by the semantics. */
export interface Judged {
  readonly isAccepted: boolean;
  readonly finding: Finding | null;
}

/**
 * Serves a document that `check` accepts, and judges what the service answers to generated requests: first nobody else makes
 * items, then somebody else did.
 *
 * @param data where items are kept: a file that is not there yet
 */
export async function judgedBySemantics(
  document: Document,
  seed: number,
  data: string,
  length: number,
  counts: Tally,
): Promise<Judged> {
  const text = JSON.stringify(document, null, 2);
  const { specification, diagnostics } = read('generated.json', text);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { isAccepted: false, finding: null };
  const service = await serve(specification, {
    data,
    wake: () => () => {},
    ...operatorsOf(specification),
    credentials: given(worldOf(text, false)),
    onFault: () => {},
    onHeldUp: () => {},
    resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  });
  // Who else was counted for a rate, the semantics do not know.
  const hasRates = stated(stated(specification.limits)?.rates) !== undefined;
  const asked = (isShared: boolean): Promise<Finding | null> => {
    return playedAt(
      service.address,
      worldOf(text, isShared),
      seed + (isShared ? 1_000_000 : 0),
      length,
      counts,
    );
  };
  try {
    if (specification.operations.length === 0) return { isAccepted: true, finding: null };
    const finding = (await asked(false)) ?? (hasRates ? null : await asked(true));
    // Where a point is open, our service answers 501, and others need not.
    return { isAccepted: true, finding: finding?.answer.status === 501 ? null : finding };
  } finally {
    await service.close();
  }
}
