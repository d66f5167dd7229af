import { drop, type Entry, get, type Mapping, mapping, type Node, scalar } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { type Address, canonical, step, steps } from '../reading/address.ts';
import { type Form, markerForm, point, section, typeNameForm } from '../reading/form.ts';
import {
  asMap,
  entry,
  type Formed,
  formed,
  type Place,
  type Reading,
  say,
  text,
} from '../reading/reading.ts';
import type { Said } from '../reading/said.ts';
import { fieldKeysForm } from './resource/field.ts';

/** What an older version says at an address, instead of what the newer says there (language §9.3). */
export interface Difference {
  readonly address: Address;
  readonly path: readonly (string | number)[];
  /** Where the address stands. */
  readonly at: Span;
  /** Laid over the newer statement key by key; `(none)`: what stands there is not there. */
  readonly statement: Node;
  /** Of a field: its name then; none: the version had no such field. */
  readonly was: Said<string>;
}

/** Parts of which there is one, however many versions there are. */
const shared = ['service', 'states', 'events', 'versioning'];

/** Of events their content alone is another. */
function isPayload([part, list, , word, ...deeper]: readonly (string | number)[]): boolean {
  return part === 'events' && list === 'kinds' && word === 'body' && deeper.length === 0;
}

/** Notation, which is spelled out before anything has an address (language §E.15, §E.17). */
function isNotation([part, word]: readonly (string | number)[]): boolean {
  if (part === 'limits') return word === 'defaults';
  return part === 'endpoints' && /^(?:others|cors|matching|every .*)$/.test(String(word));
}

/** What a field of an older version may state besides (language §9.3). */
const olderKeys = {
  was: entry(
    text,
    section('9.3', 'versioning.differs')(
      'The name in that version. `(none)`: there was none, and `taken` is the value of a new item.',
      {
        must: 'read and show it by that name',
        see: 'the same item through every version',
        open: 'the same name',
      },
    ),
  ),
};

const olderField: Form = point('olderField', () => ({
  kind: 'any of',
  forms: [{ kind: 'record', title: 'field', keys: olderKeys, also: () => [fieldKeysForm] }, typeNameForm],
}));

const differsForm: Form = {
  kind: 'own',
  says: 'a map by address',
  within: () => [olderField],
  schema: (of) => ({
    type: 'object',
    patternProperties: {
      '^resources[.\\[].*\\bfields(?:\\.[\\w$-]+|\\["(?:[^"\\\\]|\\\\.)*"\\])$': {
        title: 'field',
        anyOf: [of(olderField), of(markerForm)],
      },
    },
  }),
};

/** Reads the differences of a version, by their addresses as they are written. */
export const differences: Formed<ReadonlyMap<string, Difference>> = formed(
  differsForm,
  (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    const found = new Map<string, Difference>();
    const seen = new Map<Address, Span>();
    for (const [written, { key, value: statement }] of map.entries) {
      const path = pathOf(written, key, reading);
      if (path === undefined) continue;
      const address = canonical(written) as Address;
      const twin = seen.get(address);
      if (twin) reading.report('key-twice', key, { key: address }, { related: [twin] });
      seen.set(address, key);
      const where = { address: step(place.address, written), at: key };
      found.set(written, difference(address, path, statement, where, reading));
    }
    reading.restOf(place.address, place.at);
    return found;
  },
);

function pathOf(written: string, at: Span, reading: Reading): (string | number)[] | undefined {
  const path = steps(written);
  if (path === undefined || written.endsWith('.*'))
    return reading.report('bad-address', at, { address: written });
  const isShared = shared.includes(String(path[0])) && !isPayload(path);
  if (!isShared && !isNotation(path)) return path;
  const why = isShared ? 'all versions have one' : 'it is notation';
  return reading.report('bad-difference', at, { address: written, why });
}

function difference(
  address: Address,
  path: readonly (string | number)[],
  statement: Node,
  where: Place,
  reading: Reading,
): Difference {
  const isField = path[0] === 'resources' && path.at(-2) === 'fields';
  const was = say(isField ? get(statement, 'was') : undefined, olderKeys.was, inner(where, 'was'), reading);
  const bare = isField && statement.kind === 'map' ? drop(statement, 'was') : statement;
  const isNew = was.kind === 'none' && bare.kind === 'map';
  return { address, path, at: where.at, statement: isNew ? unheardOf(bare) : bare, was };
}

/** Of a field that a version does not have nobody is told and nobody gives it: `taken` is what it is on creation. */
function unheardOf(field: Mapping): Mapping {
  const no = (key: Span): Entry => ({ key, value: scalar(false, key) });
  const taken = field.entries.get('taken');
  return {
    ...field,
    entries: new Map([
      ...drop(field, 'taken').entries,
      ['readable', no(field.span)],
      ['writable', no(field.span)],
      ...(taken
        ? [['set', { key: taken.key, value: mapping([['create', taken]], taken.key) }] as const]
        : []),
    ]),
  };
}

function inner({ address, at }: Place, name: string): Place {
  return { address: step(address, name), at };
}
