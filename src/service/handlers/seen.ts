import { createHash, type Hash } from 'node:crypto';
import { parameter, place, query, rowOf } from '../../expression/query.ts';
import { stated } from '../../specification/reading/said.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import { statement } from '../store/rows.ts';
import type { Key, Reads, Row, Statement, Store } from '../store/store.ts';

/** What a handler was shown of what is kept: whether that is still so, a later transaction can tell. */
export type Seen = (reads: Reads) => boolean;

/** Shows a handler one item, or all of a resource, and notes what it saw. */
export interface Viewer {
  readonly read: (key: Key) => Promise<Members | null>;
  readonly list: () => AsyncIterable<Members>;
}

export function compileViewer(kept: KeptResource, store: Store): (note: (seen: Seen) => void) => Viewer {
  const { name } = kept.table;
  const row = rowOf(kept.table);
  const order = [{ by: place(row), descending: false }];
  const all: Statement = statement(query(row, { order }));
  const some: Statement = statement(query(row, { order, limit: parameter(0, 'number') }));
  const shown = (found: Row): Members => plainMembers(kept, found);
  return (note) => ({
    read: async (key) => {
      const found = await store.read((reads) => reads.find(name, key));
      note((reads) => reads.find(name, key)?.text === found?.text);
      return found && shown(found);
    },
    list: async function* () {
      const digest = createHash('sha256');
      let count = 0;
      let isWhole = false;
      try {
        for await (const piece of store.stream(all, []))
          for (const one of piece) {
            count += 1;
            take(digest, one);
            yield shown(one);
          }
        isWhole = true;
      } finally {
        const seen = digest.digest('base64');
        note((reads) => {
          const now = reads.rows(some, [isWhole ? count + 1 : count]);
          const again = createHash('sha256');
          for (const one of now) take(again, one);
          return now.length === count && again.digest('base64') === seen;
        });
      }
    },
  });
}

/** The members of an item as a handler sees them: no secret is among them. */
export function plainMembers(kept: KeptResource, row: Row): Members {
  const members = kept.members(row);
  for (const { name, secret } of kept.resource.fields.values())
    if (stated(secret) !== undefined) delete members[name];
  return members;
}

function take(digest: Hash, { key, text }: Row): void {
  digest.update(`${JSON.stringify(key)}${text}\n`);
}
