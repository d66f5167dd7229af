import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spelledOut } from '../../../src/diff/spelling.ts';
import { json } from '../../../src/source/node.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { read } from '../../../src/specification/read.ts';
import { type Fault, mutated } from './mutation.ts';
import { operators } from './operators.ts';

const document = fileURLToPath(new URL('../parcel-desk.md', import.meta.url));
const listed = new URL('faults.json', import.meta.url);

function parcelDeskDocument(): string {
  return readFileSync(document, 'utf8');
}

/** The parcel desk, as its document states it. */
export function parcelDesk(): Specification {
  return read('parcel-desk.md', parcelDeskDocument(), []).specification;
}

/** The same without the question that is still open there, so that nothing hangs on it. */
export function completeDesk(): Specification {
  return read('parcel-desk.md', parcelDeskDocument().replace(/^open:\n( {2}.*\n)+/m, ''), []).specification;
}

/** Every mutation operator at every statement of the parcel desk that it can apply to. */
export function faultsOf(of: Specification): Fault[] {
  return mutated(json(spelledOut(of)), operators);
}

/** The faults that were listed. */
export function listedFaults(): readonly Fault[] {
  return JSON.parse(readFileSync(listed, 'utf8')) as readonly Fault[];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = faultsOf(parcelDesk()).map((fault) => `  ${JSON.stringify(fault)}`);
  writeFileSync(listed, `[\n${lines.join(',\n')}\n]\n`);
}
