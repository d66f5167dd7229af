import type { Reply } from '../message/reply.ts';
import type { CompiledRun } from '../run/run.ts';
import type { Transaction } from '../store/store.ts';
import { type Doing, naming } from '../transaction/doing.ts';
import type { Found } from '../transaction/found.ts';
import type { Acted } from './act.ts';
import { begin, changesNothing } from './begin.ts';
import { commit } from './carry-out.ts';
import type { Compiled } from './compiled.ts';
import type { Request } from './request.ts';

/**
 * Answers a request by those that it sends to another operation (language §H.2, `run`). It is not judged again after
 * them: what they did stays. Null: the fate of one is unknown.
 */
export async function byRequests(
  compiled: Compiled,
  { prepare }: CompiledRun,
  request: Request,
): Promise<Reply | null> {
  const { around, act } = compiled;
  const begun = await around.store.read((reads) => {
    const found = begin(compiled, request, reads as Transaction, { act: changesNothing });
    if ('reply' in found) return found;
    const { who, doing } = found.within;
    return { who, requests: prepare(naming(doing, found.within.found().bound).frame) };
  });
  if ('reply' in begun) return begun.reply;
  const results = await begun.requests(request.incoming);
  if (results === null) return null;
  const acted = (doing: Doing, found: Found): Acted => {
    const { outcome, names } = act.run(doing, found);
    return { outcome, names: { ...names, results } };
  };
  return commit(compiled, request, { act: acted, judges: [], who: begun.who });
}
