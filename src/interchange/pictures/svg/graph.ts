import { Graph as Layout, layout, type Point } from '@dagrejs/dagre';
import type { Graph, GraphEdge, GraphNode } from '../picture.ts';
import { blockOf, type Drawn, drawnText, round, type TextBlock } from './text.ts';

/** Lengths in pixels. */
const size = { text: 200, label: 170, padding: 14, dot: 16, note: 460, arrow: 9 } as const;

/** A node where it is drawn: its middle and its size, in pixels. */
export interface LaidNode {
  readonly node: GraphNode;
  readonly text: TextBlock;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An edge where it is drawn: a cubic curve, and the middle of its label. */
export interface LaidEdge {
  readonly edge: GraphEdge;
  readonly text: TextBlock;
  readonly path: readonly Point[];
  readonly x: number;
  readonly y: number;
}

/** A graph laid out in layers, its upper left corner at 0, 0. */
export interface LaidGraph {
  readonly nodes: readonly LaidNode[];
  readonly edges: readonly LaidEdge[];
  readonly width: number;
  readonly height: number;
}

/** Lays boxes and arrows out in layers. */
export function laidOut({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): LaidGraph {
  const graph = new Layout({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 44, ranksep: 46, edgesep: 26, ranker: 'network-simplex' });
  const placed = nodes.map(sized);
  for (const { node, width, height } of placed) graph.setNode(node.id, { width, height });
  const labels = edges.map(({ lines }) => blockOf(lines, size.label));
  edges.forEach(({ from, to }, index) => {
    const { width, height } = labels[index] as TextBlock;
    graph.setEdge(from, to, { width: width + 12, height: height + 4, labelpos: 'c' }, String(index));
  });
  if (nodes.length > 0) layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    nodes: placed.map((one) => {
      const { x = 0, y = 0 } = graph.node(one.node.id);
      return { ...one, x, y };
    }),
    edges: edges.map((edge, index) => {
      const { points = [], x = 0, y = 0 } = graph.edge(edge.from, edge.to, String(index));
      const text = labels[index] as TextBlock;
      const from = graph.node(edge.from) as {
        readonly x: number;
        readonly y: number;
        readonly width: number;
      };
      const isLoop = edge.from === edge.to;
      const path = isLoop ? loop(from, from.width / 2, x - text.width / 2 - 4) : smooth(points);
      return { edge, text, path, x, y };
    }),
    width,
    height,
  };
}

/** Boxes and arrows, laid out in layers. */
export function drawnGraph(graph: Graph): Drawn {
  const { nodes, edges, width, height } = laidOut(graph);
  const beneath = notesAt(graph.notes, nodes.length > 0 ? height + 14 : 0);
  return {
    marks: [
      ...edges.map(({ edge, path }) => arrow(edge, path)),
      ...nodes.map(box),
      ...edges.map(({ text, x, y }) => label(text, x, y)),
      beneath.marks,
    ].join('\n'),
    width: Math.max(width, beneath.width, graph.kind === 'map' ? 120 : 0),
    height: beneath.height,
  };
}

function sized(node: GraphNode): Omit<LaidNode, 'x' | 'y'> {
  const text = blockOf(node.lines, size.text);
  if (node.form === 'start') return { node, text, width: size.dot, height: size.dot };
  return { node, text, width: Math.max(56, text.width + 2 * size.padding), height: text.height + 16 };
}

function box({ node: { form, standing }, text, width, height, x, y }: LaidNode): string {
  if (form === 'start')
    return `<circle class="dot" cx="${round(x)}" cy="${round(y)}" r="${size.dot / 2 - 1}"/>`;
  const radius = form === 'resource' ? 3 : Math.min(14, height / 2);
  const rect = (inset: number, classes: string): string =>
    `<rect class="${classes}" x="${round(x - width / 2 + inset)}" y="${round(y - height / 2 + inset)}" width="${round(width - 2 * inset)}" height="${round(height - 2 * inset)}" rx="${Math.max(1, radius - inset)}"/>`;
  const classes = form === 'deleted' ? `box dashes ${standing}` : `box ${standing}`;
  const second = form === 'final' ? rect(3.5, 'line') : '';
  return `${rect(0, classes)}${second}${drawnText(text, x, y - text.height / 2, 'name')}`;
}

function label(text: TextBlock, x: number, y: number): string {
  if (text.lines.length === 0) return '';
  const [left, top] = [x - text.width / 2 - 4, y - text.height / 2 - 1];
  const back = `<rect class="back" x="${round(left)}" y="${round(top)}" width="${round(text.width + 8)}" height="${round(text.height + 2)}" rx="3"/>`;
  return `${back}${drawnText(text, x, y - text.height / 2, 'label')}`;
}

/** A cubic curve, and its tip. */
function arrow({ form, standing }: GraphEdge, path: readonly Point[]): string {
  const [before, last] = path.slice(-2);
  if (before === undefined || last === undefined) return '';
  const thick = form === 'child' ? ' thick' : '';
  return `<path class="line${thick} ${standing}" d="${curveOf(path)}"/>${tip(before, last, standing)}`;
}

/** A cubic curve as the data of a path. */
export function curveOf(path: readonly Point[]): string {
  const [first, ...rest] = path.map(({ x, y }) => `${round(x)} ${round(y)}`);
  return `M${first}C${rest.join(' ')}`;
}

/** From the right side of a node to its label and back. */
function loop({ x, y }: Point, half: number, label: number): readonly Point[] {
  const reach = x + half + (label - x - half) / 0.75;
  return [
    { x: x + half, y: y - 6 },
    { x: reach, y: y - 26 },
    { x: reach, y: y + 26 },
    { x: x + half, y: y + 6 },
  ];
}

/**
 * Cubic curves through points that follow one another downwards, or upwards: the first point, then two of control and
 * one on the curve for each other. Between two points it never goes back in y (Steffen 1990, with x and y exchanged).
 */
function smooth(points: readonly Point[]): readonly Point[] {
  const [first] = points;
  if (first === undefined) return [];
  const slopes = points.slice(1).map((next, index) => {
    const { x, y } = points[index] as Point;
    return (next.x - x) / (next.y - y || 1e-6);
  });
  const tangents = points.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined) return (before ?? after ?? 0) / 2;
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  const curves = points.slice(1).flatMap((next, index) => {
    const { x, y } = points[index] as Point;
    const third = (next.y - y) / 3;
    const [begin, end] = [tangents[index] as number, tangents[index + 1] as number];
    return [{ x: x + begin * third, y: y + third }, { x: next.x - end * third, y: next.y - third }, next];
  });
  return [first, ...curves];
}

