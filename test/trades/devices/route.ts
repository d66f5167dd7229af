import type { IncomingHttpHeaders } from 'node:http';
import type { Account, Device } from './registry.ts';
import type { Body } from './request.ts';

/** A request whose sender is known. */
export interface Call {
  readonly actor: Account;
  readonly params: Readonly<Partial<Record<string, string>>>;
  readonly search: string;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** Whether the content of the request is read. */
  readonly hasBody?: boolean;
  readonly handle: (call: Call) => Answer;
}

/** What a device sends. */
export interface Report extends Omit<Call, 'actor'> {
  readonly device: Device;
}

/** Routes by method and path. */
export type Routes = Readonly<Record<string, Route>>;
