import { isPostgres } from '../../../service/store/open.ts';
import { type Given, text, UsageError } from '../../command.ts';
import { movedBy } from '../moved-clock.ts';

/** More than any machine has cores for. */
const most = 256;

/** What else is known of the service that is asked for. */
interface Asked {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the document is a description in another format, whose items are kept as long as the process runs. */
  readonly isPassing: boolean;
}

/**
 * How many processes `--workers` asks for; default 1.
 *
 * @throws UsageError if that is no number, or does not go with another option
 */
export function workersOf(given: Given, { environment, isPassing }: Asked): number {
  const written = text(given, 'workers') ?? '1';
  const count = Number(written);
  if (!/^\d+$/.test(written) || count < 1 || count > most)
    throw new UsageError(`--workers ${written}: a whole number from 1 to ${most} is wanted`);
  if (count === 1) return 1;
  if (text(given, 'console') !== undefined)
    throw new UsageError(
      '--console shows the requests of one process, and --workers runs several; leave one of them out',
    );
  if (isPassing)
    throw new UsageError(
      '--workers needs --data FILE or --store URL: what a service of such a description keeps ends with its process',
    );
  if (isPostgres(text(given, 'store') ?? '') && text(given, 'limits') === 'process')
    throw new UsageError(
      '--limits process counts in each worker apart; leave it out, so that they count together',
    );
  if (environment[movedBy] !== undefined)
    throw new UsageError('--workers: tacet test moves the clock of one process; leave it out');
  return count;
}
