import { compile } from '../../expression/compile.ts';
import { path, type Syntax } from '../../expression/expression.ts';
import type { ValueKind } from '../../expression/query.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { environmentOf, joined } from '../content/render.ts';
import { concealer } from './conceal.ts';
import type { Together, TogetherMember, TogetherPart, TogetherValue } from './kept.ts';
import type { Showing } from './write.ts';

/**
 * How a store can put the text of an item together, as `compileWriter` writes it: of what is kept and shown as it is, of
 * texts of the key and of the service, of what it works out itself, and of items that this one refers to. Null where it
 * takes more.
 */
export function compileTogether(showing: Showing, keyKinds: readonly ValueKind[]): Together | null {
  const { resource, keyFields, shows, listed, left, further, definitions, renamings, writers } = showing;
  if (renamings !== null || keyFields.some((name) => !resource.fields.has(name))) return null;
  const environment = environmentOf(writers);
  const keys: { name: string; key: number }[] = [];
  const others: TogetherMember[] = [];
  const hidden: string[] = [];
  for (const field of [...resource.fields.values()].filter(({ name }) => shows(name)).concat(further)) {
    const { name, readable, shown, secret, derived, shape } = field;
    const isKey = keyFields.includes(name);
    // Of what a store gives, no secret is told.
    const isHidden = isAsked(readable) || isAsked(shown) || stated(readable) === false || stated(secret);
    if (isHidden) hidden.push(name);
    else if (typeof stated(readable) === 'object') return null;
    else if (stated(derived)) {
      const value = derivedOf(syntaxOf(derived));
      if (value === null) return null;
      others.push({ name, value });
    } else if (stated(shown)) {
      const shownBy = shownOf(syntaxOf(shown), 'value');
      if (shownBy === null || isKey) return null;
      hidden.push(name);
      others.push({ name, value: { field: name, shownBy, isMember: true } });
    } else if (concealer(schemaOf(shape), definitions) !== undefined) return null;
    else if (isKey) {
      if (!isText(name)) return null;
      keys.push({ name, key: keyFields.indexOf(name) });
    }
  }
  const isAlways = ({ value }: TogetherMember): boolean => !('isMember' in value && value.isMember);
  if (keys.length === 0) others.sort((a, b) => Number(isAlways(b)) - Number(isAlways(a)));
  if (keys.length === 0 && others[0] && !isAlways(others[0])) return null;
  const isKept = (name: string): boolean =>
    !keyFields.includes(name) && !isDerived(resource.fields.get(name));
  const leaves = [...new Set([...left, ...hidden])].filter(isKept);
  const shown = listed?.filter((name) => isKept(name) && !leaves.includes(name)) ?? null;
  return { kept: { keys, shows: shown, leaves: shown === null ? leaves : [] }, others };

  function isText(name: string): boolean {
    return keyKinds[keyFields.indexOf(name)] === 'text' && !stated(resource.fields.get(name)?.secret);
  }

  function derivedOf(syntax: Syntax | null): TogetherValue | null {
    if (syntax === null) return null;
    const parts = joined(syntax).map(partOf);
    if (parts.length > 1) return parts.includes(null) ? null : { joined: parts as TogetherPart[] };
    const of = syntax.op === 'call' ? path(syntax.args[1][0] as Syntax) : undefined;
    const field = of?.length === 2 && of[0] === 'this' ? (of[1] as string) : null;
    const shownBy = field === null ? null : shownOf(syntax, 'this', field);
    return field !== null && shownBy !== null ? { field, shownBy, isMember: false } : { told: syntax };
  }

  /** By what an item is shown, where that is all there is to it. */
  function shownOf(syntax: Syntax | null, ...of: readonly string[]): string | null {
    if (syntax?.op !== 'call' || writers(syntax.args[0]) === undefined) return null;
    return path(syntax.args[1][0] as Syntax)?.join() === of.join() ? syntax.args[0] : null;
  }

  function partOf(syntax: Syntax): TogetherPart | null {
    if (syntax.op === 'value') return typeof syntax.args === 'string' ? syntax.args : null;
    const [root, name, ...deeper] = path(syntax) ?? [];
    if (name === undefined || deeper.length > 0) return null;
    if (root === 'service') return { given: compile({ text: '', syntax }, environment) };
    return root === 'this' && isText(name) ? { key: keyFields.indexOf(name) } : null;
  }
}

function syntaxOf(said: Said<PlacedTemplate>): Syntax | null {
  const template = stated(said)?.template;
  return template?.kind === 'expression' ? template.expression.syntax : null;
}

function isDerived(field: Field | undefined): boolean {
  return field !== undefined && stated(field.derived) !== undefined;
}
