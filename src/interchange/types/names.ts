import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Items } from '../schemas/items.ts';
import { interfaceOf } from './layout.ts';
import { type Named, typeOfSchema } from './schema.ts';

/** What a name of part 2 is in TypeScript: a member of `Shapes` or of `Shown`. */
export function naming(of: Specification): Named {
  const entries = stated(of.resources);
  return (name) => {
    const entry = stated(entries?.get(name));
    if (entry?.kind === 'shape') return `Shapes[${JSON.stringify(name)}]`;
    return entry ? `Shown[${JSON.stringify(name)}]` : 'unknown';
  };
}

/** The interfaces `Shapes` and `Shown`: all that has a name in part 2, as it is sent. */
export function namedTypes(of: Specification, items: Items, named: Named): readonly string[] {
  const entries = [...(stated(of.resources) ?? [])].map(([name, said]) => [name, stated(said)] as const);
  const resources = [...of.resourcesByName.values()].map(
    (each) => [each.name, typeOfSchema(items.shown(each), named)] as const,
  );
  const views = entries.flatMap(([name, each]) =>
    each?.kind === 'view' ? [[name, typeOfSchema(items.view(each), named)] as const] : [],
  );
  const shapes = entries.flatMap(([name, each]) =>
    each?.kind === 'shape' ? [[name, typeOfSchema(schemaOf(each.shape), named)] as const] : [],
  );
  return [
    interfaceOf('Shapes', 'Shapes that have a name, and are not kept.', shapes),
    interfaceOf('Shown', 'Items as answers show them: resources, and views of them.', [
      ...resources,
      ...views,
    ]),
  ];
}

/** A text on one line, as a comment has it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
