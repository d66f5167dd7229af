import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { further, type Line, line, openLine, standingOf } from '../wording/line.ts';
import { machinesOf } from '../wording/machines.ts';
import type { Graph, GraphEdge, GraphNode, Picture } from './picture.ts';

export const mapName = 'map';

/** The resources of a document, and which fields refer to items of which others (language §2). */
export function mapPicture(of: Specification): Picture {
  const drawing = graphOf(of);
  const references = drawing.edges.length;
  return {
    name: mapName,
    says: `The resources (${drawing.nodes.length}) and the references between them (${references})`,
    drawing,
  };
}

function graphOf(of: Specification): Graph {
  const resources = [...of.resourcesByName.values()];
  const edges = resources.flatMap((resource) =>
    [...resource.fields.values()].flatMap((field) => referenceOf(resource, field)),
  );
  const known = new Set(resources.map(({ name }) => name));
  const missing = [...new Set(edges.map(({ to }) => to))].filter((name) => !known.has(name));
  return {
    kind: 'map',
    nodes: [...resources.map((resource) => nodeOf(of, resource)), ...missing.map(undescribed)],
    edges,
    notes:
      of.resources.kind === 'open'
        ? [openLine(of.resources, 'resources')]
        : further(of, 'resources', 'further resources'),
  };
}

function nodeOf(of: Specification, resource: Resource): GraphNode {
  const { identifier, name, address } = resource;
  const keys = stated(identifier);
  const key = keys
    ? line(`by ${keys.map(({ text }) => text).join(', ')}`, standingOf(identifier))
    : openLine(identifier, 'identifier');
  const machines = [...machinesOf(of).keys()].filter((machine) => machine.startsWith(`${name}.`));
  return {
    id: name,
    form: 'resource',
    lines: [
      line(name),
      ...(identifier.kind === 'none' || identifier.kind === 'any' ? [] : [key]),
      ...machines.map((machine) => line(`states: ${machine.slice(name.length + 1)}`)),
      ...(of.points.get(`${address}.fields.*`)?.question ? further(of, `${address}.fields`, 'fields') : []),
    ],
    standing: of.points.get(address)?.state ?? 'stated',
  };
}

/** A resource that only a reference names. */
function undescribed(name: string): GraphNode {
  return {
    id: name,
    form: 'resource',
    lines: [line(name), line('described nowhere', 'open')],
    standing: 'open',
  };
}

function referenceOf(resource: Resource, field: Field): readonly GraphEdge[] {
  const refers = stated(field.refers);
  if (refers === undefined) return [];
  const fate = stated(field.ifDeleted);
  const isKey = stated(resource.identifier)?.some(({ text }) => text === field.name) ?? false;
  return [
    {
      from: resource.name,
      to: refers.resource,
      form: fate === 'delete' || isKey ? 'child' : 'reference',
      lines: [line(field.name, standingOf(field.refers)), ...fateLines(field)],
      standing: standingOf(field.refers),
    },
  ];
}

/** What becomes of an item if that to which it refers is deleted. */
function fateLines({ ifDeleted }: Field): readonly Line[] {
  const fate = stated(ifDeleted);
  if (fate) return [line(`if deleted: ${fate}`, standingOf(ifDeleted))];
  return isAsked(ifDeleted) ? [openLine(ifDeleted, 'if deleted')] : [];
}
