import { list, textType } from '../../../expression/type.ts';
import type { Span } from '../../../source/text.ts';
import { grantsOf, hasItem, ruleOf } from '../../model/authorization.ts';
import { changesOf } from '../../model/changes.ts';
import { issuing, publishing } from '../../model/issuing.ts';
import type { Operation } from '../../model/operation.ts';
import type { Specification } from '../../model/specification.ts';
import { type Placed, type Reading, unknownName } from '../../reading/reading.ts';
import { isAsked, isSaid, type Said, stated } from '../../reading/said.ts';
import type { Credentials } from '../../vocabulary/credentials.ts';
import type { Authentication } from '../../vocabulary/parts/authentication.ts';
import type { Grant, Rule, Wanted } from '../../vocabulary/rule.ts';
import type { ActorOf, Scheme } from '../../vocabulary/scheme.ts';
import { checkCredentialAsked } from '../credential-asked.ts';
import { boundBy, checkEntry, checkField, checkOperation, nameAt } from '../names.ts';
import { checkNullActor } from '../null-actor.ts';
import type { Standing } from '../scope.ts';
import type { Typing, Validate } from '../typing.ts';

type Of = Specification;

const anyone = { subject: null, bound: [] };

/** What part 5 says of itself and of other parts (language §5). */
export const validate: Validate = (of, typing, reading) => {
  const authentication = stated(of.authentication);
  checkIssued(of, authentication, reading);
  checkPublished(of, authentication, reading);
  if (authentication === undefined) return;
  for (const [name, said] of stated(authentication.schemes) ?? []) {
    const scheme = stated(said);
    if (scheme === undefined) continue;
    checkScheme(of, scheme, typing, reading);
    checkClaims(of, scheme, typing, reading);
    if (!isSaid(scheme.challenge) && !isAsked(scheme.challenge) && listsUnauthorized(of))
      reading.report('challenge-missing', nameAt(of, said), { scheme: name });
  }
  checkActors(of, authentication, typing, reading);
  for (const [name, said] of stated(authentication.authorization) ?? []) {
    checkOperation(of, name, nameAt(of, said), reading);
    checkRule(of, authentication, said, reading);
  }
  checkRule(of, authentication, authentication.otherwise, reading);
  const listed = stated(authentication.authorization);
  if (of.operations.every(({ name }) => listed?.has(name)))
    for (const grant of grantsOf(stated(authentication.otherwise)))
      if (grant.kind === 'expression') typing.truth(grant.expression, { situation: 'item', ...anyone });
  const nullActors = new Set<Grant>();
  for (const operation of of.operations) {
    checkRuleOf(of, authentication, operation, typing, reading);
    checkCredentialAsked(of, authentication, operation, reading);
    checkNullActor(of, authentication, operation, nullActors, reading);
  }
  checkUse(of, authentication, reading);
};

function checkScheme(of: Of, scheme: Scheme, typing: Typing, reading: Reading): void {
  const credentials = stated(scheme.credentials);
  const isBasic = stated(scheme.scheme)?.toLowerCase() === 'basic';
  if (credentials?.kind === 'kept') {
    const fields = stated(credentials.kept) ?? [];
    for (const { resource, field, at, fieldAt } of fields) {
      checkEntry(of, resource, at, 'a resource', reading);
      checkField(of, resource, field, fieldAt, reading);
    }
    const [first, second] = fields;
    const most = isBasic ? 2 : 1;
    if (fields.length > most) {
      const wanted = isBasic ? 'the field of the name, and that of the password' : 'one field';
      reading.report('wrong-kind', credentials.kept.at, { wanted, found: `${fields.length} of them` });
    } else if (first && second && first.resource !== second.resource)
      reading.report('contradiction', second.at, {
        problem: `the name is kept in ${first.resource}, and the password in ${second.resource}`,
      });
  }
  const actor = stated(scheme.actor);
  if (actor) checkActorOf(of, actor, credentials, typing, reading);
  if (scheme.scopes.kind === 'stated')
    typing.check(scheme.scopes.value, standingOf(of, credentials), list(textType));
}

/** What tells of a credential: the claims of a token, the item that it is kept in, or the request alone (language §5.3). */
function standingOf(of: Of, credentials: Credentials | undefined): Standing {
  const kept = credentials?.kind === 'kept' ? stated(credentials.kept)?.[0]?.resource : undefined;
  const subject = (kept !== undefined && of.resourcesByName.get(kept)) || null;
  if (credentials?.kind === 'issued' && stated(credentials.issued) === 'jwt')
    return { situation: 'signed token', subject, bound: [] };
  const byKind = { foreign: 'token', operator: 'request', kept: 'credential', issued: 'credential' } as const;
  return { situation: credentials ? byKind[credentials.kind] : 'credential', subject, bound: [] };
}

