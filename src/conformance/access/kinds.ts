import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn, pathsIn, type Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { grantsOf, ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { bodyOf } from '../body.ts';
import type { Members } from '../item.ts';
import { fieldSchema } from '../schema.ts';
import { schemesOf } from './schemes.ts';

/** How many kinds of those who ask are told apart. */
const most = 12;

/**
 * The kinds of those whom an operation makes, as part 5 tells them apart: by members with few values that its
 * expressions read of `actor`, in all their combinations; one kind of no members where it reads none.
 */
export function kindsOf(of: Specification, operation: Operation): readonly Members[] {
  const read = readOfActor(of);
  const fields = [...(bodyOf(of, operation)?.fields.values() ?? [])].filter(({ name }) => read.has(name));
  let kinds: Members[] = [{}];
  for (const field of fields) {
    const { enum: values, type, items } = fieldSchema(of, field) as Few & { readonly items?: Few };
    // Of a list of few, such as scopes, all of them, and each alone.
    const lists = type === 'array' && items?.enum ? [items.enum, ...items.enum.map((one) => [one])] : [];
    const few = values ?? (type === 'boolean' ? [false, true] : lists);
    if (few.length > 0)
      kinds = kinds.flatMap((kind) => few.map((value) => ({ ...kind, [field.name]: value })));
  }
  return kinds.slice(0, most);
}

interface Few {
  readonly enum?: readonly Json[];
  readonly type?: string;
}

/** The members of `actor` that part 5 reads, and those of which follows what a credential grants. */
function readOfActor(of: Specification): ReadonlySet<string> {
  const part = stated(of.authentication);
  const rules = part ? of.operations.flatMap((one) => grantsOf(stated(ruleOf(part, one)))) : [];
  const templates: Template[] = [
    ...rules.flatMap((grant) => (grant.kind === 'expression' ? grant.expression.template : [])),
    ...[...(stated(part?.actors)?.values() ?? [])].flatMap((said) => stated(said)?.template ?? []),
  ];
  const paths = templates
    .flatMap(expressionsIn)
    .flatMap(({ syntax }) => pathsRead(syntax))
    .flatMap(([root, member]) => (root === 'actor' && member !== undefined ? member : []));
  const granting = [...schemesOf(of).values()].flatMap(({ scopes }) => stated(scopes)?.template ?? []);
  const granted = granting
    .flatMap((template) => pathsIn(template))
    .flatMap(([root, member]) => (root === 'this' ? (member ?? []) : []));
  return new Set([...paths, ...granted]);
}
