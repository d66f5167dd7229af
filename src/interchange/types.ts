import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import { Items } from './schemas/items.ts';
import { schemaOfValue } from './schemas/values.ts';
import { handlerTypes } from './types/handlers.ts';
import { interfaceOf } from './types/layout.ts';
import { namedTypes, naming, oneLine } from './types/names.ts';
import { typeOfOperation } from './types/operations.ts';
import { type Named, typeOfLiteral, typeOfSchema, union } from './types/schema.ts';

type Entries = readonly (readonly [string, string])[];

/**
 * A specification in the types of TypeScript: what is kept, shown and asked, and the functions that the operator
 * gives (language §I). The same specification gives the same text. What is open may be anything: `unknown`.
 */
export function declarations(of: Specification): string {
  const items = new Items(of);
  const named = naming(of);
  const kept = [...of.resourcesByName.values()].map(
    (each) => [each.name, typeOfSchema(items.kept(each), named)] as const,
  );
  const operations = of.operations.map(
    (each) => [each.name, typeOfOperation(of, each, items, named)] as const,
  );
  const codes = [...(stated(stated(of.errors)?.codes)?.keys() ?? [])];
  return [
    `// ${oneLine(of.name)}: its types, made by \`tacet types\`. Make them anew instead of changing them.\n`,
    ...namedTypes(of, items, named),
    interfaceOf('Kept', 'Items as they are kept; a reference is the key of its item.', kept),
    interfaceOf('Operations', 'What each operation is asked, and what it answers.', operations),
    interfaceOf('Events', 'What each kind of event tells.', events(of, items, named)),
    `/** The reasons to refuse that have a name. */\nexport type Code = ${union(codes.map(typeOfLiteral))};\n`,
    handlerForms(actorType(of)),
    interfaceOf('Handlers', "The operator's functions, by name.", handlerTypes(of, items, named)),
  ].join('\n');
}

function events(of: Specification, items: Items, named: Named): Entries {
  return [...(stated(stated(of.events)?.kinds) ?? [])].map(([name, said]) => {
    const kind = stated(said);
    const body = kind && stated(kind.body);
    const schema = body ? schemaOfValue(body.template, items.values).schema : true;
    return [name, typeOfSchema(schema, named)] as const;
  });
}

/** Who asks: an item of a resource that a scheme names; null where nobody is known (language §5.1). */
function actorType(of: Specification): string {
  const schemes = [...(stated(stated(of.authentication)?.schemes)?.values() ?? [])];
  const actors = schemes.map((said) => {
    const scheme = stated(said);
    const actor = scheme && stated(scheme.actor);
    const name =
      actor?.kind === 'resource' ? actor.resource.text : actor?.kind === 'field' ? actor.resource : undefined;
    return name !== undefined && of.resourcesByName.has(name) ? `Kept[${JSON.stringify(name)}]` : 'unknown';
  });
  if (of.authentication.kind === 'none') return 'null';
  return actors.length === 0 ? 'unknown' : union([...actors, 'null']);
}

function handlerForms(actor: string): string {
  return `/** Who asks; null where nobody is known. */
export type Actor = ${actor};

/** Carries an operation out. What \`tx\` is asked for is done when it has returned, all of it or nothing. */
export type Handler<Request, Tx, Result> = (given: {
  request: Request;
  actor: Actor;
  now: string;
  tx: Tx;
  refuse: (code: Code) => never;
}) => Result | Promise<Result>;

/** What is done while an item is in a state; called at least once, after it has come there. */
export type Work<Item, Tx> = (given: { item: Item; now: string; tx: Tx }) => void | Promise<void>;

/** Stands for an expression: a pure function of what an expression may name. */
export type Worked = (names: { readonly [name: string]: unknown }) => unknown;
`;
}
