/** An edit of a whole document, what diff finds in it, and in the same edit undone. */
export interface Case {
  readonly what: string;
  readonly document: string;
  readonly from: string;
  readonly to: string;
  /** Each finding: its class, its address and how many more it stands for, its message, its rule. */
  readonly finds: readonly string[];
  readonly undone: readonly string[];
}

export const cases: readonly Case[] = [
  {
    what: 'a lower maximum',
    document: 'parcel-desk',
    from: 'maximum: 30000',
    to: 'maximum: 20000',
    finds: [
      'breaking: resources.Parcel.fields.weight.maximum: values that were taken can be refused now (constraint)',
      'stored data: resources.Parcel.fields.weight.maximum: kept values may not fit (constraint)',
    ],
    undone: [
      'breaking: resources.Parcel.fields.weight.maximum: values can be shown that could not be before (constraint)',
    ],
  },
  {
    what: 'one more value of a field',
    document: 'parcel-desk',
    from: 'enum: [sender, courier]',
    to: 'enum: [sender, courier, clerk]',
    finds: [
      'breaking: resources.Account.fields.role.enum: values can be shown that could not be before (constraint)',
    ],
    undone: [
      'breaking: resources.Account.fields.role.enum: values that were taken can be refused now (constraint)',
      'stored data: resources.Account.fields.role.enum: kept values may not fit (constraint)',
    ],
  },
  {
    what: 'a wider type',
    document: 'parcel-desk',
    from: 'weight:       { type: integer',
    to: 'weight:       { type: number',
    finds: [
      'breaking: resources.Parcel.fields.weight.type: values can be shown that could not be before (constraint)',
    ],
    undone: [
      'breaking: resources.Parcel.fields.weight.type: values that were taken can be refused now (constraint)',
      'stored data: resources.Parcel.fields.weight.type: kept values may not fit (constraint)',
    ],
  },
  {
    what: 'a wider type of what is only shown',
    document: 'parcel-desk',
    from: 'scans:        { type: integer',
    to: 'scans:        { type: number',
    finds: [
      'breaking: resources.Parcel.fields.scans.type: values can be shown that could not be before (constraint)',
    ],
    undone: ['changed: resources.Parcel.fields.scans.type: fewer values are shown (constraint)'],
  },
  {
    what: 'another pattern',
    document: 'parcel-desk',
    from: 'pattern: "^[A-Z]{2}$"',
    to: 'pattern: "^[A-Z]{3}$"',
    finds: [
      'breaking: resources.Address.fields.country.pattern: values that were taken can be refused now (constraint)',
      'breaking: resources.Address.fields.country.pattern: values can be shown that could not be before (constraint)',
      'stored data: resources.Address.fields.country.pattern: kept values may not fit (constraint)',
    ],
    undone: [
      'breaking: resources.Address.fields.country.pattern: values that were taken can be refused now (constraint)',
      'breaking: resources.Address.fields.country.pattern: values can be shown that could not be before (constraint)',
      'stored data: resources.Address.fields.country.pattern: kept values may not fit (constraint)',
    ],
  },
  {
    what: 'a lower maximum of a parameter',
    document: 'parcel-desk',
    from: 'maximum: 100 }',
    to: 'maximum: 50 }',
    finds: [
      'breaking: endpoints["GET /parcels"].request.query.limit.maximum: values that were taken can be refused now (constraint)',
    ],
    undone: [
      'changed: endpoints["GET /parcels"].request.query.limit.maximum: more values are taken (constraint)',
    ],
  },
  {
    what: 'one member less required',
    document: 'parcel-desk',
    from: 'required: [recipient, address, weight]',
    to: 'required: [recipient, address]',
    finds: ['breaking: resources.Parcel.required: weight may be missing now (required)'],
    undone: [
      'breaking: resources.Parcel.required: weight must be given now (required)',
      'stored data: resources.Parcel.required: kept items may lack weight (required)',
    ],
  },
  {
    what: 'others ignored that were refused',
    document: 'parcel-desk',
    from: 'required: [street, town, country]\n  others: refuse',
    to: 'required: [street, town, country]\n  others: ignore',
    finds: ['changed: resources.Address.others: members that were refused are taken now (others)'],
    undone: ['breaking: resources.Address.others: members that were taken are refused now (others)'],
  },
  {
    what: 'one more member of a list that is open',
    document: 'parcel-desk',
    from: '    number:       { type: integer, set: { create: "${sequence()}" } }\n',
    to: '    number:       { type: integer, set: { create: "${sequence()}" } }\n    note: { type: string }\n',
    finds: ['refinement: resources.Parcel.fields.note: was open, and is stated (null)'],
    undone: [
      'breaking: resources.Parcel.fields.note: the member is shown no longer (field)',
      'breaking: resources.Parcel.fields.note: the member is taken no longer (field)',
      'stored data: resources.Parcel.fields.note: what is kept of it has no place any more (field)',
    ],
  },
  {
    what: 'a member that goes',
    document: 'parcel-desk',
    from: '    recipient:    { type: string, minLength: 1, maxLength: 120 }\n',
    to: '',
    finds: [
      'breaking: resources.Parcel.fields.recipient: the member is shown no longer (field)',
      'breaking: resources.Parcel.fields.recipient: the member is taken no longer (field)',
      'stored data: resources.Parcel.fields.recipient: what is kept of it has no place any more (field)',
    ],
    undone: ['refinement: resources.Parcel.fields.recipient: was open, and is stated (null)'],
  },
  {
    what: 'a member that nobody sees any more',
    document: 'parcel-desk',
    from: 'set: { create: "${\'whsec_\' + random(32)}" } }',
    to: 'set: { create: "${\'whsec_\' + random(32)}" }, readable: false }',
    finds: [
      'breaking: resources.Hook.fields.secret.readable: not everybody sees the member any more (readable)',
    ],
    undone: ['changed: resources.Hook.fields.secret.readable: everybody sees the member now (readable)'],
  },
  {
    what: 'a member that may be written at any time',
    document: 'parcel-desk',
    from: 'writable: once',
    to: 'writable: true',
    finds: ['changed: resources.Account.fields.role.writable: clients may write the member now (writable)'],
    undone: [
      'breaking: resources.Account.fields.role.writable: clients that write the member are treated as others says (writable)',
    ],
  },
  {
    what: 'another default',
    document: 'parcel-desk',
    from: 'default: null',
    to: 'default: "2026-01-01T00:00:00Z"',
    finds: [
      'breaking: resources.Parcel.fields.deliveredAt.default: who leaves it out gets something else (default)',
    ],
    undone: [
      'breaking: resources.Parcel.fields.deliveredAt.default: who leaves it out gets something else (default)',
    ],
  },
  {
    what: 'a uniqueness that asks less',
    document: 'parcel-desk',
    from: 'unique: caseless',
    to: 'unique: true',
    finds: ['changed: resources.Account.fields.email.unique: a second is taken now (unique)'],
    undone: [
      'breaking: resources.Account.fields.email.unique: a second with the same value is refused (unique)',
      'stored data: resources.Account.fields.email.unique: kept items may have the same value (unique)',
    ],
  },
  {
    what: 'no uniqueness',
    document: 'parcel-desk',
    from: ', unique: caseless',
    to: '',
    finds: ['changed: resources.Account.fields.email.unique: a second is taken now (unique)'],
    undone: [
      'breaking: resources.Account.fields.email.unique: a second with the same value is refused (unique)',
      'stored data: resources.Account.fields.email.unique: kept items may have the same value (unique)',
    ],
  },
  {
    what: 'an invariant that goes',
    document: 'parcel-desk',
    from: '    what moves has a courier: "${this.status != \'moving\' || this.courier != null}"\n',
    to: '',
    finds: [
      'changed: resources.Parcel.invariants["what moves has a courier"]: what broke it is taken now (invariant)',
    ],
    undone: [
      'breaking: resources.Parcel.invariants["what moves has a courier"]: what breaks it is refused (invariant)',
      'stored data: resources.Parcel.invariants["what moves has a courier"]: kept items may break it (invariant)',
    ],
  },
  {
    what: 'references that keep their key',
    document: 'parcel-desk',
    from: 'sender:       { refers: Account, ifDeleted: refuse',
    to: 'sender:       { refers: Account, ifDeleted: keep',
    finds: [
      'changed: resources.Parcel.fields.sender.ifDeleted: unclassified: no rule knows what this comes to (null)',
    ],
    undone: [
      'breaking: resources.Parcel.fields.sender.ifDeleted: deleting an item that is referred to is refused (reference)',
    ],
  },
  {
    what: 'identifiers of another form',
    document: 'parcel-desk',
    from: 'create: "${\'hook_\' + random(16)}"',
    to: 'create: "${uuid()}"',
    finds: [
      'stored data: resources.Hook.fields.id.set.create: items kept so far have identifiers of the old form (identifier)',
    ],
    undone: [
      'stored data: resources.Hook.fields.id.set.create: items kept so far have identifiers of the old form (identifier)',
    ],
  },
  {
    what: 'another identifier',
    document: 'parcel-desk',
    from: 'identifier: [parcel, number]',
    to: 'identifier: number',
    finds: [
      'breaking: resources.Scan.identifier: items are known by something else (identifier)',
      'stored data: resources.Scan.identifier: items are kept under the old identifier (identifier)',
    ],
    undone: [
      'breaking: resources.Scan.identifier: items are known by something else (identifier)',
      'stored data: resources.Scan.identifier: items are kept under the old identifier (identifier)',
    ],
  },
  {
    what: 'other final states',
    document: 'parcel-desk',
    from: 'final: [delivered, cancelled]',
    to: 'final: [delivered]',
    finds: ['changed: states["Parcel.status"].final: unclassified: no rule knows what this comes to (null)'],
    undone: ['changed: states["Parcel.status"].final: unclassified: no rule knows what this comes to (null)'],
  },
  {
    what: 'another first state',
    document: 'parcel-desk',
    from: 'initial: registered',
    to: 'initial: moving',
    finds: ['breaking: states["Parcel.status"].initial: new items begin in another state (initial)'],
    undone: ['breaking: states["Parcel.status"].initial: new items begin in another state (initial)'],
  },
  {
    what: 'one more move',
    document: 'parcel-desk',
    from: '    expire:  { from: registered, to: cancelled, after: P14D }\n',
    to: '    expire:  { from: registered, to: cancelled, after: P14D }\n    lose: { from: moving, to: cancelled }\n',
    finds: ['changed: states["Parcel.status"].transitions.lose: one more move (transition)'],
    undone: ['breaking: states["Parcel.status"].transitions.lose: the move is made no longer (transition)'],
  },
  {
    what: 'a move from more states',
    document: 'parcel-desk',
    from: 'cancel:  { from: registered',
    to: 'cancel:  { from: [registered, moving]',
    finds: [
      'changed: states["Parcel.status"].transitions.cancel.from: it is made from moving too (transition)',
    ],
    undone: [
      'breaking: states["Parcel.status"].transitions.cancel.from: it is refused from moving (transition)',
    ],
  },
  {
    what: 'a move to another state',
    document: 'parcel-desk',
    from: 'from: registered, to: moving',
    to: 'from: registered, to: delivered',
    finds: [
      'breaking: states["Parcel.status"].transitions.pickUp.to: it leads to another state (transition)',
    ],
    undone: [
      'breaking: states["Parcel.status"].transitions.pickUp.to: it leads to another state (transition)',
    ],
  },
  {
    what: 'another time',
    document: 'parcel-desk',
    from: 'after: P14D',
    to: 'after: P7D',
    finds: [
      'breaking: states["Parcel.status"].transitions.expire.after: items move by themselves at another time (transition)',
    ],
    undone: [
      'breaking: states["Parcel.status"].transitions.expire.after: items move by themselves at another time (transition)',
    ],
  },
  {
    what: 'a guard that goes',
    document: 'parcel-desk',
    from: ', when: "${this.weight < 20000}"',
    to: '',
    finds: ['changed: states["Parcel.status"].transitions.cancel.when: it is refused less often (guard)'],
    undone: [
      'breaking: states["Parcel.status"].transitions.cancel.when: it can be refused where it was made (guard)',
    ],
  },
  {
    what: 'an operation at another path',
    document: 'parcel-desk',
    from: 'DELETE /hooks/{id}:\n  operation: removeHook\n  does: delete Hook\n  response: 204\n',
    to: 'DELETE /hooks/{id}/x:\n  operation: removeHook\n  does: delete Hook\n  response: 204\n',
    finds: [
      'breaking: endpoints["DELETE /hooks/{id}"]: the operation is at DELETE /hooks/{id}/x now (endpoint)',
      'changed: endpoints["DELETE /hooks/{id}/x"]: one more operation (endpoint)',
    ],
    undone: [
      'breaking: endpoints["DELETE /hooks/{id}/x"]: the operation is at DELETE /hooks/{id} now (endpoint)',
      'changed: endpoints["DELETE /hooks/{id}"]: one more operation (endpoint)',
    ],
  },
  {
    what: 'a base',
    document: 'parcel-desk',
    from: 'protocol: RFC 9110\n',
    to: 'protocol: RFC 9110\nbase: /v1\n',
    finds: ['breaking: endpoints.base: every path is another one (base)'],
    undone: ['breaking: endpoints.base: every path is another one (base)'],
  },
  {
    what: 'another order of a list',
    document: 'parcel-desk',
    from: 'order: ["-number"]',
    to: 'order: [number]',
    finds: ['breaking: endpoints["GET /parcels"].does.order: the list comes in another order (effect)'],
    undone: ['breaking: endpoints["GET /parcels"].does.order: the list comes in another order (effect)'],
  },
  {
    what: 'another verb',
    document: 'parcel-desk',
    from: 'does: deliver Parcel',
    to: 'does: cancel Parcel',
    finds: [
      'breaking: endpoints["POST /parcels/{id}/delivery"].does.deliver: it does this no longer (effect)',
      'breaking: endpoints["POST /parcels/{id}/delivery"].does.cancel: it does this now (effect)',
    ],
    undone: [
      'breaking: endpoints["POST /parcels/{id}/delivery"].does.cancel: it does this no longer (effect)',
      'breaking: endpoints["POST /parcels/{id}/delivery"].does.deliver: it does this now (effect)',
    ],
  },
  {
    what: 'an expression that nobody can compare',
    document: 'parcel-desk',
    from: 'where: "${this.parcel == parcel}"',
    to: 'where: "${this.parcel == parcel && this.number > 1}"',
    finds: [
      'changed: endpoints["GET /parcels/{id}/scans"].does.where: unclassified: no rule knows what this comes to (null)',
    ],
    undone: [
      'changed: endpoints["GET /parcels/{id}/scans"].does.where: unclassified: no rule knows what this comes to (null)',
    ],
  },
  {
    what: 'a parameter that goes',
    document: 'parcel-desk',
    from: '\n      heavier: { filter: "${this.weight > request.query.heavier}", type: integer }',
    to: '',
    finds: [
      'breaking: endpoints["GET /parcels"].request.query.heavier: it is looked at no longer (parameter)',
    ],
    undone: [
      'changed: endpoints["GET /parcels"].request.query.heavier: it may be given, or left out (parameter)',
    ],
  },
  {
    what: 'a parameter that must be given',
    document: 'parcel-desk',
    from: 'type: integer }\n      limit',
    to: 'type: integer, required: true }\n      limit',
    finds: [
      'breaking: endpoints["GET /parcels"].request.query.heavier.required: it must be given now (parameter)',
    ],
    undone: [
      'changed: endpoints["GET /parcels"].request.query.heavier.required: it may be given, or left out (parameter)',
    ],
  },
  {
    what: 'one more media type',
    document: 'parcel-desk',
    from: 'media: application/merge-patch+json, ',
    to: 'media: [application/merge-patch+json, application/json], ',
    finds: [
      'changed: endpoints["PATCH /parcels/{id}"].request.media: application/json is taken too (request-media)',
    ],
    undone: [
      'breaking: endpoints["PATCH /parcels/{id}"].request.media: application/json is taken no longer (request-media)',
    ],
  },
  {
    what: 'a header field that goes',
    document: 'parcel-desk',
    from: 'headers: { Location: "/parcels/${this.id}" }, body: Parcel',
    to: 'body: Parcel',
    finds: ['breaking: endpoints["POST /parcels"].response.headers: the field is sent no longer (header)'],
    undone: ['changed: endpoints["POST /parcels"].response.headers: the field is sent now (header)'],
  },
  {
    what: 'a description',
    document: 'parcel-desk',
    from: '  operation: registerAccount\n',
    to: '  operation: registerAccount\n  description: x\n',
    finds: [],
    undone: [],
  },
  {
    what: 'a precondition that may be left out',
    document: 'parcel-desk',
    from: 'ifMatch: required',
    to: 'ifMatch: allowed',
    finds: [
      'changed: endpoints["PATCH /parcels/{id}"].conditional.ifMatch: the field may be left out (conditional)',
    ],
    undone: [
      'breaking: endpoints["PATCH /parcels/{id}"].conditional.ifMatch: a request without the field is refused (conditional)',
    ],
  },
  {
    what: 'a key that must be given',
    document: 'parcel-desk',
    from: 'required: false',
    to: 'required: true',
    finds: [
      'breaking: endpoints["POST /parcels"].idempotency.required: a request without the field is refused (conditional)',
    ],
    undone: [
      'changed: endpoints["POST /parcels"].idempotency.required: the field may be left out (conditional)',
    ],
  },
  {
    what: 'a member of an answer that goes',
    document: 'parcel-desk',
    from: 'body: { items: "${Parcel(page.items)}", next: "${page.next}" }',
    to: 'body: { items: "${Parcel(page.items)}" }',
    finds: ['breaking: endpoints["GET /parcels"].response.body.next: the member is sent no longer (payload)'],
    undone: ['changed: endpoints["GET /parcels"].response.body.next: one more member (payload)'],
  },
  {
    what: 'an answer that shows another resource',
    document: 'parcel-desk',
    from: 'response: { status: 201, body: Hook }',
    to: 'response: { status: 201, body: Scan }',
    finds: ['breaking: endpoints["POST /hooks"].response.body: it shows Scan, and showed Hook (answer)'],
    undone: ['breaking: endpoints["POST /hooks"].response.body: it shows Hook, and showed Scan (answer)'],
  },
  {
    what: 'another status',
    document: 'parcel-desk',
    from: '  response: 204',
    to: '  response: 200',
    finds: ['breaking: endpoints["DELETE /hooks/{id}"].response.status: clients see another status (status)'],
    undone: [
      'breaking: endpoints["DELETE /hooks/{id}"].response.status: clients see another status (status)',
    ],
  },
  {
    what: 'another header field for a key',
    document: 'parcel-desk',
    from: 'name: X-Desk-Key',
    to: 'name: X-Key',
    finds: [
      'breaking: authentication.schemes.key.name: credentials are given, or judged, in another way (scheme)',
    ],
    undone: [
      'breaking: authentication.schemes.key.name: credentials are given, or judged, in another way (scheme)',
    ],
  },
  {
    what: 'a rule that lets nobody in',
    document: 'parcel-desk',
    from: 'deliverParcel:   courier',
    to: 'deliverParcel:   nobody',
    finds: ['breaking: authentication.authorization.deliverParcel: fewer may (authorization)'],
    undone: ['changed: authentication.authorization.deliverParcel: more may (authorization)'],
  },
  {
    what: 'a rule that lets more in',
    document: 'parcel-desk',
    from: 'deliverParcel:   courier',
    to: 'deliverParcel:   [courier, office]',
    finds: ['changed: authentication.authorization.deliverParcel: more may (authorization)'],
    undone: [
      'breaking: authentication.authorization.deliverParcel: these may no longer: office (authorization)',
    ],
  },
  {
    what: 'a rule that lets anyone in',
    document: 'parcel-desk',
    from: 'addHook:         sender',
    to: 'addHook:         anyone',
    finds: ['changed: authentication.authorization.addHook: more may (authorization)'],
    undone: ['breaking: authentication.authorization.addHook: fewer may (authorization)'],
  },
  {
    what: 'an event that less emits',
    document: 'parcel-desk',
    from: 'by: [Parcel.cancel, Parcel.expire]',
    to: 'by: [Parcel.cancel]',
    finds: ['breaking: events.kinds["parcel.cancelled"].by: Parcel.expire no longer emits it (event)'],
    undone: ['changed: events.kinds["parcel.cancelled"].by: Parcel.expire emits it too (event)'],
  },
  {
    what: 'a member of an event that goes',
    document: 'parcel-desk',
    from: 'body: { parcel: "${this.id}", at: "${this.deliveredAt}" }',
    to: 'body: { parcel: "${this.id}" }',
    finds: ['breaking: events.kinds["parcel.delivered"].body.at: the member is sent no longer (payload)'],
    undone: ['changed: events.kinds["parcel.delivered"].body.at: one more member (payload)'],
  },
  {
    what: 'no envelope',
    document: 'parcel-desk',
    from: 'envelope: cloudevents',
    to: 'envelope: (none)',
    finds: ['breaking: events.envelope: what is told has another form (event)'],
    undone: ['breaking: events.envelope: what is told has another form (event)'],
  },
  {
    what: 'no signature',
    document: 'parcel-desk',
    from: 'sign: standard-webhooks',
    to: 'sign: (none)',
    finds: ['breaking: events.delivery.hooks.sign: events reach their receivers in another way (delivery)'],
    undone: ['breaking: events.delivery.hooks.sign: events reach their receivers in another way (delivery)'],
  },
  {
    what: 'fewer attempts',
    document: 'parcel-desk',
    from: 'retries: [PT5S, PT5M, PT30M, PT2H]',
    to: 'retries: [PT5S]',
    finds: ['changed: events.delivery.hooks.retries: unclassified: no rule knows what this comes to (null)'],
    undone: ['changed: events.delivery.hooks.retries: unclassified: no rule knows what this comes to (null)'],
  },
  {
    what: 'one more row for a condition of the language',
    document: 'parcel-desk',
    from: '  too_late: ',
    to: '  gone: { when: unknown Scan, status: 404 }\n  too_late: ',
    finds: ['changed: errors.codes.gone: the answer to a refusal has a row of its own now (error-code)'],
    undone: ['breaking: errors.codes.gone: the error is answered no longer (error-code)'],
  },
  {
    what: 'one more row for an expression',
    document: 'parcel-desk',
    from: '  too_late: ',
    to: '  too_many2: { when: "${this.weight > 5}", operations: [deliverParcel], status: 409 }\n  too_late: ',
    finds: ['breaking: errors.codes.too_many2: refused where it was not: ${this.weight > 5} (error-code)'],
    undone: ['changed: errors.codes.too_many2: what was refused for it is not refused any more (error-code)'],
  },
  {
    what: 'a member of every error that goes',
    document: 'parcel-desk',
    from: '    failures: "${error.failures}"\n',
    to: '',
    finds: ['breaking: errors.payload.body.failures +16: the member is sent no longer (payload)'],
    undone: ['changed: errors.payload.body.failures +16: one more member (payload)'],
  },
  {
    what: 'another media type of every error',
    document: 'parcel-desk',
    from: 'media: application/problem+json',
    to: 'media: application/json',
    finds: ['breaking: errors.payload.media +16: errors come in another form (error-payload)'],
    undone: ['breaking: errors.payload.media +16: errors come in another form (error-payload)'],
  },
  {
    what: 'other words',
    document: 'parcel-desk',
    from: 'title: The request cannot be read',
    to: 'title: It cannot be read',
    finds: ['changed: errors.codes.unreadable.title: people read something else (words)'],
    undone: ['changed: errors.codes.unreadable.title: people read something else (words)'],
  },
  {
    what: 'a row for less',
    document: 'parcel-desk',
    from: 'when: [transition refused Parcel, guard refused Parcel]',
    to: 'when: transition refused Parcel',
    finds: [
      'breaking: errors.codes.wrong_state.when: answered as another error: guard refused Parcel (error-code)',
    ],
    undone: [
      'changed: errors.codes.wrong_state.when: the answer to a refusal has a row of its own now (error-code)',
    ],
  },
  {
    what: 'another order of a list',
    document: 'parcel-desk',
    from: '  - unreadable\n  - version_unknown\n',
    to: '  - version_unknown\n  - unreadable\n',
    finds: ['breaking: errors.order: a request that earns two can get the other one (error-order)'],
    undone: ['breaking: errors.order: a request that earns two can get the other one (error-order)'],
  },
  {
    what: 'a lower rate',
    document: 'parcel-desk',
    from: 'allow: 100',
    to: 'allow: 50',
    finds: ['breaking: limits.rates.desk.allow: fewer requests are taken (rate)'],
    undone: ['changed: limits.rates.desk.allow: more requests are taken (rate)'],
  },
  {
    what: 'a longer window',
    document: 'parcel-desk',
    from: 'every: PT1M',
    to: 'every: PT2M',
    finds: ['changed: limits.rates.desk.every: unclassified: no rule knows what this comes to (null)'],
    undone: ['changed: limits.rates.desk.every: unclassified: no rule knows what this comes to (null)'],
  },
  {
    what: 'a lower size',
    document: 'parcel-desk',
    from: 'body: 64 KiB',
    to: 'body: 32 KiB',
    finds: ['breaking: limits.sizes.body: less is taken (size)'],
    undone: ['changed: limits.sizes.body: more is taken (size)'],
  },
  {
    what: 'another default of a parameter',
    document: 'parcel-desk',
    from: 'limit: 20',
    to: 'limit: 30',
    finds: [
      'breaking: endpoints["GET /parcels"].request.query.limit.default: who leaves it out gets something else (default)',
    ],
    undone: [
      'breaking: endpoints["GET /parcels"].request.query.limit.default: who leaves it out gets something else (default)',
    ],
  },
  {
    what: 'no default version',
    document: 'parcel-desk',
    from: 'default: 2026-11-01',
    to: 'default: (none)',
    finds: ['breaking: versioning.default: a request that names no version means another (version)'],
    undone: ['breaking: versioning.default: a request that names no version means another (version)'],
  },
  {
    what: 'another place for the version',
    document: 'parcel-desk',
    from: 'header: Desk-Version',
    to: 'query: version',
    finds: [
      'breaking: versioning.place.header: requests name their version elsewhere (version)',
      'breaking: versioning.place.query: requests name their version elsewhere (version)',
    ],
    undone: [
      'breaking: versioning.place.query: requests name their version elsewhere (version)',
      'breaking: versioning.place.header: requests name their version elsewhere (version)',
    ],
  },
  {
    what: 'a version that is retired',
    document: 'parcel-desk',
    from: 'sunset: 2027-06-01',
    to: 'sunset: 2027-06-01\n    retired: 2027-07-01',
    finds: [
      'breaking: versioning.versions.2026-01-15.retired: the version is refused from then on (version)',
    ],
    undone: ['changed: versioning.versions.2026-01-15.retired: the version goes on (version)'],
  },
  {
    what: 'fewer methods for pages of other origins',
    document: 'todo',
    from: 'methods: [GET, POST, PATCH, DELETE]',
    to: 'methods: [GET, POST]',
    finds: [
      'breaking: endpoints["GET /"].cors.methods +5: pages of other origins may do less: PATCH, DELETE (cors)',
    ],
    undone: ['changed: endpoints["GET /"].cors.methods +5: pages of other origins may do more (cors)'],
  },
  {
    what: 'any field for pages of other origins',
    document: 'todo',
    from: 'headers: [Content-Type, Accept]',
    to: 'headers: any',
    finds: ['changed: endpoints["GET /"].cors.headers +5: pages of other origins may do more (cors)'],
    undone: ['breaking: endpoints["GET /"].cors.headers +5: pages of other origins may do less: any (cors)'],
  },
  {
    what: 'a part that is open again',
    document: 'todo',
    from: '## Authentication\n\n```yaml\n(none)\n```',
    to: '## Authentication',
    finds: ['became open: authentication: was stated, and is open (null)'],
    undone: ['refinement: authentication: was open, and is stated (null)'],
  },
  {
    what: 'another purpose',
    document: 'todo',
    from: 'purpose: Keep a list of things to do.',
    to: 'purpose: Keep things.',
    finds: ['changed: service.purpose: people read something else (words)'],
    undone: ['changed: service.purpose: people read something else (words)'],
  },
  {
    what: 'one more answer',
    document: 'todo',
    from: 'response: { status: 200, body: "${Todo(page.items)}" }',
    to: 'response: [{ when: "${page.total == 0}", status: 204 }, { status: 200, body: "${Todo(page.items)}" }]',
    finds: ['breaking: endpoints["GET /"].response[0]: an answer is sent that was not before (answer)'],
    undone: ['breaking: endpoints["GET /"].response[0]: an answer is no longer sent (answer)'],
  },
  {
    what: 'another spelling of the same answer',
    document: 'todo',
    from: '  response: { status: 200, body: "${Todo(page.items)}" }',
    to: '  response: [{ body: "${ Todo(page.items) }", media: application/json, status: 200 }]',
    finds: [],
    undone: [],
  },
  {
    what: 'another spelling of the same field',
    document: 'todo',
    from: 'completed: { type: boolean, default: false }',
    to: 'completed: { default: false, type: boolean, readOnly: false, unique: (none) }',
    finds: [],
    undone: [],
  },
  {
    what: 'an event that goes',
    document: 'parcel-desk',
    from: '  parcel.moving:     { by: [Parcel.pickUp], body: { parcel: "${this.id}" } }\n',
    to: '',
    finds: ['breaking: events.kinds["parcel.moving"]: it is emitted no longer (event)'],
    undone: ['changed: events.kinds["parcel.moving"]: it is emitted now (event)'],
  },
  {
    what: 'one more version',
    document: 'parcel-desk',
    from: '  2026-11-01: {}\n',
    to: '  2026-11-01: {}\n  2026-05-01: {}\n',
    finds: ['changed: versioning.versions.2026-05-01: one more version (version)'],
    undone: ['breaking: versioning.versions.2026-05-01: the version is unknown now (version)'],
  },
  {
    what: 'one more rate',
    document: 'parcel-desk',
    from: 'rates:\n  desk:',
    to: 'rates:\n  all: { allow: 5, every: PT1M, per: address }\n  desk:',
    finds: ['breaking: limits.rates.all: requests beyond it are refused (rate)'],
    undone: ['changed: limits.rates.all: requests beyond it are taken (rate)'],
  },
  {
    what: 'one more size',
    document: 'parcel-desk',
    from: 'sizes: { body: 64 KiB }',
    to: 'sizes: { body: 64 KiB, page: 5 }',
    finds: ['breaking: limits.sizes.page: what is larger is refused (size)'],
    undone: ['changed: limits.sizes.page: what is larger is taken (size)'],
  },
  {
    what: 'references to another resource',
    document: 'parcel-desk',
    from: 'courier:      { refers: Account',
    to: 'courier:      { refers: Hook',
    finds: [
      'breaking: resources.Parcel.fields.courier.refers: a key that no item has is refused (reference)',
      'stored data: resources.Parcel.fields.courier.refers: kept keys may be those of no item (reference)',
    ],
    undone: [
      'breaking: resources.Parcel.fields.courier.refers: a key that no item has is refused (reference)',
      'stored data: resources.Parcel.fields.courier.refers: kept keys may be those of no item (reference)',
    ],
  },
  {
    what: 'a member that is worked out',
    document: 'parcel-desk',
    from: 'place:  { type: string, minLength: 1, maxLength: 100 }\n    by',
    to: 'place:  { type: string, minLength: 1, maxLength: 100, derived: "${\'x\'}" }\n    by',
    finds: [
      'breaking: resources.Scan.fields.place.writable: clients that write the member are treated as others says (writable)',
      'stored data: resources.Scan.fields.place.derived: it is worked out now, and what is kept of it is not shown (derived)',
    ],
    undone: [
      'stored data: resources.Scan.fields.place.derived: items made so far keep no value of it (derived)',
      'changed: resources.Scan.fields.place.writable: clients may write the member now (writable)',
    ],
  },
  {
    what: 'one more member of a list that is closed',
    document: 'parcel-desk',
    from: '    url:    { type: string,',
    to: '    pin: { type: string, secret: hashed }\n    url:    { type: string,',
    finds: [
      'changed: resources.Hook.fields.pin: one more member; required tells whether it must be given (field)',
    ],
    undone: [
      'breaking: resources.Hook.fields.pin: the member is taken no longer (field)',
      'stored data: resources.Hook.fields.pin: what is kept of it has no place any more (field)',
    ],
  },
  {
    what: 'one more state, and one more machine',
    document: 'parcel-desk',
    from: 'Parcel.status:\n  states: [registered, moving, delivered, cancelled]',
    to: 'Hook.url: { states: [a], initial: a }\nParcel.status:\n  states: [registered, moving, delivered, cancelled, lost]',
    finds: [
      'breaking: resources.Hook.fields.url.writable: clients that write the member are treated as others says (writable)',
      'breaking: states["Parcel.status"].states: lost can be seen, and could not before (state)',
      'breaking: states["Hook.url"]: only the listed moves are made now (machine)',
      'stored data: states["Hook.url"]: kept items may be in no listed state (machine)',
    ],
    undone: [
      'breaking: states["Hook.url"]: its transitions can be asked for no longer (machine)',
      'stored data: states["Parcel.status"].states: kept items may be in lost (state)',
      'changed: resources.Hook.fields.url.writable: clients may write the member now (writable)',
    ],
  },
  {
    what: 'a parameter that stands for another field',
    document: 'parcel-desk',
    from: 'request: { path: { id: Parcel.id as parcel }, body: Scan }',
    to: 'request: { path: { id: Parcel.number as parcel }, body: Scan }',
    finds: [
      'breaking: endpoints["POST /parcels/{id}/scans"].request.path.id: it stands for something else (path-parameter)',
    ],
    undone: [
      'breaking: endpoints["POST /parcels/{id}/scans"].request.path.id: it stands for something else (path-parameter)',
    ],
  },
  {
    what: 'a tighter body',
    document: 'parcel-desk',
    from: '  does: create Hook\n  request: { body: Hook }',
    to: '  does: create Hook\n  request: { body: { of: Hook, minProperties: 3 } }',
    finds: [
      'breaking: endpoints["POST /hooks"].request.body.minProperties: values that were taken can be refused now (constraint)',
    ],
    undone: [
      'changed: endpoints["POST /hooks"].request.body.minProperties: more values are taken (constraint)',
    ],
  },
  {
    what: 'a body under a name',
    document: 'parcel-desk',
    from: '  does: create Hook\n  request: { body: Hook }',
    to: '  does: create Hook\n  request: { body: Hook, under: hook }',
    finds: [
      'breaking: endpoints["POST /hooks"].request.under: a body of another form is wanted (request-body)',
    ],
    undone: [
      'breaking: endpoints["POST /hooks"].request.under: a body of another form is wanted (request-body)',
    ],
  },
  {
    what: 'a view that shows less',
    document: 'publishing',
    from: '  shows: [name, bio, portrait]',
    to: '  shows: [name, bio]',
    finds: ['breaking: resources.Profile.shows: portrait is shown no longer (view)'],
    undone: ['changed: resources.Profile.shows: more is shown (view)'],
  },
  {
    what: 'another name of an operation',
    document: 'todo',
    from: 'operation: listTodos',
    to: 'operation: listAll',
    finds: ['changed: endpoints["GET /"].operation: no request carries the name (operation-name)'],
    undone: ['changed: endpoints["GET /"].operation: no request carries the name (operation-name)'],
  },
  {
    what: 'a secret that is kept as it is',
    document: 'parcel-desk',
    from: ', secret: hashed, set',
    to: ', readable: false, set',
    finds: [
      'stored data: resources.Account.fields.key.secret: values kept so far are in the other form (secret)',
    ],
    undone: [
      'stored data: resources.Account.fields.key.secret: values kept so far are in the other form (secret)',
    ],
  },
  {
    what: 'one more resource',
    document: 'parcel-desk',
    from: 'Hook:\n  identifier: id',
    to: 'Note: { identifier: id, fields: { id: { type: string } } }\nHook:\n  identifier: id',
    finds: ['changed: resources.Note: one more name to use (resource)'],
    undone: ['stored data: resources.Note: items kept of it can no longer be reached (resource)'],
  },
];
