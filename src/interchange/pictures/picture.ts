import type { Line, Standing } from '../wording/line.ts';

/** A picture of a document. */
export interface Picture {
  /** What the picture is asked for by, such as `map`, `Parcel.status` or `registerParcel`. */
  readonly name: string;
  /** What it shows, in one sentence for those who do not see it. */
  readonly says: string;
  readonly drawing: Graph | Sequence;
}

/** States and the moves between them, or resources and what refers to what. */
export interface Graph {
  readonly kind: 'machine' | 'map';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** What is open and has no place among the nodes. */
  readonly notes: readonly Line[];
}

/** `start` and `deleted` are no states: where an item begins, and where it no longer exists. */
export type NodeForm = 'state' | 'final' | 'resource' | 'start' | 'deleted' | 'unknown';

export interface GraphNode {
  readonly id: string;
  readonly form: NodeForm;
  /** The name, and what is said beneath it; empty for `start`. */
  readonly lines: readonly Line[];
  readonly standing: Standing;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** A move of a machine; a reference to an item; or a reference to an item that this one is deleted with. */
  readonly form: 'move' | 'reference' | 'child';
  readonly lines: readonly Line[];
  readonly standing: Standing;
}

/** What follows a request, from above to below. */
export interface Sequence {
  readonly kind: 'sequence';
  readonly participants: readonly Participant[];
  readonly steps: readonly SequenceStep[];
}

export interface Participant {
  readonly name: string;
  readonly form: 'client' | 'service' | 'resource' | 'receiver';
}

/** `from`, `to` and `over` are places in the list of participants. */
export type SequenceStep =
  | {
      readonly kind: 'message';
      readonly from: number;
      readonly to: number;
      /** A delivery is not awaited. */
      readonly form: 'request' | 'change' | 'answer' | 'delivery';
      readonly lines: readonly Line[];
      readonly standing: Standing;
    }
  | { readonly kind: 'note'; readonly over: readonly [number, number]; readonly lines: readonly Line[] }
  | {
      readonly kind: 'block';
      /** `break`: nothing below happens; `alt`: one of the branches happens. */
      readonly word: 'break' | 'alt';
      readonly branches: readonly Branch[];
    };

export interface Branch {
  readonly title: string;
  readonly steps: readonly SequenceStep[];
}

/** Each line of a sequence, in order. */
export function linesOf(steps: readonly SequenceStep[]): readonly Line[] {
  return steps.flatMap((step) =>
    step.kind === 'block' ? step.branches.flatMap((branch) => linesOf(branch.steps)) : step.lines,
  );
}

/** The standings in a picture that are marked. */
export function marksIn({ drawing }: Picture): ReadonlySet<Standing> {
  const lines =
    drawing.kind === 'sequence'
      ? linesOf(drawing.steps)
      : [...[...drawing.nodes, ...drawing.edges].flatMap((part) => [part, ...part.lines]), ...drawing.notes];
  return new Set(lines.map(({ standing }) => standing).filter((one) => one !== 'stated'));
}
