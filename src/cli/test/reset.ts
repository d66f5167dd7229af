import { type Given, text } from '../command.ts';
import { UsageError } from '../usage.ts';
import { addressOf } from './address.ts';

/** How long it may take, in milliseconds. */
const patienceMs = 60_000;

/**
 * Has the implementation begin anew, where `--reset URL` says how: a POST without content to that address, answered with a
 * 2xx. It is no part of what is tested.
 *
 * @throws UsageError where there is no such answer
 */
export async function reset(given: Given, ended: AbortSignal): Promise<void> {
  const url = addressOf(given, 'reset');
  if (url === undefined) return;
  if (text(given, 'url') === undefined)
    throw new UsageError(
      '--reset is for an implementation that --url names: a service of our own begins anew',
    );
  const signal = AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', signal }).catch((error: Error) => {
    throw new UsageError(`nothing answers at ${url}, the address of --reset: ${reasonOf(error)}`);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new UsageError(`POST ${url}, the address of --reset, was answered ${answer.status}`);
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
