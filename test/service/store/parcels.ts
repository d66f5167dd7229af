import { expect } from 'vitest';
import { ask, start } from '../served.ts';

const tags = 'tags: { type: array, items: { type: string } }';

export const before = `
resources:
  Parcel: { identifier: id, fields: { id: { type: integer }, kilos: { type: number }, note: { type: string }, ${tags} } }
endpoints:
  others: refuse
  POST /parcels: { does: create Parcel, request: { body: Parcel }, response: 201 }
`;

/** Two versions, of which the older has another weight of parcels. */
export const versions = (difference: string): string => `
versioning:
  scheme: date
  place: { header: Desk-Version }
  default: (none)
  versions:
    2026-11-01: {}
    2026-01-15: { differs: { resources.Parcel.fields.weight: { ${difference} } } }
`;

/** A field renamed and in another form, one left out, one unique, one by whose elements is searched, one resource more. */
export const after = `
resources:
  Parcel:
    identifier: id
    fields: { id: { type: integer }, weight: { type: integer, unique: true }, ${tags} }
  Label: { identifier: id, fields: { id: { type: integer }, of: { refers: Parcel.id } } }
endpoints:
  GET /parcels:
    does: list Parcel
    request: { query: { tag: { type: string, filter: "\${request.query.tag in this.tags}" } } }
    response: { status: 200, body: "\${Parcel(page.items)}" }
${versions('was: kilos, type: number, unique: (none), taken: "${int(value * 1000.0)}"')}`;

/** A place that the first specification laid out, with some parcels. */
export async function laidOut(data: string): Promise<string> {
  const service = await start(before, { data });
  for (const id of [1, 2, 3]) {
    const parcel = { id, kilos: id / 2, note: 'n', tags: ['all', `t${id}`] };
    expect((await ask(service, 'POST /parcels', parcel)).status).toBe(201);
  }
  await service.close();
  return data;
}
