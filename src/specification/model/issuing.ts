import { callsMade, children, isFault, type Syntax } from '../../expression/expression.ts';
import { functionCalled } from '../../expression/functions.ts';
import { expressionsIn, parseText } from '../../expression/template.ts';
import { eachScalar, get, type Node, type Scalar } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Span } from '../../source/text.ts';
import { within } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import type { Operation } from './operation.ts';
import type { Specification } from './specification.ts';
import { inSaid, workings } from './workings.ts';

/** A call of `issue()` (language §5.2). */
export interface Issuing {
  /** The scheme that it names; undefined where that is not written as a text. */
  readonly scheme: string | undefined;
  readonly at: Span;
}

/** The parts in which a new credential can be made (language §G.4). */
const makers = ['resources', 'states', 'endpoints'] as const;

/** Every call of `issue()` in a specification. */
export function issuing(of: Specification): Issuing[] {
  return makers.flatMap((part) => callsIn(get(of.tree, part), 'issue'));
}

/** Every call of `jwks()` in a specification, and whether it stands in part 4. */
export function publishing(of: Specification): (Issuing & { readonly isInEndpoint: boolean })[] {
  return makers.flatMap((part) =>
    callsIn(get(of.tree, part), 'jwks').map((one) => ({ ...one, isInEndpoint: part === 'endpoints' })),
  );
}

/** The schemes whose credentials the service signs, with a key that it keeps (language §5.2). */
export function schemesSigned({ authentication }: Pick<Specification, 'authentication'>): string[] {
  return [...(stated(stated(authentication)?.schemes) ?? [])].flatMap(([name, said]) => {
    const scheme = stated(said);
    const credentials = scheme && stated(scheme.credentials);
    return credentials?.kind === 'issued' && stated(credentials.issued) !== undefined ? [name] : [];
  });
}

type Of = Omit<Specification, 'operations'>;

/** The schemes whose credentials an operation issues: in what it sets and answers, and in what it shows of items. */
export function schemesIssued(of: Of, operation: Operation): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (syntax: Syntax): void => {
    for (const { args } of calls(syntax, 'issue')) {
      const [scheme] = args[1];
      if (scheme?.op === 'value') found.add(String(scheme.args));
    }
    for (const name of callsMade(syntax)) show(name);
  };
  const show = (name: string): void => {
    const entry = stated(stated(of.resources)?.get(name));
    if (seen.has(name) || (entry?.kind !== 'view' && entry?.kind !== 'resource')) return;
    seen.add(name);
    if (entry.kind === 'view') show(stated(entry.of)?.text ?? '');
    for (const { derived, shown } of entry.fields.values())
      for (const { syntax } of [derived, shown].flatMap(inSaid)) visit(syntax);
  };
  for (const { syntax } of workings(operation)) visit(syntax);
  for (const { with: set } of (stated(operation.endpoint.also) ?? []).map(({ qualifiers }) => qualifiers))
    for (const { template } of stated(set) ?? [])
      for (const { syntax } of expressionsIn(template)) visit(syntax);
  return found;
}

type Name = 'issue' | 'jwks';

function callsIn(node: Node | undefined, name: Name): Issuing[] {
  return node ? callingIn(node).flatMap((scalar) => inText(scalar, name)) : [];
}

/** The texts in which one of the functions may be called: nearly all documents are walked for none. */
const callingIn = once((node: Node): readonly Scalar[] => {
  const found: Scalar[] = [];
  eachScalar(node, (scalar) => {
    if (/\b(?:issue|jwks)\(/.test(scalar.written)) found.push(scalar);
  });
  return found;
});

function inText(node: Scalar, name: Name): Issuing[] {
  const parsed = parseText(node.written);
  if (isFault(parsed) || parsed.kind === 'literal') return [];
  const pieces = parsed.kind === 'text' ? parsed.pieces : [parsed];
  return pieces.flatMap((piece) =>
    typeof piece === 'string'
      ? []
      : calls(piece.expression.syntax, name).map(({ args: [, [scheme]], start, end }) => ({
          scheme: scheme?.op === 'value' && typeof scheme.args === 'string' ? scheme.args : undefined,
          at: within(node, piece.from + start, piece.from + end),
        })),
  );
}

type Call = Extract<Syntax, { op: 'call' }>;

function calls(syntax: Syntax, name: Name): Call[] {
  const own = syntax.op === 'call' && functionCalled(syntax) === name ? [syntax] : [];
  return [...own, ...children(syntax).flatMap((child) => calls(child, name))];
}
