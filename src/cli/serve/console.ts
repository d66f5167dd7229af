import type { Service, ServiceOptions } from '../../service/service.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Reader } from '../../specification/read.ts';
import { documentOf, type Given, type Terminal, text, UsageError } from '../command.ts';

/** A console beside a service that does not follow its document. */
export interface ConsoleBeside {
  /** The address to open, with its token. */
  readonly address: string;
  readonly hears: Required<Pick<ServiceOptions, 'onAnswered'>>;
  /** To be called once the service has started. */
  readonly serves: (service: Service) => void;
  readonly close: () => Promise<void>;
}

interface About {
  readonly given: Given;
  readonly reader: Reader;
  readonly specification: Specification;
  readonly options: ServiceOptions & { readonly data: string };
  readonly terminal: Terminal;
  readonly onFault: ServiceOptions['onFault'];
}

/**
 * Opens the console of `--console`, for this machine alone. Nothing is edited or tested there, and its clock is not moved:
 * that is for `tacet dev`.
 *
 * @throws UsageError if the address is none of this machine's, or is in use
 */
export async function consoleAt(
  place: string,
  { given, reader, specification, options, terminal, onFault }: About,
): Promise<ConsoleBeside> {
  const port = portOf(place);
  const [document, ledger] = [documentOf(given), text(given, 'assume')];
  let service: Service | null = null;
  // Loaded only where it is asked for.
  const { openConsole } = await import('../../console/console.ts');
  const { data, credentials = {} } = options;
  const opened = await openConsole(
    {
      ...{ document, ledger },
      isFixed: true,
      read: () => ({ ...reader, specification }),
      running: () => service && { specification, address: service.address, data, credentials },
      tester: null,
      clock: null,
      follow: async () => {},
    },
    {
      port,
      ...(terminal.now && { now: terminal.now }),
      onUsed: (address) => terminal.error(`console    ${address}\n`),
      onFault: (fault) => onFault?.(fault),
    },
  );
  return {
    address: opened.address,
    hears: { onAnswered: (answered) => opened.note(answered) },
    serves: (started) => {
      service = started;
      opened.changed();
    },
    close: () => opened.close(),
  };
}

/** The port of `HOST:PORT`, or of `PORT`. The console is for this machine alone. */
function portOf(place: string): number {
  const [, host = '127.0.0.1', port = ''] = /^(?:([^:]+):)?(\d{1,5})$/.exec(place) ?? [];
  if (port === '' || Number(port) > 65535)
    throw new UsageError(`--console ${place}: 127.0.0.1:PORT is wanted, or PORT`);
  if (host !== '127.0.0.1' && host !== 'localhost')
    throw new UsageError(
      `--console ${place}: the console is for this machine alone; listen on 127.0.0.1:${port}, and reach it from elsewhere by "ssh -L ${port}:127.0.0.1:${port}"`,
    );
  return Number(port);
}
