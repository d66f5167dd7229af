import { compare, field, literal, parameter, query, rowOf } from '../../expression/query.ts';
import { machinePicture } from '../../interchange/pictures/machine.ts';
import type { Graph, GraphNode } from '../../interchange/pictures/picture.ts';
import type { LaidGraph } from '../../interchange/pictures/svg/graph.ts';
import { admission } from '../../interchange/wording/admission.ts';
import { changesOf } from '../../interchange/wording/changes.ts';
import { emittedBy } from '../../interchange/wording/events.ts';
import { type Line, line } from '../../interchange/wording/line.ts';
import { machinesOf } from '../../interchange/wording/machines.ts';
import { Refused } from '../../load/refused.ts';
import { timerTable } from '../../service/change/timers.ts';
import { statement } from '../../service/store/rows.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';
import { type Context, type Given, textOf } from '../context.ts';
import { beside, resourcesOf } from './beside.ts';

/** The machines of the document, and one of them drawn (language §3). */
export interface MachineView {
  readonly names: readonly string[];
  /** Null: the document has none. */
  readonly machine: MachineDetail | null;
}

export interface MachineDetail {
  readonly name: string;
  readonly resource: string;
  readonly field: string;
  readonly address: string;
  /** What it shows, for those who do not see it. */
  readonly says: string;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly DrawnState[];
  readonly edges: readonly DrawnMove[];
  /** What is open and has no place in the picture. */
  readonly notes: readonly Line[];
  readonly moves: readonly MoveDetail[];
  /** How many items there are in each state; null: no service runs, or none are stored. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** The moves that are due at a time, the next first. */
  readonly timers: readonly Timer[];
  readonly timersLeft: number;
}

