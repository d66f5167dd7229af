import { describe, expect, it } from 'vitest';
import { type Graph, linesOf, type Sequence } from '../../../src/interchange/pictures/picture.ts';
import { picturesOf } from '../../../src/interchange/pictures/pictures.ts';
import { pictureOf, specificationOf } from './documents.ts';

const shop = `
name: Shop
complete: true
open: { errors.codes: what else is refused? }
resources:
  Order:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      status: { type: string }
  Line:
    identifier: [order, number]
    fields:
      order: { refers: Order, ifDeleted: delete, writable: false }
      number: { type: integer, set: { create: "\${sequence(this.order)}" } }
      of: { refers: Line, ifDeleted: (open) clear? }
  Hook:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, url: { type: string } }
states:
  Order.status:
    states: [open, paid, sent]
    initial: open
    final: [sent]
    transitions:
      pay: { from: open, to: paid, when: "\${this.id != ''}", also: [{ create: Line, with: { order: "\${this}" } }] }
      lapse: { from: open, to: (none), after: P14D }
      send: { from: [open, paid], to: sent }
      lose: (open) can it be lost?
endpoints:
  POST /orders/{id}/payment:
    operation: payOrder
    does: pay Order
    request: { query: { twice: { type: boolean } } }
    response:
      - { when: changed, status: 200, body: Order }
      - { status: (open) 202 or 204? }
  DELETE /orders/{id}: { operation: dropOrder, does: delete Order, response: 204 }
  GET /map: { operation: map, does: list Order, response: { status: 200, body: { items: "\${Order(page.items)}" } } }
  GET /lines: { does: (open) list Line?, response: (open) }
authentication:
  schemes: { key: { type: http, scheme: bearer, credentials: operator, actor: clerk } }
  authorization: { payOrder: clerk, dropOrder: (open) who may drop one? }
  otherwise: anyone
events:
  kinds:
    order.paid: { by: [Order.pay], body: { id: "\${this.id}" } }
    order.gone: { by: [dropOrder], when: "\${old.status == 'open'}", body: { id: "\${this.id}" } }
  envelope: (none)
  delivery: { hooks: { webhook: Hook.url, where: "\${event.kind == 'order.paid'}", retries: (none) } }
errors:
  payload: (none)
  codes:
    nobody: { when: not authenticated, status: 401 }
    hidden: { when: not authorized Order, as: unknown Order }
    no_such: { when: unknown Order, status: 404 }
    unpaid: { when: guard refused Order.pay, status: (open) 409? }
limits: (none)
versioning: (none)
`;
const of = specificationOf(shop);

/** The nodes, and the edges with their texts, each as a line. */
function graphOf(name: string, from = of) {
  const { nodes, edges, notes } = pictureOf(from, name).drawing as Graph;
  const text = (lines: Graph['notes']): string => lines.map((line) => line.text).join(' | ');
  const names = new Map(nodes.map(({ id, form, lines }) => [id, lines[0]?.text ?? form]));
  return {
    nodes: nodes.map(({ form, lines, standing }) => [form, text(lines), standing]),
    edges: edges.map(
      ({ from: a, to: b, lines, form }) => `${names.get(a)} ${form} ${names.get(b)}: ${text(lines)}`,
    ),
    notes: notes.map((note) => note.text),
  };
}

/** The steps of a sequence, each as a line. */
function stepsOf(name: string, from = of): readonly string[] {
  const { participants, steps } = pictureOf(from, name).drawing as Sequence;
  const told = (all: Sequence['steps']): readonly string[] =>
    all.flatMap((step) => {
      if (step.kind === 'block')
        return step.branches.flatMap(({ title, steps: inner }) => [`${step.word} ${title}`, ...told(inner)]);
      const ends = step.kind === 'note' ? step.over : ([step.from, step.to] as const);
      const [first, last] = ends.map((end) => participants[end]?.name);
      return [
        `${first} ${step.kind === 'note' ? 'note' : step.form} ${last}: ${linesOf([step])
          .map(({ text }) => text)
          .join(' | ')}`,
      ];
    });
  return told(steps);
}

