import type { Line } from '../wording/line.ts';
import type { Graph, GraphEdge, GraphNode, Picture, Sequence, SequenceStep } from './picture.ts';

/**
 * A picture as Mermaid (version 11 reads it): a state diagram, a flowchart or a sequence diagram. No text of the
 * document is syntax in it, nor Markdown, nor HTML.
 */
export function mermaid({ drawing, says }: Picture): string {
  const body =
    drawing.kind === 'sequence'
      ? sequence(drawing)
      : drawing.kind === 'map'
        ? map(drawing)
        : machine(drawing);
  const [head, ...lines] = body;
  return `${[head, `  accTitle: ${escaped(says)}`, ...lines.map((text) => `  ${text}`)].join('\n')}\n`;
}

/** Colours that can be read on light and dark paper: the text of what is marked says so, too. */
const marks = [
  'classDef open stroke:#c4541a,stroke-width:2px,stroke-dasharray:5 3',
  'classDef assumed stroke:#3b6fb6,stroke-width:2px,stroke-dasharray:1 3',
];

function machine({ nodes, edges, notes }: Graph): readonly string[] {
  const ids = new Map(nodes.map((node, index) => [node.id, idOf(node, index)]));
  const boxes = nodes.filter(({ form }) => form !== 'start' && form !== 'deleted');
  const lines = [
    'stateDiagram-v2',
    ...boxes.map((node) => `state "${joined(node.lines)}" as ${ids.get(node.id)}`),
    ...loopsAsOne(edges).map((edge) => `${ids.get(edge.from)} --> ${ids.get(edge.to)}${moveLabel(edge)}`),
    ...nodes.filter(({ form }) => form === 'final').map(({ id }) => `${ids.get(id)} --> [*]`),
    ...notes.map((note, index) => `state "${joined([note])}" as note${index + 1}`),
  ];
  return [
    ...lines,
    ...marked(
      boxes.map((node) => [ids.get(node.id) ?? '', node.standing] as const),
      notes.map(({ standing }, index) => [`note${index + 1}`, standing] as const),
    ),
  ];
}

function moveLabel({ to, lines }: GraphEdge): string {
  const text = joined(lines).replaceAll(':', coded);
  if (to === 'deleted') return ` : ${text}<br>the item is deleted`;
  return text === '' ? '' : ` : ${text}`;
}

function map({ nodes, edges, notes }: Graph): readonly string[] {
  const ids = new Map(nodes.map((node, index) => [node.id, idOf(node, index)]));
  return [
    'flowchart LR',
    ...nodes.map((node) => `${ids.get(node.id)}["${joined(node.lines)}"]`),
    ...loopsAsOne(edges).map(
      (edge) => `${ids.get(edge.from)} ${arrow(edge)}|"${joined(edge.lines)}"| ${ids.get(edge.to)}`,
    ),
    ...notes.map((note, index) => `note${index + 1}["${joined([note])}"]`),
    ...marked(
      nodes.map((node) => [ids.get(node.id) ?? '', node.standing] as const),
      notes.map(({ standing }, index) => [`note${index + 1}`, standing] as const),
    ),
  ];
}

/** Mermaid draws one edge from a node to itself, and drops others. */
function loopsAsOne(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const [loops, others] = [edges.filter(isLoop), edges.filter((edge) => !isLoop(edge))];
  const together = [...Map.groupBy(loops, ({ from }) => from).values()].map((group) => ({
    ...(group.find(({ standing }) => standing !== 'stated') ?? (group[0] as GraphEdge)),
    lines: group.flatMap(({ lines }) => lines),
  }));
  return [...others, ...together];
}

function isLoop({ from, to }: GraphEdge): boolean {
  return from === to;
}

function arrow({ form, standing }: GraphEdge): string {
  if (standing !== 'stated') return '-.->';
  return form === 'child' ? '==>' : '-->';
}

function idOf({ form }: GraphNode, index: number): string {
  return form === 'start' || form === 'deleted' ? '[*]' : `n${index + 1}`;
}

/** The classes of what is not stated. */
function marked(...groups: readonly (readonly (readonly [string, string])[])[]): readonly string[] {
  const found = groups.flat().filter(([, standing]) => standing !== 'stated');
  return found.length === 0 ? [] : [...marks, ...found.map(([id, standing]) => `class ${id} ${standing}`)];
}

function sequence({ participants, steps }: Sequence): readonly string[] {
  return [
    'sequenceDiagram',
    ...participants.map(({ name, form }, index) => {
      const kind = form === 'client' ? 'actor' : 'participant';
      return `${kind} p${index} as ${escaped(name)}`;
    }),
    ...steps.flatMap(stepLines),
  ];
}

function stepLines(step: SequenceStep): readonly string[] {
  switch (step.kind) {
    case 'note': {
      const [first, last] = step.over;
      const over = first === last ? `p${first}` : `p${first},p${last}`;
      return [`Note over ${over}: ${joined(step.lines)}`];
    }
    case 'message':
      return [`p${step.from}${arrows[step.form]}p${step.to}: ${joined(step.lines)}`];
    case 'block':
      return [
        ...step.branches.flatMap(({ title, steps }, index) => [
          `${index === 0 ? step.word : 'else'} ${escaped(title)}`,
          ...steps.flatMap(stepLines).map((text) => `  ${text}`),
        ]),
        'end',
      ];
  }
}

const arrows = { request: '->>', change: '->>', answer: '-->>', delivery: '-)' } as const;

function joined(lines: readonly Line[]): string {
  return lines.map(({ text }) => escaped(text)).join('<br>');
}

/** Longer texts are cut: a picture is no place to read a page of an expression. */
const most = 120;

/**
 * Text of which nothing means anything to Mermaid. It reads `#NUMBER;` as the character of this number, everywhere.
 * Two of its own words would take the `;` away again.
 */
function escaped(text: string): string {
  const characters = [...text.toWellFormed().replace(/\p{Cc}+/gu, ' ')];
  const short = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
  return short
    .trim()
    .replace(/(?!: )[^\p{L}\p{M}\p{N}\p{Zs} .,_/(){}='+!?→…-]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, coded)
    .replace(/^[-+]|(?<=^\d+)\.|(?<=^\(?(?:no)?)w(?=rap)|(?<=www)\.|s(?=tyle)|c(?=lassDef)|-(?=-)/gu, coded);
}

function coded(character: string): string {
  return `#${character.codePointAt(0)};`;
}
