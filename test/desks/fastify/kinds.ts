/** What the desk is made of: items, who asks, and the table of what the document states. */

export type Item = Record<string, unknown>;

/** Who asks: an account, or the office. */
export interface Actor {
  readonly kind: 'account' | 'office';
  readonly id: string | null;
  readonly role: string | null;
}

/** What the functions of the table may read. */
export interface Scene {
  readonly actor: Actor | null;
  readonly now: string;
  readonly item?: Item;
  readonly body?: Item;
  readonly value?: unknown;
  /** Of a filter: what the query gives; of an answer: the page, the rate or the refusal. */
  readonly given?: unknown;
  readonly page?: { readonly items: readonly Item[]; readonly next: string | null };
  readonly rate?: { readonly remaining: number; readonly reset: number };
  readonly error?: Item;
  readonly event?: { readonly kind: string; readonly item: Item };
}

export type Fn = (scene: Scene) => unknown;
type Rule = (scene: Scene) => boolean;

export interface Field {
  type?: string | readonly string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  enum?: readonly string[];
  items?: Field;
  minItems?: number;
  uniqueItems?: boolean;
  /** The name of the shape that it has. */
  of?: string;
  readable?: boolean;
  writable?: boolean | 'once';
  unique?: true | 'caseless';
  secret?: 'hashed';
  set?: { create?: Fn };
  default?: unknown;
  derived?: Fn;
  /** Of a field of an older version. */
  was?: string;
  shown?: Fn;
  taken?: Fn;
}

export interface Shape {
  fields: Record<string, Field>;
  required?: readonly string[];
  others?: string;
  invariants?: Record<string, Rule>;
}

export interface Parameter extends Field {
  filter?: Rule;
  page?: string;
}

export interface Endpoint {
  operation: string;
  does?: { verb: string; resource: string; order?: readonly string[]; where?: Rule; with?: Fn };
  also?: readonly { with: (scene: Scene) => Item }[];
  request: {
    media?: string;
    /** The resource whose writable fields the body has, or a shape of its own. */
    body?: { of: string } | Shape;
    query?: Record<string, Parameter>;
    path?: { id?: string };
    others?: string;
  };
  response: {
    status: number;
    media?: string;
    headers?: Record<string, Fn>;
    body?: Fn | Record<string, Fn>;
  };
  conditional?: { etag?: string; ifMatch?: string; ifNoneMatch?: string };
  idempotency?: { header: string; required: boolean; life: string; per: string; remembers: string };
}

export interface Transition {
  from?: string | readonly string[];
  to: string;
  when?: Rule;
  set?: Record<string, Fn>;
  after?: string;
}

interface Scheme {
  in?: string;
  name?: string;
  credentials?: unknown;
  actor?: string;
  challenge?: string;
  wrong?: string;
}

export interface Row {
  status: number;
  title?: string;
  operations?: readonly string[];
  as?: string;
  /** An expression of its own, or the conditions that it is for, where they are several. */
  when?: Rule | readonly string[];
  media?: string;
  headers?: Record<string, Fn>;
}

export interface Differences {
  'resources.Parcel.fields.weight'?: Field;
  /** There: the version has no such endpoint. */
  'endpoints["POST /parcels/{id}/cancellation"]'?: null;
}

export interface Statements {
  protocol?: string;
  service: { actors: Record<string, boolean> };
  resources: Record<string, Shape>;
  states: { 'Parcel.status': { initial: string; transitions: Record<string, Transition> } };
  endpoints: Record<string, Endpoint>;
  authentication: {
    schemes: { key?: Scheme; desk?: Scheme };
    actors: Record<string, Rule>;
    authorization: Record<string, readonly Rule[]>;
  };
  events: {
    kinds: Record<string, { by: readonly string[]; body: Record<string, Fn> }>;
    envelope?: string;
    source?: Fn;
    subject?: Fn;
    delivery: {
      hooks?: {
        where?: Rule;
        sign?: string;
        secret?: Fn;
        retries?: readonly string[];
        timeout?: string;
      };
    };
  };
  errors: {
    payload: { media?: string; body: Record<string, Fn> };
    codes: Record<string, Row>;
    messages: Record<string, string>;
    order: readonly string[];
  };
  limits: {
    rates: {
      desk?: {
        allow: number;
        every: string;
        per: string;
        window: string;
        operations: readonly string[];
        headers?: Record<string, Fn>;
      };
    };
    sizes: { body?: number };
    times: { request?: string };
  };
  versioning: {
    place: { header: string };
    default: string;
    versions: Record<string, { deprecated?: string; sunset?: string; differs?: Record<string, unknown> }>;
  };
}