/** The tip of an arrow that comes from `before` and ends at `last`. */
export function tip(before: Point, last: Point, standing: string): string {
  return `<path class="tip ${standing}" d="${tipOf(before, last)}"/>`;
}

/** The same as the data of a path. */
export function tipOf(before: Point, last: Point): string {
  const angle = Math.atan2(last.y - before.y, last.x - before.x);
  const corner = (turn: number): string => {
    const [x, y] = [
      last.x - size.arrow * Math.cos(angle + turn),
      last.y - size.arrow * Math.sin(angle + turn),
    ];
    return `${round(x)} ${round(y)}`;
  };
  return `M${round(last.x)} ${round(last.y)}L${corner(0.42)}L${corner(-0.42)}z`;
}

/** What has no place in the graph, beneath it, one under the other. */
function notesAt(notes: Graph['notes'], top: number): Drawn {
  const blocks = notes.map((note) => blockOf([note], size.note));
  let y = top;
  const marks = blocks.map((block, index) => {
    const [width, height] = [block.width + 20, block.height + 12];
    const drawn = `<rect class="box ${notes[index]?.standing ?? 'open'}" x="0.8" y="${round(y + 0.8)}" width="${round(width)}" height="${round(height)}" rx="3"/>${drawnText(block, 10.8, y + 6.8, 'note', 'start')}`;
    y += height + 8;
    return drawn;
  });
  const width = Math.max(0, ...blocks.map((block) => block.width + 22));
  return { marks: marks.join(''), width, height: notes.length > 0 ? y : Math.max(0, top - 14) };
}
