/** A service whose writes are of every kind: one row, several, of several tables, found, followed, undone. */
export const desk = `
name: Desk
resources:
  Desk:
    identifier: id
    fields: { id: { type: string }, moved: { type: integer, default: 0 } }
  Parcel:
    identifier: id
    fields:
      id: { type: string }
      desk: { refers: Desk.id, ifDeleted: delete }
      code: { type: string, unique: caseless }
      note: { type: string }
      number: { type: integer, set: { create: "\${sequence()}" } }
      state: { type: string }
  Label:
    identifier: id
    fields: { id: { type: string }, parcel: { refers: Parcel.id, ifDeleted: clear }, text: { type: string } }
states:
  Parcel.state:
    states: [registered, moving, lost]
    initial: registered
    transitions:
      pickUp:
        from: registered
        to: moving
        also:
          - { update: "\${this.desk}", with: { moved: "\${this.desk.moved + 1}" } }
          - { create: Label, with: { id: "\${this.id}", parcel: "\${this.id}", text: moving } }
      lose: { from: moving, to: lost, after: P1D, set: { note: late } }
endpoints:
  others: refuse
  GET /desks: { does: list Desk, response: { status: 200, body: "\${Desk(page.items)}" } }
  GET /parcels: { does: list Parcel, response: { status: 200, body: "\${Parcel(page.items)}" } }
  POST /desks: { does: create Desk, request: { body: Desk }, response: 201 }
  POST /parcels:
    does: create Parcel
    request: { body: Parcel }
    idempotency: { header: Idempotency-Key, life: PT24H, per: key, remembers: successes }
    response: { status: 201, body: Parcel }
  PATCH /parcels/{id}: { does: update Parcel, request: { body: Parcel }, response: 204 }
  PUT /parcels/{id}: { does: replace Parcel, request: { body: Parcel }, response: 204 }
  POST /parcels/{id}/pick-up: { does: pickUp Parcel, response: 204 }
  POST /parcels/{id}/both:
    does: { update: Parcel, with: { note: both } }
    also: [{ create: Label, with: { id: "\${'b' + this.id}", text: both } }]
    response: 204
  DELETE /parcels/{id}: { does: delete Parcel, response: 204 }
  DELETE /desks/{id}: { does: delete Desk, response: 204 }
  DELETE /labels: { does: delete every Label, response: 204 }
`;
