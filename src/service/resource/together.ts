import { compile } from '../../expression/compile.ts';
import { path, type Syntax } from '../../expression/expression.ts';
import type { ValueKind } from '../../expression/query.ts';
import type { Field } from '../../specification/parts/resources.ts';
import { isAsked, stated } from '../../specification/said.ts';
import { schemaOf } from '../../specification/shape.ts';
import { environmentOf, joined } from '../render.ts';
import { concealer } from './conceal.ts';
import type { Together, TogetherMember, TogetherPart } from './kept.ts';
import type { Showing } from './write.ts';

/**
 * How a store can put the text of an item together, as `compileWriter` writes it: where what is kept is shown as it is,
 * and all else are texts of the key and of the service. Null where it takes more.
 */
export function compileTogether(showing: Showing, keyKinds: readonly ValueKind[]): Together | null {
  const { resource, keyFields, isWhole, definitions, renamings, writers } = showing;
  if (!isWhole || renamings !== null || keyFields.some((name) => !resource.fields.has(name))) return null;
  const environment = environmentOf(writers);
  const keyPart = (name: string): TogetherPart | null => {
    const key = keyFields.indexOf(name);
    const isText = keyKinds[key] === 'text' && !stated(resource.fields.get(name)?.secret);
    return isText ? { key } : null;
  };
  const partOf = (syntax: Syntax): TogetherPart | null => {
    if (syntax.op === 'value') return typeof syntax.args === 'string' ? syntax.args : null;
    const [root, name, ...deeper] = path(syntax) ?? [];
    if (name === undefined || deeper.length > 0) return null;
    if (root === 'service') return { given: compile({ text: '', syntax }, environment) };
    return root === 'this' ? keyPart(name) : null;
  };
  const derivedOf = (field: Field): readonly TogetherPart[] | null => {
    const template = stated(field.derived)?.template;
    if (template?.kind !== 'expression') return null;
    const parts = joined(template.expression.syntax).map(partOf);
    return parts.length > 1 ? whole(parts) : null;
  };
  const keys: (TogetherMember | null)[] = [];
  const others: (TogetherMember | null)[] = [];
  for (const field of resource.fields.values()) {
    const { name, readable, shown, secret, derived, shape } = field;
    const isHidden = isAsked(readable) || isAsked(shown) || stated(readable) === false;
    const isKey = keyFields.includes(name);
    if (isHidden && (isKey || stated(derived) !== undefined)) continue;
    const isPlain = !isHidden && typeof stated(readable) !== 'object' && !stated(shown) && !stated(secret);
    if (!isPlain) return null;
    if (stated(derived)) {
      const parts = derivedOf(field);
      others.push(parts && { name, joined: parts });
    } else if (concealer(schemaOf(shape), definitions) !== undefined) return null;
    else if (isKey) {
      const part = keyPart(name);
      keys.push(part === null ? null : { name, joined: [part] });
    }
  }
  const [before, behind] = [whole(keys), whole(others)];
  return before && behind && { before, behind };
}

/** All of them; null where one is. */
function whole<T>(all: readonly (T | null)[]): readonly T[] | null {
  return all.includes(null) ? null : (all as readonly T[]);
}
