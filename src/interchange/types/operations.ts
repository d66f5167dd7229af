import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import type { Items } from '../schemas/items.ts';
import { answersOf, asSent, bodiesTaken, schemaOfParameter, schemaOfPath } from '../schemas/operations.ts';
import { type Schema, schemaOfMembers } from '../schemas/schema.ts';
import { type Member, type Named, typeOfLiteral, typeOfMembers, typeOfSchema, union } from './schema.ts';

type Parameters = Said<ReadonlyMap<string, Said<Parameter>>> | undefined;

/** What an operation is asked, as its expressions read it, and what it answers, as it is sent (language §4.2, §H.3). */
export function typeOfOperation(of: Specification, operation: Operation, items: Items, named: Named): string {
  const member = (name: string, type: string): Member => ({ name, type, isOptional: false });
  const plain = (name: string, schema: Schema): Member => member(name, typeOfSchema(schema, named));
  const request = typeOfMembers(
    [
      plain('path', path(of, operation, items)),
      plain('query', parameters(of, operation.request?.query, items)),
      plain('headers', parameters(of, operation.request?.headers, items)),
      member('body', body(of, operation, items, named)),
    ],
    false,
  );
  return typeOfMembers(
    [member('request', request), member('response', response(operation, items, named))],
    false,
  );
}

function path(of: Specification, operation: Operation, items: Items): Schema {
  const members = operation.path.flatMap((segment) => {
    if (!('parameter' in segment)) return [];
    const schema = schemaOfPath(of, operation, segment.parameter, items);
    return [{ name: segment.parameter, schema, isOptional: false }];
  });
  return schemaOfMembers(members, false);
}

function parameters(of: Specification, said: Parameters, items: Items): Schema {
  const members = [...((said && stated(said)) ?? [])].map(([name, each]) => {
    const parameter = stated(each);
    const isGiven =
      parameter !== undefined &&
      (stated(parameter.required) === true || stated(parameter.default) !== undefined);
    const schema = parameter ? schemaOfParameter(of, parameter, items) : true;
    return { name, schema, isOptional: !isGiven };
  });
  return schemaOfMembers(members, false);
}

function body(of: Specification, operation: Operation, items: Items, named: Named): string {
  const bodies = bodiesTaken(of, operation, items);
  return bodies.length === 0 ? 'null' : union(bodies.map(({ schema }) => typeOfSchema(schema, named)));
}

/** Each answer that is stated, with its statuses and its content. */
function response(operation: Operation, items: Items, named: Named): string {
  const answers = answersOf(operation, items).map(({ statuses, content }) =>
    typeOfMembers(
      [
        { name: 'status', type: union(statuses.map(typeOfLiteral)) || 'number', isOptional: false },
        {
          name: 'body',
          type: content ? typeOfSchema(asSent(content), named) : 'null',
          isOptional: false,
        },
      ],
      false,
    ),
  );
  return answers.length === 0 ? 'unknown' : union(answers);
}
