import type { Mapping } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Address, Part } from '../reading/address.ts';
import type { Completeness } from '../reading/completeness.ts';
import type { Point } from '../reading/reading.ts';
import type { Said } from '../reading/said.ts';
import type { Authentication } from '../vocabulary/parts/authentication.ts';
import type { Endpoints } from '../vocabulary/parts/endpoints.ts';
import type { Errors } from '../vocabulary/parts/errors.ts';
import type { Events } from '../vocabulary/parts/events.ts';
import type { Limits } from '../vocabulary/parts/limits.ts';
import type { Resource, Resources } from '../vocabulary/parts/resources.ts';
import type { Service } from '../vocabulary/parts/service.ts';
import type { States } from '../vocabulary/parts/states.ts';
import type { Versioning } from '../vocabulary/parts/versioning.ts';
import type { Operation } from './operation.ts';

/** What the nine parts say, each as written with its notation spelled out. */
export interface Statements {
  readonly service: Said<Service>;
  readonly resources: Said<Resources>;
  readonly states: Said<States>;
  readonly endpoints: Said<Endpoints>;
  readonly authentication: Said<Authentication>;
  readonly events: Said<Events>;
  readonly errors: Said<Errors>;
  readonly limits: Said<Limits>;
  readonly versioning: Said<Versioning>;
}

/** A specification that was read: what is stated, what is open, and what follows for each operation. */
export interface Specification extends Statements {
  readonly name: string;
  /** The document, or the folder of documents, by the name that was given for it. */
  readonly file: string;
  /** The statements as a tree, part by part, with the notation spelled out that moves them (language §E). */
  readonly tree: Mapping;
  /** Where each part begins, or would. */
  readonly places: ReadonlyMap<Part, Span>;
  readonly completeness: Completeness;
  /** The names of the functions that the operator gives (language §I); left out: none. */
  readonly handlers?: ReadonlySet<string>;
  /** The schemes of which the tester is given credentials from outside. */
  readonly credentials?: ReadonlySet<string>;
  /** Every point that was come across, in the order of the parts and the text. */
  readonly points: ReadonlyMap<Address, Point>;
  /** The resources by name; one that is named and not described is here too, with everything open. */
  readonly resourcesByName: ReadonlyMap<string, Resource>;
  readonly operations: readonly Operation[];
  /** The older versions from the first that differs on, by name; the newest is the specification itself. */
  readonly older: ReadonlyMap<string, Older>;
  /** Of an older version: what its fields are called, by their addresses, where that differs; null: it has no such field. */
  readonly was?: ReadonlyMap<Address, string | null>;
}

/** What an older version states (language §9.3). */
export interface Older {
  readonly specification: Specification;
  /** What its fields are called, by their addresses, where that differs; null: it has no such field. */
  readonly was: ReadonlyMap<Address, string | null>;
}
