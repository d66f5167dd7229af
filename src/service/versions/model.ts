import { isFault, parseExpression, type Syntax } from '../../expression/expression.ts';
import type { Table } from '../../expression/query.ts';
import type { Model, ModelField } from '../../expression/query-operand.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { scopeModel } from '../../specification/rules/scope.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';

/** What queries have to know of the resources of a specification; `table` tells where their items are kept. */
export function compileModel(of: Specification, table: (resource: string) => Table | undefined): Model {
  const { fieldType } = scopeModel(of);
  const known = new Map<Field, ModelField>();
  const fieldOf = (field: Field): ModelField => ({
    type: fieldType(field),
    refers: referenceOf(field, of.resourcesByName),
    // Nobody reads a secret back, not even an expression.
    derived: stated(field.secret) ? literal(null) : derivedOf(field),
  });
  return {
    table,
    field: (resource, name) => {
      const field = of.resourcesByName.get(resource)?.fields.get(name);
      if (field === undefined) return undefined;
      const found = known.get(field) ?? fieldOf(field);
      known.set(field, found);
      return found;
    },
  };
}

function referenceOf(field: Field, resources: ReadonlyMap<string, Resource>): ModelField['refers'] {
  const refers = stated(field.refers);
  if (refers === undefined) return null;
  const identifier = stated(resources.get(refers.resource)?.identifier) ?? [];
  const by = refers.field === null ? identifier.map((one) => one.text) : [refers.field];
  return by.length === 0 ? null : { resource: refers.resource, by };
}

function derivedOf(field: Field): ModelField['derived'] {
  const template = stated(field.derived)?.template;
  if (template === undefined) return null;
  if (template.kind === 'expression') return template.expression.syntax;
  return template.kind === 'literal' ? literal(template.value) : 'more';
}

/** JSON is CEL, but for numbers that CEL takes for others: those are left to the service. */
function literal(value: Json): Syntax | 'more' {
  const parsed = parseExpression(JSON.stringify(value));
  return isFault(parsed) ? 'more' : parsed.syntax;
}
