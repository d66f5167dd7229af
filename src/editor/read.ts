import { type Besides, finding, type Known, knownOf } from '../assist/known.ts';
import { differingExamples } from '../load/examples.ts';
import { notStated } from '../report/status.ts';
import { readLedger } from '../specification/openness/ledger.ts';
import type { Reader, Source } from '../specification/read.ts';

/** A document to be read, as its texts are in the editor. */
export interface Asked {
  /** The name to show for the whole. */
  readonly name: string;
  readonly sources: readonly Source[];
  /** What is assumed about it, if anything. */
  readonly ledger: Source | null;
}

/** Reads a document with its ledger; what is wrong with the ledger comes first. */
export function readAsked({ name, sources, ledger }: Asked): Known {
  const { assumptions, diagnostics } = ledger
    ? readLedger(ledger.file, ledger.content)
    : { assumptions: [], diagnostics: [] };
  const known = knownOf(name, sources, assumptions, besides);
  return {
    ...known,
    sources: ledger ? [...sources, ledger] : sources,
    findings: [...diagnostics.map(finding), ...known.findings],
  };
}

/** Every point that is not simply stated; and examples that the statements exclude, of a document without an error. */
function besides(reader: Reader): Besides {
  const isFaulty = reader.diagnostics.some(({ severity }) => severity === 'error');
  return {
    points: notStated(reader.specification),
    diagnostics: isFaulty ? [] : differingExamples(reader.specification),
  };
}
