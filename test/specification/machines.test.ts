import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings, pairs } from './findings.ts';

type Parts = Parameters<typeof document>[0];

const resources = `Parcel:
  identifier: id
  fields:
    id: { type: string, set: { create: "\${uuid()}" } }
    status: { type: string }
    weight: { type: integer }
    label: { type: string }
    term: { type: string, format: duration }
    dueAt: { type: string, format: date-time }
    backup: { refers: Parcel, ifDeleted: keep }
Van: { identifier: id, fields: { id: { type: string } } }`;

/** A document of one machine, all of whose lists but those of endpoints are closed. */
const machine = (keys: string, more: Parts = {}): string =>
  document({
    head: 'complete: [resources, states]',
    resources,
    states: `Parcel.status: { ${keys} }`,
    ...more,
  });

/** A machine of two states, and what its one transition says beside them. */
const move = (keys: string, more: Parts = {}): string =>
  machine(
    `states: [new, sent], initial: new, final: [sent], transitions: { send: { from: new, to: sent, ${keys} } }`,
    more,
  );

describe('a machine whose statements do not fit is told', () => {
  it.each<[string, string, string[]]>([
    [
      'what it is of',
      document({ head: 'complete: true', resources, states: 'Parcle.status: {}' }),
      ['unknown-name Parcle.status: Parcle is not the name of a resource → did you mean Parcel?'],
    ],
    [
      'its field',
      document({ head: 'complete: true', resources, states: 'Parcel.state: {}' }),
      [
        'unknown-name Parcel.state: state is not the name of a field → known: id, status, weight, label, term, dueAt, backup',
      ],
    ],
    [
      'a state twice',
      machine(
        'states: [new, sent, new], initial: new, final: [sent], transitions: { send: { from: new, to: sent } }',
      ),
      ['key-twice new: new stands twice → keep one of them'],
    ],
    [
      'a state that it does not list, to come from',
      machine('states: [new, sent], transitions: { send: { from: [new, old], to: sent } }'),
      ['unknown-name old: old is not the name of a state → known: new, sent'],
    ],
    [
      'one to go to',
      machine('states: [new, sent], transitions: { send: { from: new, to: snet } }'),
      ['unknown-name snet: snet is not the name of a state → did you mean sent?'],
    ],
    [
      'one to end in',
      machine('states: [new, sent], final: [sent, end], transitions: { send: { from: new, to: sent } }'),
      ['unknown-name end: end is not the name of a state → known: new, sent'],
    ],
    [
      'one to begin in',
      machine('states: [new, sent], initial: nwe'),
      ['unknown-name nwe: nwe is not the name of a state → did you mean new?'],
    ],
    [
      'one to begin in, by an expression',
      machine(`states: [new, sent], initial: "\${this.weight > 5 ? 'new' : 'heavy'}"`),
      [
        "unknown-name \"${this.weight > 5 ? 'new' : 'heavy'}\": heavy is not the name of a state → known: new, sent",
      ],
    ],
    [
      'a state that its field cannot hold',
      document({
        resources: resources.replace('status: { type: string }', 'status: { enum: [new, sent] }'),
        states: 'Parcel.status: { states: [new, lost] }',
      }),
      [
        'contradiction lost: lost is a state, and none of the values that the field may have → take one of the two out, or mend it',
      ],
    ],
    [
      'a state to begin in that is no text',
      machine('states: [new, sent], initial: "${this.weight}", final: [new, sent]'),
      ['expression-type this.weight: this is an integer, and text is wanted → null'],
    ],
    [
      'a transition out of a final state',
      machine(
        'states: [new, sent], initial: new, final: [sent], transitions: { send: { from: new, to: sent }, back: { from: [sent], to: new } }',
      ),
      [
        'contradiction sent: sent is final, and this transition leads out of it → take one of the two out, or mend it',
      ],
    ],
    [
      'an end of an item that is in a final state',
      machine('states: [new], initial: new, final: [new], transitions: { drop: { from: new, to: (none) } }'),
      [
        'contradiction new: new is final, and this transition leads out of it → take one of the two out, or mend it',
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    [
      'the state that is final',
      machine(
        'states: [a, b], initial: a, final: [b], transitions: { go: { from: a, to: b }, back: { from: b, to: a } }',
      ),
      ['contradiction b ~ b'],
    ],
    [
      'the field that holds other values',
      document({
        resources: resources.replace('status: { type: string }', 'status: { enum: [new] }'),
        states: 'Parcel.status: { states: [new, lost] }',
      }),
      ['contradiction lost ~ { enum: [new] }'],
    ],
    [
      'the time that it would be otherwise',
      move('after: P1D, at: "${this.dueAt}"'),
      ['contradiction at ~ after'],
    ],
    [
      'the transition that has the name',
      document({
        resources,
        states: 'Parcel.status: { transitions: { go: {} } }\nParcel.label: { transitions: { go: {} } }',
      }),
      ['key-twice go ~ go'],
    ],
  ])('beside it: %s', (_, content, expected) => {
    expect(pairs(content)).toEqual(expected);
  });
});

describe('a state that no item comes to, or leaves, is told where no more transitions can be', () => {
  it.each<[string, string, string[]]>([
    [
      'nothing leads to it',
      machine(
        'states: [new, sent, lost], initial: new, final: [sent, lost], transitions: { send: { from: new, to: sent } }',
      ),
      ['unreachable-state lost: nothing leads to lost → list a transition to it, or take it out'],
    ],
    [
      'what leads to it is not come to either',
      machine(
        'states: [new, lost, found], initial: new, final: [new, found], transitions: { find: { from: lost, to: found } }',
      ),
      [
        'unreachable-state lost: nothing leads to lost → list a transition to it, or take it out',
        'unreachable-state found: nothing leads to found → list a transition to it, or take it out',
      ],
    ],
    [
      'nothing leads out of it',
      machine('states: [new, sent], initial: new, transitions: { send: { from: new, to: sent } }'),
      [
        'dead-end sent: nothing leads out of sent, and it is not final → name it in final, or list a transition from it',
      ],
    ],
    [
      'where an item may begin is not known',
      machine(
        'states: [new, sent], initial: "${this.label}", transitions: { send: { from: new, to: sent } }',
      ),
      [
        'dead-end sent: nothing leads out of sent, and it is not final → name it in final, or list a transition from it',
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  const lonely =
    'Parcel.status: { states: [new, sent, lost], initial: new, transitions: { send: { from: new, to: sent } } }';
  it.each<[string, string]>([
    ['the transitions are not closed', document({ resources, states: lonely })],
    [
      'they are asked about',
      document({
        head: `complete: [states]\nopen: { 'states["Parcel.status"].transitions': more? }`,
        resources,
        states: lonely,
      }),
    ],
    [
      'one of them asks where it leads from',
      machine(
        'states: [new, sent], initial: new, final: [new, sent], transitions: { send: { from: (open), to: sent } }',
      ),
    ],
    [
      'one of them asks where it leads to',
      machine(
        'states: [new, sent], initial: new, final: [sent], transitions: { send: { from: new, to: (open) } }',
      ),
    ],
    [
      'one of them asks all',
      machine('states: [new, sent], initial: new, final: [new, sent], transitions: { send: (open) when? }'),
    ],
    ['where an item begins is open', machine('states: [new, sent], final: [new, sent], transitions: {}')],
    [
      'an item begins in several',
      machine(
        `states: [new, sent, lost], initial: "\${this.weight > 5 ? 'new' : this.weight > 2 ? 'sent' : 'lost'}", final: [new, sent, lost], transitions: {}`,
      ),
    ],
    [
      'what is final is asked',
      machine(
        'states: [new, sent], initial: new, final: (open) which?, transitions: { send: { from: new, to: sent } }',
      ),
    ],
    [
      'an item ends where it leads out',
      machine('states: [new], initial: new, transitions: { drop: { from: new, to: (none), after: P1Y } }'),
    ],
    [
      'it goes around',
      machine(
        'states: [on, off], initial: on, transitions: { a: { from: on, to: off }, b: { from: off, to: on } }',
      ),
    ],
  ])('not told where %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});

describe('what a transition says is checked', () => {
  it.each<[string, string, string[]]>([
    [
      'a name that is a verb',
      document({ resources, states: 'Parcel.status: { transitions: { delete: {} } }' }),
      ['bad-name delete: delete cannot be a name here → it is a word of every change (language §H.2)'],
    ],
    [
      'a name that is a qualifier',
      document({ resources, states: 'Parcel.status: { transitions: { when: {} } }' }),
      ['bad-name when: when cannot be a name here → it is a word of every change (language §H.2)'],
    ],
    [
      'a name that another machine of the resource has',
      document({
        resources,
        states: 'Parcel.status: { transitions: { go: {} } }\nParcel.label: { transitions: { go: {} } }',
      }),
      ['key-twice go: go stands twice → keep one of them'],
    ],
    [
      'a guard that is neither true nor false',
      move('when: "${this.weight}"'),
      ['expression-type this.weight: this is an integer, and true or false is wanted → null'],
    ],
    [
      'a slip in a guard',
      move('when: "${this.weigth > 5}"'),
      ['expression-type this.weigth: an item of Parcel has no weigth; did you mean weight? → null'],
    ],
    [
      'a state that never is',
      move(`when: "\${this.status == 'snet'}"`),
      ["expression-type 'snet': it is never 'snet'; did you mean 'sent'? → null"],
    ],
    [
      'a field that it sets',
      move('set: { lable: a }'),
      ['unknown-name lable: lable is not the name of a field → did you mean label?'],
    ],
    [
      'a value of another kind',
      move('set: { weight: heavy }'),
      ['wrong-kind heavy: an integer is wanted here, and this is text → null'],
    ],
    [
      'an expression of another kind',
      move('set: { weight: "${now}" }'),
      ['expression-type now: this is a time, and an integer is wanted → null'],
    ],
    [
      'a state set by hand that is none',
      move('set: { status: lost }'),
      ['wrong-kind lost: one of new, sent is wanted here, and this is lost → null'],
    ],
    [
      'no duration',
      move('after: a week'),
      ['bad-duration a week: "a week" is no duration → write it as ISO 8601 does: PT30S, PT15M, P14D'],
    ],
    [
      'an expression for a duration that is none',
      move('after: "${this.weight}"'),
      ['expression-type this.weight: this is an integer, and a duration is wanted → null'],
    ],
    [
      'an expression for a time that is none',
      move('at: "${this.weight}"'),
      ['expression-type this.weight: this is an integer, and a time is wanted → null'],
    ],
    [
      'after so long, and at a time',
      move('after: P1D, at: "${this.dueAt}"'),
      [
        'contradiction at: a transition happens so long after entry, or at a time, and not both → take one of the two out, or mend it',
      ],
    ],
    [
      'how long it may be unseen, of one that is asked for',
      move('within: PT1M'),
      ['idle within: within says nothing of a transition that is asked for → take it out'],
    ],
    [
      'what follows it, of another resource',
      move('also: [{ delete: Vann }]'),
      ['unknown-name Vann: Vann is not the name of a resource → did you mean Van?'],
    ],
    [
      'what follows it, by a name that nothing has',
      move('also: [{ delete: van }]'),
      ['unknown-name van: van is not the name of a resource or an item → did you mean Van?'],
    ],
    [
      'what follows it, with a slip',
      move('also: [{ send: this, when: "${old.status == this.statsu}" }]'),
      ['expression-type this.statsu: an item of Parcel has no statsu; did you mean status? → null'],
    ],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it.each<[string, string]>([
    [
      'a guard, what is set, and a time to be seen in',
      'when: "${this.weight < 5 && this.backup.weight > 1}", set: { dueAt: "${now}", backup: "${this}", label: "${old.status}" }, after: P14D, within: PT1M',
    ],
    ['a time that is kept as text', 'after: "${this.term}"'],
    ['a time that is worked out', 'at: "${this.dueAt + duration(this.term)}"'],
    ['the operator’s time', 'after: operator'],
    ['months, whose length varies', 'after: P2Y3M'],
    [
      'what follows it',
      'also: [{ create: Parcel, with: { label: "${old.label}", backup: "${this}" }, as: copy }, { update: "${copy}", with: { weight: 5 }, when: "${copy.weight == null}" }, { send: "${this.backup}" }]',
    ],
    [
      'what follows it for each of several',
      'also: [{ create: Van, for: "${[1, 2, 3]}", with: { id: "${string(value)}" } }, { delete: every Van, where: "${this.id == \'old\'}" }]',
    ],
    ['handlers', 'when: { handled: may }, set: { label: { handled: made } }, at: { handled: then }'],
  ])('and told of none that fits: %s', (_, keys) => {
    expect(findings(move(keys))).toEqual([]);
  });
});

describe('a transition that nothing asks for is told where nothing more can ask', () => {
  const asking = (endpoints: string, keys = 'from: new, to: sent'): string =>
    document({
      head: 'complete: true',
      resources,
      states: `Parcel.status: { states: [new, sent], initial: new, final: [sent], transitions: { send: { ${keys} } } }`,
      endpoints,
    });
  const read = 'GET /{id}: { does: read Parcel, response: { status: 200, body: Parcel } }';

  it('where endpoints and transitions are closed', () => {
    expect(findings(asking(read))).toEqual([
      'idle-transition send: nothing asks for send → let an operation do it, or give it a time',
    ]);
  });

  it.each<[string, string]>([
    ['an operation does it', asking('PUT /{id}: { does: send Parcel, response: 204 }')],
    [
      'an operation does it as well',
      asking(`PUT /{id}: { does: read Parcel, also: [{ send: this }], response: 204 }`),
    ],
    [
      'an operation does it to an item that can be anything',
      asking(`PUT /{id}: { does: { send: "\${actor}" }, response: 204 }`),
    ],
    ['a handler may do it', asking('PUT /{id}: { does: { handled: h, may: [send Parcel] }, response: 204 }')],
    [
      'a handler does what is open',
      asking('PUT /{id}: { does: { handled: h, may: (open) }, response: 204 }'),
    ],
    ['what an operation does is open', asking('PUT /{id}: { does: (open), response: 204 }')],
    ['an endpoint asks all', asking(`${read}\nPUT /{id}: (open) what?`)],
    ['it has a time', asking(read, 'from: new, to: sent, after: P1D')],
    [
      'endpoints are not closed',
      document({
        head: 'complete: [states]',
        resources,
        states:
          'Parcel.status: { states: [new, sent], initial: new, final: [sent], transitions: { send: { from: new, to: sent } } }',
        endpoints: read,
      }),
    ],
    [
      'its field is written',
      asking(read).replace('status: { type: string }', 'status: { type: string, writable: true }'),
    ],
    [
      'work in a state asks for it',
      asking(read).replace('initial: new', 'initial: new, work: { new: { handled: h, may: [send Parcel] } }'),
    ],
  ])('not where %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});

describe('work in a state is checked', () => {
  const work = (keys: string): string =>
    machine(
      `states: [new, sent], initial: new, final: [sent], transitions: { send: { from: new, to: sent } }, work: { ${keys} }`,
    );
  it.each<[string, string, string[]]>([
    [
      'a state that it does not list',
      'nwe: { handled: h, may: [send Parcel] }',
      ['unknown-name nwe: nwe is not the name of a state → did you mean new?'],
    ],
    [
      'a transition that there is not',
      'new: { handled: h, may: [sned Parcel] }',
      ['unknown-name sned Parcel: sned is not the name of a transition → did you mean send?'],
    ],
    [
      'a resource that there is not',
      'new: { handled: h, may: [send Parcle] }',
      ['unknown-name send Parcle: Parcle is not the name of a resource → did you mean Parcel?'],
    ],
  ])('%s', (_, keys, expected) => {
    expect(findings(work(keys))).toEqual(expected);
  });

  it('and may ask for verbs too', () => {
    expect(findings(work('new: { handled: h, may: [send Parcel, update Parcel, create Van] }'))).toEqual([]);
  });
});