export interface DrawnState {
  readonly form: GraphNode['form'];
  readonly standing: GraphNode['standing'];
  /** The state; null: it is none. */
  readonly state: string | null;
  readonly lines: readonly Line[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface DrawnMove {
  /** The transition; null: where an item begins. */
  readonly move: string | null;
  readonly standing: GraphNode['standing'];
  readonly curve: string;
  readonly tip: string;
  readonly lines: readonly Line[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A transition: who may ask for it, and what else happens. */
export interface MoveDetail {
  readonly name: string;
  readonly address: string;
  readonly from: readonly string[];
  /** Null: the item is deleted, or it is open. */
  readonly to: string | null;
  /** When it happens by itself, and its guard. */
  readonly conditions: readonly Line[];
  readonly operations: readonly {
    readonly name: string;
    readonly key: string;
    readonly who: readonly Line[];
  }[];
  /** The fields that are set, and the kinds of events that tell of it. */
  readonly sets: readonly string[];
  readonly emits: readonly string[];
}

/** A move that an item makes by itself. */
export interface Timer {
  readonly resource: string;
  readonly key: string;
  readonly move: string;
  /** RFC 3339. */
  readonly due: string;
}

/** So many timers are listed. */
const mostTimers = 20;

/** The machines by name, and that which is asked for: by default the first. */
export async function machineView(given: Given, { desk }: Context): Promise<MachineView> {
  const running = desk.running();
  const specification = desk.read().specification;
  const machines = machinesOf(specification);
  const names = [...machines.keys()];
  const name = given['name'] === undefined ? names[0] : textOf(given, 'name');
  if (name === undefined) return { names, machine: null };
  const said = machines.get(name);
  if (said === undefined) throw new Refused(`the document has no machine ${name}`);
  const drawn = await drawnOf(specification, name, said);
  const stored =
    running && machinesOf(running.specification).has(name) ? await storedOf(name, running) : null;
  return { names, machine: { ...drawn, ...(stored ?? nothingStored) } };
}

const nothingStored = { counts: null, timers: [], timersLeft: 0 };

type Drawn = Omit<MachineDetail, keyof typeof nothingStored>;

const drawnOf = once(async (of: Specification, name: string, said: Said<Machine>): Promise<Drawn> => {
  const picture = machinePicture(of, name, said);
  const graph = picture.drawing as Graph;
  // What lays out pictures is loaded only where one is laid out.
  const { curveOf, laidOut, tipOf } = await import('../../interchange/pictures/svg/graph.ts');
  const laid: LaidGraph = laidOut({ nodes: graph.nodes.map(withRoom), edges: graph.edges });
  const dot = name.indexOf('.');
  const moves = movesOf(of, name, said, graph);
  return {
    name,
    resource: name.slice(0, dot),
    field: name.slice(dot + 1),
    address: `states[${JSON.stringify(name)}]`,
    says: picture.says,
    width: laid.width,
    height: laid.height,
    nodes: laid.nodes.map(({ node, text, x, y, width, height }) => ({
      form: node.form,
      standing: node.standing,
      state: stateOf(node),
      lines: stateOf(node) === null ? text.lines : text.lines.slice(0, -1),
      ...{ x, y, width, height },
    })),
    edges: laid.edges.map(({ edge, text, path, x, y }) => ({
      move: edge.from === 'start' ? null : moveIn(edge.lines),
      standing: edge.standing,
      curve: curveOf(path),
      tip: tipOf(path.at(-2) ?? { x, y }, path.at(-1) ?? { x, y }),
      lines: text.lines,
      ...{ x, y, width: text.width, height: text.height },
    })),
    notes: graph.notes,
    moves,
  };
});

/** A state has room for how many items are in it, so that nothing moves as they come and go. */
function withRoom(node: GraphNode): GraphNode {
  return stateOf(node) === null ? node : { ...node, lines: [...node.lines, line('000,000 items')] };
}

function stateOf({ id }: Pick<GraphNode, 'id'>): string | null {
  return id.startsWith('state ') ? id.slice('state '.length) : null;
}

/** The transition that the first line of an edge names. */
function moveIn(lines: readonly Line[]): string | null {
  const name = /^(?:\(open\) )?([A-Za-z_][\w-]*)/.exec(lines[0]?.text ?? '')?.[1];
  return name ?? null;
}

function movesOf(
  of: Specification,
  machine: string,
  said: Said<Machine>,
  graph: Graph,
): readonly MoveDetail[] {
  const [resource = ''] = machine.split('.');
  const changes = of.operations.map((operation) => ({ operation, all: changesOf(of, operation) }));
  return [...(stated(stated(said)?.transitions) ?? [])].flatMap(([name, said]): MoveDetail[] => {
    const move = stated(said);
    if (move === undefined) return [];
    const asking = changes.filter(({ all }) => all.some((one) => one.move === `${resource}.${name}`));
    const edge = graph.edges.find(({ from, lines }) => from !== 'start' && moveIn(lines) === name);
    const emits = [...(stated(stated(of.events)?.kinds) ?? [])].flatMap(([kind, what]) =>
      stated(stated(what)?.by)?.some(({ text }) => text === `${resource}.${name}`) ? [kind] : [],
    );
    return [
      {
        name,
        address: said.address,
        from: (stated(move.from) ?? []).map(({ text }) => text),
        to: stated(move.to)?.text ?? null,
        conditions: edge?.lines.slice(1) ?? [],
        operations: asking.map(({ operation }) => ({
          name: operation.name,
          key: operation.key,
          who: admission(of, operation),
        })),
        sets: [...(stated(move.set) ?? [])].map(([field]) => field),
        emits: [
          ...new Set([...emits, ...asking.flatMap(({ operation, all }) => emittedNames(of, operation, all))]),
        ],
      },
    ];
  });
}

function emittedNames(...about: Parameters<typeof emittedBy>): readonly string[] {
  return emittedBy(...about).flatMap(({ kind }) => kind ?? []);
}

/** How many items are in each state, and which moves are due. */
async function storedOf(
  name: string,
  running: Parameters<typeof beside>[0] & { readonly specification: Specification },
): Promise<Pick<MachineDetail, keyof typeof nothingStored> | null> {
  const [resource = '', member = ''] = name.split('.');
  const kept = resourcesOf(running.specification).get(resource);
  if (kept === undefined) return null;
  const machine = stated(machinesOf(running.specification).get(name));
  const states = (stated(machine?.states) ?? []).map(({ text }) => text);
  const row = rowOf(kept.table);
  const isIn = compare('==', field(row, member, 'text'), parameter(0, 'text'));
  const counting = statement(query(row, { where: isIn, gives: { kind: 'count' } }));
  return beside(running, [kept.table, timerTable], async (store, has) => {
    if (!has(kept.table)) return null;
    const counts = await store.read((reads) =>
      Object.fromEntries(states.map((state) => [state, Number(reads.value(counting, [state]))])),
    );
    const moves = stated(machine?.transitions) ?? new Map();
    const all = has(timerTable) ? await timersIn(store, resource) : [];
    const timers = all.filter(({ move }) => moves.has(move));
    return {
      counts,
      timers: timers.slice(0, mostTimers),
      timersLeft: Math.max(0, timers.length - mostTimers),
    };
  });
}

/** So many timers are read. */
const mostRead = 1000;

/** The timers of a resource, or of all, the next first. */
export async function timersIn(
  store: { readonly read: Parameters<Parameters<typeof beside>[2]>[0]['read'] },
  resource: string | null,
): Promise<readonly Timer[]> {
  const row = rowOf(timerTable);
  const due = field(row, 'due', 'text');
  const where =
    resource === null ? null : compare('==', field(row, 'resource', 'text'), parameter(0, 'text'));
  const all = statement(
    query(row, { where, order: [{ by: due, descending: false }], limit: literal(mostRead) }),
  );
  const rows = await store.read((reads) => reads.rows(all, resource === null ? [] : [resource]));
  return rows.map(({ key, text }) => ({
    resource: String(key[0]),
    key: String(key[1]),
    move: String(key[2]),
    due: (JSON.parse(text) as { readonly due: string }).due,
  }));
}
