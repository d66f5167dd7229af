import type { Specification } from '../specification/model/specification.ts';
import { compileIssuer, type Issuer } from './access/issuer.ts';
import { CredentialsRefused, compileOutside, type Outside } from './access/outside.ts';
import { secretsProblem } from './access/sealed-key.ts';
import { compileGone, type Gone } from './change/gone.ts';
import { type CompiledMachine, compileMachines } from './change/machines.ts';
import { environmentOf } from './content/render.ts';
import { type CompiledEvents, compileEvents } from './events/events.ts';
import { type Operators, operatorsProblem } from './events/operators.ts';
import { type IsOutside, outsideBut } from './events/outside.ts';
import { type Work, worksOf } from './handlers/work.ts';
import { type ServiceOptions, StartRefused } from './options.ts';
import { compileEditions, type Edition } from './versions/editions.ts';
import { compileResources } from './versions/resources.ts';

/** What a document comes to, before anything of what is kept is opened. */
export interface CompiledDocument {
  readonly specification: Specification;
  readonly newest: Edition;
  /** Older versions, by their names. */
  readonly older: ReadonlyMap<string, Edition>;
  /** The newest version, and each older one once. */
  readonly editions: readonly Edition[];
  readonly machines: ReadonlyMap<string, readonly CompiledMachine[]>;
  readonly works: readonly Work[];
  /** Null where no credentials are the service's own. */
  readonly issuer: Issuer | null;
  /** Null where there are no events. */
  readonly events: CompiledEvents | null;
  /** Null where no row tells of items that are gone. */
  readonly gone: Gone | null;
  readonly outside: Outside;
  /** What the operator says of deliveries. */
  readonly operators: Operators;
  /** Whether an address is none of the operator's own network. */
  readonly isOutside: IsOutside;
}

/** @throws StartRefused where what the operator says does not fit the document */
export function compileDocument(
  specification: Specification,
  options: ServiceOptions,
  fault: (error: unknown) => void,
): CompiledDocument {
  const newest = { ...compileResources(specification), specification };
  const { resources, writers, model } = newest;
  const older = compileEditions(specification);
  const environment = environmentOf(writers);
  const machines = compileMachines(specification, environment, options.after);
  const works = worksOf(specification, options.handlers ?? {});
  const issuer = compileIssuer(specification, resources, environment);
  const operators = {
    addresses: options.deliver ?? {},
    secrets: options.secrets ?? {},
    allowPrivate: options.allowPrivate ?? [],
  };
  const refused = operatorsProblem(specification, operators) ?? secretsProblem(options.storeSecrets ?? []);
  if (refused !== null) throw new StartRefused(refused);
  const isOutside = outsideBut(operators.allowPrivate);
  return {
    specification,
    newest,
    older,
    editions: [newest, ...new Set(older.values())],
    machines,
    works,
    issuer,
    events: compileEvents(specification, { writers, model, resources, isOutside, fault }, older),
    gone: compileGone(specification),
    outside: outsideOf(specification, options),
    operators,
    isOutside,
  };
}

/** How credentials are checked that the operator gives, or somebody else issues. */
function outsideOf(
  specification: Specification,
  { credentials = {}, milliseconds = Date.now }: ServiceOptions,
): Outside {
  try {
    return compileOutside(specification, credentials, milliseconds);
  } catch (error) {
    throw error instanceof CredentialsRefused ? new StartRefused(error.message) : error;
  }
}
