/** What is known by one argument: objects are let go with whoever else has them, plain values are kept. */
interface Known<V> {
  objects: WeakMap<object, Known<V>> | undefined;
  values: Map<unknown, Known<V>> | undefined;
  found: V | typeof unknown;
}

const unknown = Symbol('unknown');

/**
 * A function whose value follows from its arguments alone, worked out once for each: objects are told apart by
 * identity. What it gives is shared, and for nobody to change.
 */
export function once<A extends readonly unknown[], V>(work: (...about: A) => V): (...about: A) => V {
  const all = nothing<V>();
  return (...about) => {
    let known = all;
    for (const one of about) known = further(known, one);
    if (known.found === unknown) known.found = work(...about);
    return known.found;
  };
}

/** Each has all its members from the start, so that engines read them alike. */
function nothing<V>(): Known<V> {
  return { objects: undefined, values: undefined, found: unknown };
}

function further<V>(known: Known<V>, one: unknown): Known<V> {
  if (typeof one === 'object' && one !== null) {
    known.objects ??= new WeakMap();
    return known.objects.get(one) ?? noted(known.objects, one);
  }
  known.values ??= new Map();
  return known.values.get(one) ?? noted(known.values, one);
}

function noted<K, V>(known: { set: (key: K, next: Known<V>) => unknown }, one: K): Known<V> {
  const next = nothing<V>();
  known.set(one, next);
  return next;
}