/** What `actor` is fits what the credential tells (language §5.3). */
function checkActorOf(
  of: Of,
  actor: ActorOf,
  credentials: Credentials | undefined,
  typing: Typing,
  reading: Reading,
): void {
  const kept = credentials?.kind === 'kept' ? stated(credentials.kept)?.[0]?.resource : undefined;
  const hasSubject = credentials?.kind === 'foreign' || credentials?.kind === 'operator';
  switch (actor.kind) {
    case 'resource': {
      const { text, at } = actor.resource;
      checkEntry(of, text, at, 'a resource', reading);
      if (kept !== undefined && kept !== text)
        reading.report('contradiction', at, {
          problem: `the credential belongs to ${kept}, and the actor is ${text}`,
        });
      if (hasSubject)
        reading.report('contradiction', at, {
          problem: `this service keeps no such credential, so that it belongs to no ${text}; write ${text}.field`,
        });
      return;
    }
    case 'field':
      checkEntry(of, actor.resource, actor.at, 'a resource', reading);
      checkField(of, actor.resource, actor.field, actor.fieldAt, reading);
      if (credentials && !hasSubject)
        reading.report('contradiction', actor.at, {
          problem: `the credential belongs to an item by itself; write ${actor.resource}`,
        });
      return;
    case 'expression':
      typing.check(actor.expression, standingOf(of, credentials));
      return;
    case 'actor':
      checkActor(of, actor.actor.text, actor.actor.at, [], reading);
  }
}

/** Whether a row of part 7 sends 401, which wants a challenge (RFC 9110 §15.5.2). */
function listsUnauthorized(of: Of): boolean {
  const rows = stated(stated(of.errors)?.codes);
  return [...(rows?.values() ?? [])].some((row) => stated(stated(row)?.status)?.includes(401));
}

/** The names of part 1 that a scheme is for, and where. */
function byScheme({ schemes }: Authentication): Map<string, Span> {
  const found = new Map<string, Span>();
  for (const said of stated(schemes)?.values() ?? []) {
    const actor = stated(stated(said)?.actor);
    if (actor?.kind === 'actor') found.set(actor.actor.text, actor.actor.at);
  }
  return found;
}

function checkActors(of: Of, authentication: Authentication, typing: Typing, reading: Reading): void {
  const schemes = byScheme(authentication);
  for (const [name, said] of stated(authentication.actors) ?? []) {
    const at = nameAt(of, said);
    checkActor(of, name, at, [], reading);
    const twin = schemes.get(name);
    if (twin) reading.report('actor-twice', at, { name }, { related: [twin] });
    if (said.kind === 'stated') typing.truth(said.value, { situation: 'request', ...anyone });
  }
}

/** Reports an actor that a closed part 1 does not name, or that is close to one that it does. */
function checkActor(of: Of, name: string, at: Span, besides: readonly string[], reading: Reading): boolean {
  reading.use('actor', name, at);
  const known = [...(stated(stated(of.service)?.actors)?.keys() ?? []), ...besides];
  if (known.includes(name)) return true;
  const isClosed = of.completeness.closed('service.actors') !== undefined;
  if (!isClosed && reading.suggest(name, known) === undefined) return true;
  unknownName(name, at, 'an actor of part 1', known, reading);
  return false;
}

/** What a rule names: actors and schemes; and words that leave the others in a list without effect. */
function checkRule(of: Of, authentication: Authentication, said: Said<Rule>, reading: Reading): void {
  const rule = stated(said);
  if (rule === undefined) return;
  for (const list of [stated(rule.rule) ?? [], stated(rule.items) ?? []]) {
    for (const grant of list) checkGrant(of, authentication, grant, reading);
    if (list.length < 2) continue;
    for (const { kind, at } of list) {
      if (kind === 'anyone')
        reading.report('no-effect', at, { what: 'the rest of the list', why: 'anyone is let in' });
    }
  }
  for (const wanted of (stated(rule.schemes) ?? []).flat())
    checkScopes(wanted, checkSchemeName(of, authentication, wanted, reading), reading);
}

function checkGrant(of: Of, authentication: Authentication, grant: Grant, reading: Reading): void {
  if (grant.kind !== 'actor') return;
  const bound = [...(stated(authentication.actors)?.keys() ?? []), ...byScheme(authentication).keys()];
  reading.use('actor', grant.name, grant.at);
  if (bound.includes(grant.name)) return;
  const known = [...bound, 'anyone', 'known'];
  if (!checkActor(of, grant.name, grant.at, known, reading)) return;
  const isClosed = of.completeness.closed('authentication.actors') !== undefined;
  if (isClosed) unknownName(grant.name, grant.at, 'an actor that part 5 binds', bound, reading);
}

function checkSchemeName(
  of: Of,
  { schemes }: Authentication,
  { text, at }: Placed,
  reading: Reading,
): Scheme | undefined {
  const known = stated(schemes);
  reading.use('scheme', text, at);
  const decided = (known?.size ?? 0) > 0 || of.completeness.closed('authentication.schemes') !== undefined;
  if (decided && !known?.has(text)) unknownName(text, at, 'a scheme', [...(known?.keys() ?? [])], reading);
  return stated(known?.get(text));
}

