/** What is known of a value when the specification is read (language §G). */
export type Type =
  | { readonly kind: 'any' | 'null' | 'boolean' | 'integer' | 'number' | 'timestamp' | 'duration' | 'bytes' }
  /**
   * Text; where it is one of so many, these; `most`: of how many characters, where that is stated; `machine`: these
   * are its states.
   */
  | {
      readonly kind: 'text';
      readonly values?: readonly string[];
      readonly most?: number | undefined;
      readonly machine?: string;
    }
  /** `most`: of how many elements, where that is stated. */
  | { readonly kind: 'list'; readonly of: Type; readonly most?: number | undefined }
  | {
      readonly kind: 'object';
      readonly members: ReadonlyMap<string, Type>;
      readonly more: boolean;
      /** The members that may be null or absent, where that is stated. */
      readonly optional?: ReadonlySet<string>;
      /** Its names match in any case, as those of header fields do. */
      readonly caseless?: true;
      /** These are the parameters that a request has at this place. */
      readonly place?: 'query' | 'headers';
      /** Of the parameters of a request: what each is called with the operations that have it. */
      readonly namesOf?: (member: string) => readonly string[];
      /** It has the fields of this resource or shape. */
      readonly fieldsOf?: string;
    }
  /** An item of a resource; null where it is optional. `by`: the field that it is referred to by; else its identifier. */
  | { readonly kind: 'item'; readonly resource: string; readonly by?: string | null }
  /** All the items of a resource. */
  | { readonly kind: 'items'; readonly resource: string };

export const any: Type = { kind: 'any' };
export const bool: Type = { kind: 'boolean' };
export const integer: Type = { kind: 'integer' };
export const number: Type = { kind: 'number' };
export const textType: Type = { kind: 'text' };
export const timestamp: Type = { kind: 'timestamp' };
export const duration: Type = { kind: 'duration' };
export const bytes: Type = { kind: 'bytes' };
export const nullType: Type = { kind: 'null' };

/** Text that is one of these; of a machine, its states. */
export function oneOf(values: readonly string[], machine?: string): Type {
  return { kind: 'text', values, ...(machine !== undefined && { machine }) };
}

export function list(of: Type, most?: number): Type {
  return most === undefined ? { kind: 'list', of } : { kind: 'list', of, most };
}

export function textOf(most?: number): Type {
  return most === undefined ? textType : { kind: 'text', most };
}

export function object(
  members: Iterable<readonly [string, Type]>,
  more = false,
  optional: Iterable<string> = [],
): Type {
  return { kind: 'object', members: new Map(members), more, optional: new Set(optional) };
}

/** The same, known to have the fields of a resource or of a shape. */
export function withFieldsOf(name: string, type: Type): Type {
  return type.kind === 'object' ? { ...type, fieldsOf: name } : type;
}

/** The type for people: `a list of text`, `an item of Parcel`. */
export function described(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `a list of ${described(type.of)}`;
    case 'object':
      return 'an object';
    case 'item':
      return `an item of ${type.resource}`;
    case 'items':
      return `the items of ${type.resource}`;
    case 'any':
      return 'any value';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'an integer';
    case 'number':
      return 'a number';
    case 'timestamp':
      return 'a time';
    case 'duration':
      return 'a duration';
    default:
      return type.kind;
  }
}

/** Whether a value of one type may stand where another is wanted. Null may stand anywhere. */
export function fits(found: Type, wanted: Type): boolean {
  if (found.kind === 'any' || wanted.kind === 'any' || found.kind === 'null' || wanted.kind === 'null')
    return true;
  if (wanted.kind === 'number' && found.kind === 'integer') return true;
  if (wanted.kind === 'list' && found.kind === 'items')
    return fits({ kind: 'item', resource: found.resource }, wanted.of);
  if (found.kind !== wanted.kind) return false;
  if (found.kind === 'list' && wanted.kind === 'list') return fits(found.of, wanted.of);
  if ('resource' in found && 'resource' in wanted) return found.resource === wanted.resource;
  return true;
}

/** Whether two values may be equal. An item is compared with text or a number by its key (language §G.3). */
export function mayEqual(a: Type, b: Type): boolean {
  // Bytes are only compared with null.
  if (a.kind === 'bytes' && b.kind === 'bytes') return false;
  if (fits(a, b) || fits(b, a)) return true;
  const keys = ['text', 'integer', 'number'];
  return (a.kind === 'item' && keys.includes(b.kind)) || (b.kind === 'item' && keys.includes(a.kind));
}

/** The type of a value that is of one of two types. */
export function either(a: Type, b: Type): Type {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'text' && b.kind === 'text')
    return a.values && b.values ? oneOf([...new Set([...a.values, ...b.values])]) : textOf(longer(a, b));
  if (a.kind === 'list' && b.kind === 'list' && fits(a, b)) return list(either(a.of, b.of), longer(a, b));
  if (a.kind === 'object' && b.kind === 'object') return objectOf(a, b);
  if (a.kind === b.kind && fits(a, b)) return a;
  if ((a.kind === 'integer' && b.kind === 'number') || (a.kind === 'number' && b.kind === 'integer'))
    return number;
  return any;
}

/** Whether a value of the type is bytes, or holds some at any depth. */
export function holdsBytes(type: Type): boolean {
  if (type.kind === 'list') return holdsBytes(type.of);
  if (type.kind === 'object') return [...type.members.values()].some(holdsBytes);
  return type.kind === 'bytes';
}

type ObjectType = Type & { readonly kind: 'object' };

/** An object that has the members of one of two: what only one has may be read of it, and is null in the other. */
function objectOf(a: ObjectType, b: ObjectType): Type {
  const names = new Set([...a.members.keys(), ...b.members.keys()]);
  const of = (type: ObjectType, name: string): Type => type.members.get(name) ?? (type.more ? any : nullType);
  return object(
    [...names].map((name) => [name, either(of(a, name), of(b, name))] as const),
    a.more || b.more,
  );
}

/** How long a text or a list may be by its type; undefined: that is not stated. */
export function longest(type: Type): number | undefined {
  if (type.kind === 'list') return type.most;
  if (type.kind !== 'text') return undefined;
  return type.values ? Math.max(0, ...type.values.map((value) => value.length)) : type.most;
}

function longer(a: Type, b: Type): number | undefined {
  const [one, other] = [longest(a), longest(b)];
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}
