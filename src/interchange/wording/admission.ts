import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { Grant } from '../../specification/vocabulary/rule.ts';
import { type Line, line, listed, openLine, standingOf, written } from './line.ts';

/**
 * Whom an operation lets in (language §5.5); nothing where part 5 states that there is no authentication.
 *
 * @param begin what stands before those whom it lets in
 */
export function admission(of: Specification, operation: Operation, begin = ''): readonly Line[] {
  const authentication = stated(of.authentication);
  if (authentication === undefined)
    return of.authentication.kind === 'open' ? [openLine(of.authentication, 'authentication')] : [];
  const said = ruleOf(authentication, operation);
  const rule = stated(said);
  if (rule === undefined) return said.kind === 'open' ? [openLine(said, 'who may')] : [];
  const schemes = stated(rule.schemes);
  return [
    grantsLine(rule.rule, begin, 'who may'),
    ...(stated(rule.items) || isAsked(rule.items) ? [grantsLine(rule.items, 'of items: ', 'of items')] : []),
    ...(schemes ? [line(`by ${listed(schemes.map(together), 'or')}`, standingOf(rule.schemes))] : []),
  ];
}

function grantsLine(said: Said<readonly Grant[]>, begin: string, what: string): Line {
  if (said.kind === 'open') return openLine(said, what);
  const grants = stated(said);
  return line(`${begin}${grants ? listed(grants.map(grantText), 'or') : 'nobody'}`, standingOf(said));
}

function grantText(grant: Grant): string {
  switch (grant.kind) {
    case 'anyone':
      return 'anyone';
    case 'known':
      return 'anyone with a credential';
    case 'actor':
      return grant.name;
    case 'expression':
      return written(grant.expression);
  }
}

/** Schemes that are wanted together, each with its scopes. */
function together(
  all: readonly { readonly text: string; readonly scopes: readonly { text: string }[] }[],
): string {
  const words = all.map(({ text, scopes }) =>
    scopes.length === 0 ? text : `${text} (${scopes.map((scope) => scope.text).join(', ')})`,
  );
  return words.length === 0 ? 'no credential' : listed(words);
}