/** The scopes that a rule wants are those of the scheme's flows, where these list any. */
function checkScopes({ text, scopes }: Wanted, scheme: Scheme | undefined, reading: Reading): void {
  const flows = Object.values(stated(scheme?.flows) ?? {});
  const known = flows.flatMap((flow) => [...(stated(stated(flow)?.scopes)?.keys() ?? [])]);
  if (known.length === 0) return;
  for (const scope of scopes)
    if (!known.includes(scope.text))
      unknownName(scope.text, scope.at, `a scope of ${text}`, [...new Set(known)], reading);
}

/** The expressions of the rule that an operation has, as they can be worked out for it. */
function checkRuleOf(
  of: Of,
  authentication: Authentication,
  operation: Operation,
  typing: Typing,
  reading: Reading,
): void {
  const said = ruleOf(authentication, operation);
  const rule = stated(said);
  const item = hasItem(operation);
  const standing: Standing = {
    situation: item === false ? 'request' : 'item',
    subject: operation.subject,
    bound: boundBy(operation),
    operation,
    isShared: said === authentication.otherwise,
  };
  for (const grant of grantsOf(rule)) {
    if (grant.kind !== 'expression') continue;
    if (grant.aboutItem && item === false) {
      const problem = `the rule is about an item, and ${operation.name} has none`;
      reading.report('expression-type', grant.at, { problem });
      continue;
    }
    typing.truth(grant.expression, standing);
    if (grant.aboutItem) typing.storable(grant.expression);
  }
  if (rule && item === false && isSaid(rule.items))
    reading.report('idle', nameAt(of, rule.items), { key: 'items', where: operation.name });
}

/** A scheme by which no operation can be asked for; a rule that is open might yet let it be used. */
function checkUse(of: Of, authentication: Authentication, reading: Reading): void {
  if (of.operations.length === 0 || of.completeness.closed('endpoints') === undefined) return;
  const rules = of.operations.map((operation) => stated(ruleOf(authentication, operation)));
  const admits = (name: string): boolean =>
    rules.some((rule) => {
      const schemes = stated(rule?.schemes);
      return schemes === undefined || schemes.flat().some(({ text }) => text === name);
    });
  for (const [name, said] of stated(authentication.schemes) ?? [])
    if (!admits(name))
      reading.report('no-effect', nameAt(of, said), { what: name, why: 'no rule lets it be used' });
}

/** `jwks()` is about tokens whose keys others may have, and stands in answers (language §5.2). */
function checkPublished(of: Of, authentication: Authentication | undefined, reading: Reading): void {
  for (const { scheme, at, isInEndpoint } of publishing(of)) {
    if (scheme === undefined || !isInEndpoint) {
      const problem = scheme
        ? 'jwks() stands in an answer'
        : 'jwks("scheme") takes the name of a scheme, as a text';
      reading.report('expression-type', at, { problem });
      continue;
    }
    if (authentication === undefined) continue;
    const credentials = stated(
      checkSchemeName(of, authentication, { text: scheme, at }, reading)?.credentials,
    );
    if (credentials === undefined) continue;
    const algorithm = credentials.kind === 'issued' ? stated(credentials.algorithm) : undefined;
    if (credentials.kind !== 'issued' || stated(credentials.issued) !== 'jwt')
      reading.report('contradiction', at, { problem: `${scheme} has no tokens that this service signs` });
    else if (algorithm?.startsWith('HS'))
      reading.report('contradiction', at, {
        problem: `${algorithm} signs with a secret, which is for nobody else to know`,
      });
  }
}

/** The claims that the service writes itself (language §5.2). */
const ownClaims: readonly string[] = ['sub', 'iat', 'exp', 'jti'];

/** What a token says of the item that it is issued for. */
function checkClaims(of: Of, scheme: Scheme, typing: Typing, reading: Reading): void {
  const credentials = stated(scheme.credentials);
  if (credentials?.kind !== 'issued') return;
  const actor = stated(scheme.actor);
  const subject = (actor?.kind === 'resource' && of.resourcesByName.get(actor.resource.text)) || null;
  for (const [name, said] of stated(credentials.claims) ?? []) {
    typing.template(said, { situation: 'credential', subject, bound: [] });
    if (ownClaims.includes(name))
      reading.report('contradiction', nameAt(of, said), { problem: `the service writes ${name} itself` });
  }
}

/** `issue()` and `revoke` are about credentials that this service issues (language §5.2). */
function checkIssued(of: Of, authentication: Authentication | undefined, reading: Reading): void {
  const notIssued = (name: string, at: Span): void => {
    if (authentication === undefined) return;
    const credentials = stated(checkSchemeName(of, authentication, { text: name, at }, reading)?.credentials);
    if (credentials && credentials.kind !== 'issued')
      reading.report('contradiction', at, { problem: `this service does not issue credentials of ${name}` });
  };
  for (const { scheme, at } of issuing(of))
    if (scheme === undefined)
      reading.report('expression-type', at, {
        problem: 'issue("scheme", item) takes the name of a scheme, as a text, and an item',
      });
    else notIssued(scheme, at);
  for (const operation of of.operations)
    for (const change of changesOf(operation))
      if (change.verb === 'revoke' && change.subject.name !== null)
        notIssued(change.subject.name, change.subject.at);
}
