import type { Result } from '../../src/conformance/result.ts';
import { testService } from '../../src/conformance/run.ts';
import { type Plan, plan } from '../../src/conformance/search/plan.ts';
import { once } from '../../src/source/once.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { steps } from '../../src/specification/reading/address.ts';
import type { Fault } from './faults/mutation.ts';
import { takesAMinute, takesLong } from './faults/unseen.ts';
import { credentials, type Kind, started } from './running.ts';

/** A violation that was told of: after so long, and after what hangs on no other work of the machine: processor time and requests. */
interface Violation {
  readonly cites: string;
  readonly says: string;
  readonly afterMs: number;
  /** Of this process, in which the desk on Fastify runs as well. */
  readonly afterCpuMs: number;
  readonly afterRequests: number;
}

/** What a search in memory finds for a document: the same for each fault. */
const planOf = once((of: Specification): Plan => plan(of, { budgetMs: 20_000 }));

/** How a fault fared. */
export interface Fared {
  readonly id: string;
  readonly desk: Kind;
  /** The first violation, since the desk without the fault has none. */
  readonly found: Violation | null;
  /** The first that cites what the fault is about. */
  readonly fits: Violation | null;
  readonly tookMs: number;
}

/** How many results are heard after the first violation, before one that cites what the fault is about is given up. */
const mostAfter = 400;

/**
 * Tests a desk with a fault up to the first violation that cites the statement at fault, or its end.
 *
 * @param enoughIs what the run goes no further than: any violation, or one that cites the statement at fault
 */
export async function judge(
  of: Specification,
  fault: Fault,
  kind: Kind,
  enoughIs: 'found' | 'fits' = 'fits',
): Promise<Fared> {
  const isLong = kind === 'fastify' && takesLong(fault);
  const needsMinute = kind === 'fastify' || takesAMinute(fault);
  const patience = isLong ? 'longest' : needsMinute ? 'usual' : undefined;
  const { desk, ...how } = await started(kind, { fault, ...(patience && { patience }) });
  const began = Date.now();
  const before = process.cpuUsage();
  const after = (): Pick<Violation, 'afterMs' | 'afterCpuMs' | 'afterRequests'> => {
    const { user, system } = process.cpuUsage(before);
    const afterCpuMs = Math.round((user + system) / 1000);
    return { afterMs: Date.now() - began, afterCpuMs, afterRequests: requests };
  };
  let found: Fared['found'] = null;
  let fits: Fared['fits'] = null;
  let resultsSince = 0;
  let requests = 0;
  const enough = new Error('enough is known');
  const hear = ({ verdict, says, statement }: Result): void => {
    if (found !== null && ++resultsSince > mostAfter) throw enough;
    if (verdict !== 'violates') return;
    const one = { cites: statement.address, says, ...after() };
    found ??= one;
    if (isAbout(fault.address, statement.address)) fits ??= one;
    if (fits !== null || enoughIs === 'found') throw enough;
  };
  try {
    await testService(of, {
      url: desk.url,
      seed: 1,
      credentials,
      plan: async () => planOf(of),
      ...how,
      onEvent: (event) => {
        if (event.kind === 'exchange') requests += 1;
        if (event.kind === 'result') hear(event.result);
      },
    });
  } catch (error) {
    if (error !== enough) {
      const says = `the run ended: ${(error as Error).message}`;
      found ??= { cites: '', says, ...after() };
    }
  } finally {
    await desk.close();
  }
  return { id: fault.id, desk: kind, found, fits, tookMs: Date.now() - began };
}

/** How many steps of an address name the entry that it is about: a field, a transition, an endpoint, a row. */
const named: Readonly<Record<string, number>> = {
  endpoints: 2,
  authentication: 3,
  events: 3,
  errors: 3,
  limits: 3,
  versioning: 2,
};

/** Whether a statement is the one at fault, lies in it or holds it, or is of the same entry. */
function isAbout(fault: string, cited: string): boolean {
  // A shape that is not kept is judged in the field that has it.
  if (fault.startsWith('resources.Address') && cited === 'resources.Parcel.fields.address') return true;
  const [a, b] = [steps(fault) ?? [], steps(cited) ?? []];
  const alike = a.findIndex((one, index) => one !== b[index]);
  const common = alike === -1 ? a.length : alike;
  return common >= Math.min(named[String(a[0])] ?? 4, a.length, b.length);
}
