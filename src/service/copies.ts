import type { ValueKind } from '../expression/query.ts';
import type { Specification } from '../specification/model/specification.ts';
import { openBackup, writeBackup } from './store/transfer/backup.ts';
import { checkOther, sourceAt, targetAt } from './store/transfer/places.ts';
import {
  type Copied,
  type Source,
  type StoredTable,
  TransferRefused,
  transfer,
} from './store/transfer/transfer.ts';
import { compileResources } from './versions/resources.ts';

/** Writes all that the service of a document stores at a place to a file, whether or not the service runs. */
export async function backUp(
  specification: Specification,
  place: string,
  file: string,
  at: string,
): Promise<readonly Copied[]> {
  const source = await sourceAt(place);
  return closing([source], () =>
    writeBackup(ofDocument(specification, source, place), file, specification.name, at),
  );
}

/** Copies a backup to a place that stores nothing. */
export async function restore(
  specification: Specification,
  file: string,
  place: string,
): Promise<readonly Copied[]> {
  const backup = await openBackup(file);
  return closing([backup], async () => {
    if (backup.document !== specification.name)
      throw new TransferRefused(
        'other-document',
        `${file} is of the document ${backup.document}, and this one is ${specification.name}; name the document that it was made with`,
      );
    return copy(ofDocument(specification, backup, file), place);
  });
}

/** Copies all that is stored at one place to another that stores nothing, and keeps services from writing to the first. */
export async function move(
  specification: Specification,
  from: string,
  to: string,
): Promise<readonly Copied[]> {
  checkOther(from, to);
  const source = await sourceAt(from, true);
  return closing([source], async () => {
    const copied = await copy(ofDocument(specification, source, from), to);
    await source.leave();
    return copied;
  });
}

async function copy(source: Source, place: string): Promise<readonly Copied[]> {
  const target = await targetAt(place, source.tables);
  return closing([target], () => transfer(source, target));
}

async function closing<T>(
  all: readonly { readonly close: () => Promise<void> }[],
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } finally {
    for (const one of all) await one.close();
  }
}

/** The same, whose keys are of the kinds that the document states. Refuses what the service of another document stored. */
function ofDocument(specification: Specification, source: Source, shown: string): Source {
  const known = new Map(compileResources(specification).kept.map(({ table }) => [table.name, table]));
  const resources = source.tables.filter(({ name }) => /^\p{Lu}/u.test(name));
  const isOther = ({ name, keyFields }: StoredTable): boolean => {
    const stated = known.get(name);
    return stated !== undefined && JSON.stringify(stated.keyFields) !== JSON.stringify(keyFields);
  };
  const other = resources.find(isOther);
  if (other)
    throw new TransferRefused(
      'other-document',
      `${shown} has ${other.name} under the identifier ${other.keyFields.join(', ')}, which the document does not state; name the document that stored it`,
    );
  if (known.size > 0 && resources.length > 0 && !resources.some(({ name }) => known.has(name)))
    throw new TransferRefused(
      'other-document',
      `${shown} has ${resources.map(({ name }) => name).join(', ')}, and no resource of the document; name the document that stored them`,
    );
  // Keys that may be of any kind are stored otherwise than those that happen to be of one.
  const kindOf = ({ name }: StoredTable, kind: ValueKind, index: number): ValueKind =>
    known.get(name)?.keyKinds?.[index] === 'unknown' ? 'unknown' : kind;
  const tables = source.tables.map((table) => ({
    ...table,
    keyKinds: table.keyKinds.map((kind, index) => kindOf(table, kind, index)),
  }));
  return { ...source, tables };
}
