import { initialStates } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Machine, Transition } from '../../specification/vocabulary/parts/states.ts';
import { further, type Line, line, listed, openLine, standingOf, written } from '../wording/line.ts';
import type { Graph, GraphEdge, GraphNode, Picture } from './picture.ts';

/** The states of a machine, the moves between them, and what is open of both. */
export function machinePicture(of: Specification, name: string, said: Said<Machine>): Picture {
  const machine = stated(said);
  return {
    name,
    says: `The states of ${name}${machine ? `: ${stateNames(machine)}` : ', which are open'}`,
    drawing: machine
      ? drawn(of, machine, said)
      : { kind: 'machine', nodes: [], edges: [], notes: [openLine(said, 'states and transitions')] },
  };
}

function stateNames({ states }: Machine): string {
  const names = (stated(states) ?? []).map(({ text }) => text);
  return names.length === 0 ? 'which are open' : listed(names);
}

function drawn(of: Specification, machine: Machine, said: Said<Machine>): Graph {
  const graph = new MachineGraph(machine);
  graph.begin(machine.initial);
  const transitions = stated(machine.transitions) ?? new Map<string, Said<Transition>>();
  const notes = [...transitions].flatMap(([name, move]) => graph.move(name, move));
  return {
    kind: 'machine',
    nodes: graph.nodes,
    edges: graph.edges,
    notes: [
      ...(machine.states.kind === 'open' ? [openLine(machine.states, 'states')] : []),
      ...notes,
      ...(machine.transitions.kind === 'open' && machine.transitions.question !== null
        ? [openLine(machine.transitions, 'transitions')]
        : further(of, machine.transitions.address, 'further transitions')),
      ...(standingOf(said) === 'assumed' ? [line('the machine as a whole', 'assumed')] : []),
    ],
  };
}

/** The graph of a machine as it grows: a state that only a move names is one, too. */
class MachineGraph {
  readonly edges: GraphEdge[] = [];
  readonly #machine: Machine;
  readonly #nodes = new Map<string, GraphNode>();

  constructor(machine: Machine) {
    this.#machine = machine;
    for (const { text } of stated(machine.states) ?? []) this.#state(text);
  }

  get nodes(): readonly GraphNode[] {
    return [...this.#nodes.values()];
  }

  /** Where a new item begins; an expression may choose between several states. */
  begin(initial: Machine['initial']): void {
    if (initial.kind === 'none' || initial.kind === 'any') return;
    const from = this.#special('start');
    const standing = standingOf(initial);
    const template = stated(initial);
    const states = initialStates(this.#machine);
    if (template === undefined || states === undefined) {
      const text = template ? written(template) : undefined;
      const label = text === undefined ? openLine(initial, 'first state') : line(text, standing);
      this.edges.push({ from, to: this.#special('unknown'), form: 'move', lines: [label], standing });
      return;
    }
    const chosen = states.length > 1 || standing === 'assumed' ? [line(written(template), standing)] : [];
    for (const state of states)
      this.edges.push({ from, to: this.#state(state), form: 'move', lines: chosen, standing });
  }

  /** Draws a move. Gives what cannot be drawn, because it is open from where it leads. */
  move(name: string, said: Said<Transition>): readonly Line[] {
    const move = stated(said);
    if (move === undefined) return said.kind === 'open' ? [openLine(said, `transition ${name}`)] : [];
    const from = stated(move.from);
    if (from === undefined) return [openLine(move.from, `${name}, from which state`)];
    const standing = standingOf(move.from, move.to, said);
    const to = this.#target(move);
    const lines = [
      move.to.kind === 'open' ? openLine(move.to, name) : line(name, standing),
      ...conditionsOf(move),
    ];
    for (const { text } of from)
      this.edges.push({ from: this.#state(text), to, form: 'move', lines, standing });
    return [];
  }

  #target({ to }: Transition): string {
    if (to.kind === 'none') return this.#special('deleted');
    const state = stated(to);
    return state === undefined ? this.#special('unknown') : this.#state(state.text);
  }

  #state(name: string): string {
    const id = `state ${name}`;
    if (this.#nodes.has(id)) return id;
    const { states, final, work } = this.#machine;
    const isFinal = stated(final)?.some(({ text }) => text === name) ?? false;
    const said = stated(work)?.get(name);
    const done = stated(said);
    const works = said ? [done ? workLine(done.handled) : openLine(said, 'work')] : [];
    const standing = states.kind === 'stated' ? standingOf(states) : 'stated';
    const lines = [line(name, standing), ...works];
    this.#nodes.set(id, { id, form: isFinal ? 'final' : 'state', lines, standing });
    return id;
  }

  #special(form: 'start' | 'deleted' | 'unknown'): string {
    const texts = { start: [], deleted: [line('deleted')], unknown: [line('which state?', 'open')] };
    const standing = form === 'unknown' ? 'open' : 'stated';
    this.#nodes.set(form, { id: form, form, lines: texts[form], standing });
    return form;
  }
}

function workLine(handled: Said<{ readonly text: string }>): Line {
  const name = stated(handled);
  return name ? line(`work: ${name.text}`, standingOf(handled)) : openLine(handled, 'work');
}

/** When a move is made by itself, and its guard. */
function conditionsOf({ after, at, when }: Transition): readonly Line[] {
  const lines: Line[] = [];
  const wait = stated(after);
  if (wait) {
    const long =
      wait.kind === 'duration'
        ? wait.duration.text
        : wait.kind === 'operator'
          ? 'what the operator sets'
          : written(wait.expression);
    lines.push(line(`after ${long}`, standingOf(after)));
  } else if (after.kind === 'open' && after.asked) lines.push(openLine(after, 'after'));
  const time = stated(at);
  if (time) lines.push(line(`at ${written(time)}`, standingOf(at)));
  else if (at.kind === 'open' && at.asked) lines.push(openLine(at, 'at'));
  const guard = stated(when);
  if (guard) lines.push(line(`if ${written(guard)}`, standingOf(when)));
  else if (when.kind === 'open' && when.asked) lines.push(openLine(when, 'if'));
  return lines;
}