describe('the pictures of a document', () => {
  it('are the map, the machines and the operations; one with a name that is taken goes by its key', () => {
    expect(picturesOf(of).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'map map',
      'machine Order.status',
      'operation payOrder',
      'operation dropOrder',
      'operation GET /map',
      'operation GET /lines',
    ]);
    expect(picturesOf(specificationOf('name: Nothing'))).toEqual([]);
  });
});

describe('the picture of a machine', () => {
  it('has its states, each move from each of its states, and what is open', () => {
    expect(graphOf('Order.status')).toEqual({
      nodes: [
        ['state', 'open', 'stated'],
        ['state', 'paid', 'stated'],
        ['final', 'sent', 'stated'],
        ['start', '', 'stated'],
        ['deleted', 'deleted', 'stated'],
      ],
      edges: [
        'start move open: ',
        "open move paid: pay | if this.id != ''",
        'open move deleted: lapse | after P14D',
        'open move sent: send',
        'paid move sent: send',
      ],
      notes: ['(open) transition lose: can it be lost?'],
    });
  });

  it('draws no state that nobody stated, and marks what is open and assumed', () => {
    const machine = `
name: A
resources: { A: { identifier: id, fields: { id: { type: string }, s: { type: string } } } }
states:
  A.s: { states: [x, y], initial: (open) which?, transitions: { go: { from: x, to: (open) y or z? } } }
`;
    expect(graphOf('A.s', specificationOf(machine))).toEqual({
      nodes: [
        ['state', 'x', 'stated'],
        ['state', 'y', 'stated'],
        ['start', '', 'stated'],
        ['unknown', '(open) which state?', 'open'],
      ],
      edges: [
        'start move (open) which state?: (open) first state: which?',
        'x move (open) which state?: (open) go: y or z?',
      ],
      notes: ['(open) further transitions'],
    });
    const assumed = specificationOf(machine, [
      { at: 'states["A.s"].initial', value: 'x' },
      { at: 'states["A.s"].transitions.go.to', value: 'y' },
    ]);
    const { edges } = pictureOf(assumed, 'A.s').drawing as Graph;
    expect(edges.map(({ standing, lines }) => [standing, lines[0]?.text])).toEqual([
      ['assumed', 'x (assumed)'],
      ['assumed', 'go (assumed)'],
    ]);
  });
});

describe('the map', () => {
  it('has the resources and their references: a child is deleted with its parent, or known by it', () => {
    expect(graphOf('map')).toEqual({
      nodes: [
        ['resource', 'Order | by id | states: status', 'stated'],
        ['resource', 'Line | by order, number', 'stated'],
        ['resource', 'Hook | by id', 'stated'],
      ],
      edges: [
        'Line child Order: order | if deleted: delete',
        'Line reference Line: of | (open) if deleted: clear?',
      ],
      notes: [],
    });
  });
});

describe('the picture of an operation', () => {
  it('has the request, refusals, changes, events, answers and deliveries, in this order', () => {
    expect(stepsOf('payOrder')).toEqual([
      'client request service: POST /orders/{id}/payment | query: twice',
      'client note service: lets in: clerk',
      'break refused, and nothing is changed',
      'service answer client: 401 nobody',
      'service answer client: 404 no_such',
      'service answer client: (open) 409?: unpaid',
      'service answer client: hidden, as unknown Order',
      'service answer client: (open) further reasons to refuse: what else is refused?',
      'service change Order: pay Order | open → paid',
      'service change Line: create Line',
      'service note service: emits order.paid',
      'alt changed',
      'service answer client: 200 | Order',
      'alt otherwise',
      'service answer client: (open) status: 202 or 204?',
      "service delivery Hook.url: order.paid | where event.kind == 'order.paid'",
    ]);
  });

  it('has what is deleted with an item, and no refusal by a guard of another move', () => {
    const steps = stepsOf('dropOrder');
    expect(steps).toContain('client note service: (open) who may: who may drop one?');
    expect(steps.filter((step) => step.startsWith('service change'))).toEqual([
      'service change Order: delete Order',
      'service change Line: delete those of it',
    ]);
    expect(steps.join()).not.toContain('unpaid');
    expect(steps).toContain("service note service: emits order.gone | if old.status == 'open'");
  });

  it('says what is open where nothing is stated', () => {
    const steps = stepsOf('GET /lines');
    expect(steps).toContain('service note service: (open) what it does: list Line?');
    expect(steps.at(-1)).toBe('service answer client: (open) answer');
  });
});
