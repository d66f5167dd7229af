import { describe, expect, it } from 'vitest';
import { type Diff, diff } from '../../src/diff/diff.ts';
import { document, specification } from '../specification/documents.ts';

const told = ({ findings }: Diff): string[] =>
  findings.map(({ class: of, address, message }) => `${of}: ${address}: ${message}`);

const breaking = (found: Diff): string[] => told(found).filter((one) => one.startsWith('breaking'));

interface Written {
  /** The name of the field and what is stated of it. */
  readonly field: readonly [name: string, statement: string];
  readonly default?: string;
  /** The versions with what differs in each; null: there is no part 9. */
  readonly versions: string | null;
}

function parcels({ field: [name, statement], default: by = '1', versions }: Written): string {
  return document({
    head: 'tacet: 1\ncomplete: true',
    resources: `Parcel:
  identifier: id
  fields: { id: { type: string, set: { create: "\${uuid()}" } }, ${name}: ${statement} }
  required: [${name}]
  invariants: { it weighs something: "\${this.${name} > 0}" }`,
    endpoints: `GET /parcels/{id}: { does: read Parcel, response: { status: 200, body: { id: "\${this.id}", ${name}: "\${this.${name}}" } } }
POST /parcels: { does: create Parcel, request: { body: Parcel }, response: 201 }`,
    ...(versions !== null && {
      versioning: `scheme: number\nplace: { header: V }\ndefault: "${by}"\nversions: ${versions}`,
    }),
  });
}

function compare(before: Written, after: Written): Diff {
  return diff(specification(parcels(before)), specification(parcels(after)));
}

const weight = 'resources.Parcel.fields.weight';
const read = 'endpoints["GET /parcels/{id}"].response.body';
const one: Written = { field: ['kilos', '{ type: number }'], versions: '{ "1": {} }' };
const shown = `'${read}': { id: "\${this.id}", kilos: "\${this.weight}" }`;

function two(differs: string, written: Partial<Written> = {}): Written {
  return {
    field: ['weight', '{ type: number }'],
    versions: `{ "2": {}, "1": { differs: { ${differs} } } }`,
    ...written,
  };
}

describe('a field with another name (language §9.3, `was`)', () => {
  const renaming = two(`${weight}: { was: kilos }, ${shown}`);

  it('breaks nobody and loses nothing where the older version keeps the name', () => {
    expect(told(compare(one, renaming))).toEqual([
      `changed: ${read}.kilos: the member is sent no longer; versioning.versions.1.differs["endpoints[\\"GET /parcels/{id}\\"].response.body"] keeps what older versions say`,
      `changed: ${read}.weight: one more member; versioning.versions.1.differs["endpoints[\\"GET /parcels/{id}\\"].response.body"] keeps what older versions say`,
      'changed: versioning.versions.1.differs: what clients of version 1 see is compared apart: what breaks them is listed',
      'changed: versioning.versions.2: one more version',
      `changed: ${weight}: is called weight now; versioning.versions.1.differs["${weight}"] keeps what older versions say, and stored values stay with the field`,
    ]);
    expect(compare(one, renaming).refinement).toBe(false);
  });

  it('breaks nobody where there was one version without a name, and it is the default now', () => {
    expect(breaking(compare({ ...one, versions: null }, renaming))).toEqual([]);
  });

  it('breaks clients that name no version where the newer is the default now', () => {
    const found = breaking(compare({ ...one, versions: null }, { ...renaming, default: '2' }));
    expect(found).toContain('breaking: resources.Parcel.fields.kilos: the member is taken no longer');
    expect(breaking(compare(one, { ...renaming, default: '2' }))).toEqual([
      'breaking: versioning.default: a request that names no version means another',
    ]);
  });

  it('breaks clients where nobody says what it was called', () => {
    expect(breaking(compare(one, two(shown)))).toContain(
      'breaking: resources.Parcel.fields.kilos: the member is taken no longer',
    );
  });

  it('does not hide what breaks the older version beside the name', () => {
    const grams = two(`${weight}: { was: kilos }, ${shown}`, { field: ['weight', '{ type: integer }'] });
    expect(breaking(compare(one, grams))).toEqual([
      `breaking: ${weight}.type: values that were taken can be refused now`,
    ]);
  });

  it('tells of stored values that are converted, and not as of ones that may not fit', () => {
    const taken = 'type: number, shown: "${double(value) / 1000.0}", taken: "${round(value * 1000.0)}"';
    const found = compare(
      one,
      two(`${weight}: { was: kilos, ${taken} }, ${shown}`, { field: ['weight', '{ type: integer }'] }),
    );
    expect(found.counts).toMatchObject({ breaking: 0, 'stored data': 0 });
    expect(told(found)[0]).toMatch(/; stored values are converted by its taken$/);
  });
});

describe('what differs in an older version that is there already', () => {
  const differs = (more: string): Written => two(`${weight}: { was: kilos }, ${shown}${more}`);

  it('breaks the clients of that version', () => {
    const found = compare(differs(''), differs(`, ${weight}.type: integer`));
    expect(told(found)).toEqual([
      `breaking: ${weight}.type: version 1: values that were taken can be refused now`,
      `changed: versioning.versions.1.differs["${weight}.type"]: what clients of version 1 see is compared apart: what breaks them is listed`,
    ]);
    expect(found.findings.map(({ rule }) => rule)).toEqual(['constraint', 'differs']);
  });

  it('breaks the clients of that version where its name is no longer stated', () => {
    const found = breaking(compare(differs(''), two(shown)));
    expect(found).toContain(
      'breaking: resources.Parcel.fields.kilos: version 1: the member is taken no longer',
    );
  });

  it('breaks nobody where it was open', () => {
    const before = two('', { versions: '{ "2": {}, "1": {} }' });
    expect(breaking(compare(before, differs('')))).toEqual([]);
  });

  it('breaks nobody where all of the version was open, or only the name of its field', () => {
    const open = (version: string): Written => two('', { versions: `{ "2": {}, "1": ${version} }` });
    expect(breaking(compare(open('(open) what differs?'), differs('')))).toEqual([]);
    const name = two(`${weight}: { was: (open) kilos or grams? }, ${shown}`);
    expect(breaking(compare(name, differs('')))).toEqual([]);
    expect(breaking(compare(name, two(`${weight}: { was: (none), taken: 1 }, ${shown}`)))).toEqual([]);
  });

  it('breaks nobody where the field was open that it states otherwise', () => {
    const field = (statement: string): Written =>
      two(`${weight}: { type: integer }`, { field: ['weight', statement] });
    expect(breaking(compare(field('(open)'), field('{ type: number, minimum: 1 }')))).toEqual([]);
    expect(breaking(compare(field('{ type: number }'), field('{ type: number, minimum: 1 }')))).toEqual([
      `breaking: ${weight}.minimum: values that were taken can be refused now`,
    ]);
  });
});
