/** How much a finding weighs: an `error` refuses the document, a `warning` is worth a look. */
export type Severity = 'error' | 'warning';

interface Definition<P> {
  readonly severity: Severity;
  /** The section of the language reference that it rests on. */
  readonly section: string;
  readonly message: string | ((parameters: P) => string);
  /** What to do; null where each place that reports it says so itself, or the message does. */
  readonly hint: string | null | ((parameters: P) => string);
}

function error<P = Record<never, never>>(
  section: string,
  message: Definition<P>['message'],
  hint: Definition<P>['hint'] = null,
): Definition<P> {
  return { severity: 'error', section, message, hint };
}

function warning<P>(
  section: string,
  message: Definition<P>['message'],
  hint: Definition<P>['hint'],
): Definition<P> {
  return { severity: 'warning', section, message, hint };
}

/**
 * Every diagnostic there is. A code is stable: it is what `docs/diagnostics/` has a page for, and what
 * scripts may look for. Its parameters are typed, so a wrong use does not compile.
 */
export const codes = {
  'too-large': error<{ limit: number }>(
    'A',
    (p) => `the specification has more than the ${p.limit} bytes that the reader takes`,
    'leave out what is no statement',
  ),
  'too-deep': error<{ limit: number }>(
    'A.4',
    (p) => `values stand more than ${p.limit} levels deep`,
    'give the inner part a name of its own in part 2',
  ),
  'too-many-values': error<{ limit: number }>(
    'A',
    (p) => `the specification holds more than ${p.limit} keys and values`,
    'leave out what is no statement',
  ),
  'yaml-syntax': error<{ problem: string }>('A.4', (p) => `this is not YAML: ${p.problem}`),
  'yaml-feature': error<{ feature: string }>(
    'A.4',
    (p) => `${p.feature} are not read, so that a document says the same to everyone`,
    'write the value out',
  ),
  'several-documents': error(
    'A.4',
    'a block is one YAML document, and a second one begins here',
    'remove the ---',
  ),
  'key-twice': error<{ key: string }>('A.1', (p) => `${p.key} stands twice`, 'keep one of them'),
  'key-alone': error<{ key: string }>(
    'A.4',
    (p) => `${p.key} has no value`,
    'a comma ends a text within braces: put the whole text in quotation marks, or write KEY: VALUE',
  ),
  'key-not-text': error('A.4', 'a key is text'),
  'not-a-map': error(
    'A.2',
    'a specification is a map from parts to statements',
    'begin with the key of a part, such as resources:',
  ),
  'not-statements': error<{ part: string }>(
    'A.1',
    (p) => `${p.part} holds statements, a map of keys, and this is none`,
    'write KEY: VALUE lines, or one marker such as (none)',
  ),
  'marker-and-statements': error<{ part: string }>(
    'A.1',
    (p) => `${p.part} holds a marker in one block and statements in another`,
    'a part is either the one or the other',
  ),
  'block-outside-part': error<{ title: string }>(
    'A.1',
    (p) => `a block of statements stands under "${p.title}", which is no part`,
    'move it under one of the nine headings, or fence it as something other than yaml',
  ),
  'block-unnamed': warning<{ title: string }>(
    'A.1',
    (p) => `a block under "${p.title}" looks like statements, and is not read: its fence names no language`,
    'begin the fence with ```yaml, or with ```text where it states nothing',
  ),
  'question-in-prose': warning<{ question: string }>(
    'B',
    (p) => `no statement answers what is asked in prose${p.question === '' ? '' : `: ${p.question}`}`,
    'ask at the point that it is about, as KEY: (open) a question?; or state the answer; then take the mark away',
  ),
  'two-heads': error(
    'A.2',
    'the head stands in two documents of the folder',
    'keep what the head says in one of them',
  ),
  'two-names': error<{ name: string }>(
    'A.2',
    (p) => `the service is called "${p.name}" here, and otherwise in another document of the folder`,
    'keep the first-level heading in one document; the others begin with a second-level one',
  ),
  'unknown-version': error<{ found: string; known: number }>(
    'A.3',
    (p) => `this is version ${p.found} of the language; version ${p.known} is read here`,
    (p) => `write tacet: ${p.known}`,
  ),
  'removed-word': error<{ word: string }>('A.3', (p) => `${p.word} is no word of this language any more`),
  'assumption-stated': warning<{ address: string }>(
    'A.6',
    (p) => `${p.address} is stated by now, as it was assumed`,
    'remove the assumption from the ledger',
  ),
  'assumption-differs': error<{ address: string }>(
    'A.6',
    (p) => `${p.address} is assumed to be one thing, and stated to be another`,
    'remove the assumption from the ledger, or ask whoever wrote the document',
  ),
  'unknown-key': error<{ key: string; where: string }>('A', (p) => `${p.where} has no key ${p.key}`),
  'unknown-word': error<{ word: string; words: readonly string[] }>('A', (p) =>
    p.words.length === 1
      ? `${p.word} cannot stand here: only ${p.words[0]} can`
      : `${p.word} is none of: ${p.words.join(', ')}`,
  ),
  'unknown-name': error<{ name: string; wanted: string }>(
    'A.5',
    (p) => `${p.name} is not the name of ${p.wanted}`,
  ),
  'undescribed-field': warning<{ resource: string; field: string }>(
    '2.1',
    (p) => `${p.field} is named here, and no field of ${p.resource} is described by that name`,
    'describe it in part 2, if only by its name; or was another one meant?',
  ),
  'bad-name': error<{ name: string }>(
    'A.5',
    (p) => `${p.name} cannot be a name here`,
    'resources, shapes and views begin with a capital letter; other names with a letter; then letters and digits',
  ),
  'wrong-kind': error<{ wanted: string; found: string }>(
    'A',
    (p) => `${p.wanted} is wanted here, and this is ${p.found}`,
  ),
  'marker-in-literal': error<{ text: string }>(
    'B',
    (p) => `${p.text} would be a marker, and a literal stands here`,
    (p) => `if the text itself is meant, write \${"${p.text}"}`,
  ),
  'bad-address': error<{ address: string }>(
    'C',
    (p) => `${p.address} is no address`,
    'an address begins with the key of a part: endpoints["GET /"].response.status',
  ),
  'expression-syntax': error<{ problem: string }>(
    'G.1',
    (p) => `this expression cannot be read: ${p.problem}`,
  ),
  'expression-type': error<{ problem: string }>('G.1', (p) => p.problem),
  'may-be-null': warning<{ problem: string }>(
    'G.6',
    (p) => p.problem,
    'ask first (x != null ? … : …), or state that the value is there (required, default)',
  ),
  'bare-call': warning<{ call: string }>(
    'G.1',
    (p) => `"${p.call}" is a text as it is written: nothing is called`,
    (p) => `write \${${p.call}}; a text that is meant so is written \${"${p.call}"}`,
  ),
  'not-an-expression': error('G.1', 'an expression is wanted here, and nothing else', 'write ${ … }'),
  'bad-keyword': error<{ keyword: string; wanted: string; found: string }>(
    'H.1',
    (p) => `${p.keyword} takes ${p.wanted}, and this is ${p.found}`,
  ),
  'unknown-type': error<{ type: string }>('H.1', (p) => `${p.type} is no type of JSON Schema`),
  'unknown-format': error<{ format: string }>('H.1', (p) => `${p.format} is no format that can be checked`),
  'patterns-too-large': error<{ limit: number }>(
    'H.1',
    (p) => `the patterns of the specification come to more than ${p.limit} instructions, with this one`,
    'repeat less within a pattern, as {1,200} does, and say lengths with maxLength',
  ),
  'bad-pattern': error<{ problem: string }>(
    'H.1',
    (p) => `this pattern cannot run in linear time: ${p.problem}`,
    'write it in the syntax of RE2: no look-around, no back-references',
  ),
  contradiction: error<{ problem: string }>('A', (p) => p.problem, 'take one of the two out, or mend it'),
  idle: error<{ key: string; where: string }>(
    'A',
    (p) => `${p.key} says nothing of ${p.where}`,
    'take it out',
  ),
  'bytes-in-json': error<{ problem: string }>(
    'H.1',
    (p) => `JSON and events hold no bytes: ${p.problem}`,
    'an expression tests bytes for null, takes size(x) or sha256(x) of them, or is a whole body with `media`',
  ),
  'idle-keyword': warning<{ keyword: string; type: string }>(
    'H.1',
    (p) => `${p.keyword} says nothing of a value of type ${p.type}`,
    'take it out, or state the type that it is about',
  ),
  'bad-reference': error<{ found: string }>(
    '2',
    (p) => `"${p.found}" is no key of an item`,
    'write RESOURCE.field, the field being its identifier or unique',
  ),
  'bad-duration': error<{ found: string }>(
    '3.1',
    (p) => `"${p.found}" is no duration`,
    'write it as ISO 8601 does: PT30S, PT15M, P14D',
  ),
  'bad-field-name': error<{ name: string }>(
    'H.3',
    (p) => `"${p.name}" cannot be the name of a header field here`,
    'a name is letters, digits and hyphens (RFC 9110 §5.1)',
  ),
  'not-storable': error<{ problem: string }>(
    'G.5',
    (p) => p.problem,
    'say it with what §G.5 lists, or keep the value in a field that is set',
  ),
  'too-many-steps': error<{ steps: number; most: number }>(
    'G.7',
    (p) =>
      `where all is as long as is stated, this takes ${Math.ceil(p.steps)} steps, and an expression takes ${p.most} at most`,
    'state a smaller maxItems or maxLength, or go through fewer lists within one another',
  ),
  'let-circle': error<{ names: readonly string[] }>(
    'E.19',
    (p) =>
      `${p.names[0]} is written with ${p.names.slice(1).join(', which is written with ')}, and so without end`,
    'write one of them without the others',
  ),
  'let-made': error<{ call: string }>(
    'E.19',
    (p) => `each use of this let would make a value of its own by ${p.call}()`,
    'call it where the value is set, or sent',
  ),
  'let-too-large': error<{ name: string; most: number }>(
    'E.19',
    (p) => `with each let written out, ${p.name} has more than ${p.most} operators, names and values`,
    'use fewer lets within one another, or keep the value in a derived field',
  ),
  'let-unused': warning<{ name: string }>('E.19', (p) => `nothing uses ${p.name}`, 'take it out'),
  'unreachable-state': warning<{ state: string }>(
    '3.1',
    (p) => `nothing leads to ${p.state}`,
    'list a transition to it, or take it out',
  ),
  'dead-end': warning<{ state: string }>(
    '3.1',
    (p) => `nothing leads out of ${p.state}, and it is not final`,
    'name it in final, or list a transition from it',
  ),
  'idle-transition': warning<{ transition: string }>(
    '3.2',
    (p) => `nothing asks for ${p.transition}`,
    'let an operation do it, or give it a time',
  ),
  'shadowed-path': warning<{ key: string; other: string; value: string }>(
    '4.1',
    (p) => `${p.key} is never reached with ${p.value}: ${p.other} goes before it`,
    'more literal text wins, whatever the method; let the parameter exclude the word, or move one of the two',
  ),
  'never-sent': error<{ problem: string }>(
    'H.3',
    (p) => `this answer is never sent: ${p.problem}`,
    'take it out',
  ),
  'never-refused': warning<{ condition: string; problem: string }>(
    '7',
    (p) => `"${p.condition}" never holds: ${p.problem}`,
    'take the row out, or state what would bring it about',
  ),
  'bad-change': error<{ found: string }>(
    'H.2',
    (p) => `a change is VERB RESOURCE, and this is: ${p.found}`,
    'for example: create Todo',
  ),
  circle: error<{ names: string }>(
    '2',
    (p) => `these need one another without end: ${p.names}`,
    'take one of them out of the circle',
  ),
  'unknown-verb': error<{ verb: string }>(
    'H.2',
    (p) => `${p.verb} is neither a verb nor a transition of this resource`,
  ),
  'not-singled-out': error<{ resource: string }>(
    'H.2',
    (p) => `nothing here singles out one ${p.resource}`,
    'bind a parameter of the path to its identifier, or to fields that are unique, or say where',
  ),
  'bad-run': error<{ problem: string }>(
    'H.2',
    (p) => `a \`run\` cannot do this: ${p.problem}`,
    'a `run` names an operation that takes and gives JSON, and gives each parameter of its path',
  ),
  'run-unbounded': error(
    'H.2',
    'it is not stated how many elements this list has at most',
    'state maxItems of the list',
  ),
  'bad-status': error<{ found: string }>(
    'H.3',
    (p) => `${p.found} is no status of a final answer`,
    'a status is a number from 200 to 599',
  ),
  'shape-as-body': error(
    'H.3',
    'this is a shape, and a body is made of values: it would be sent as it stands',
    'write shape: for what the body looks like, or a body of values',
  ),
  'body-with-status': error<{ status: number }>(
    'H.3',
    (p) => `an answer of ${p.status} has no content, so it can have no body`,
    'take the body out, or state another status (RFC 9110 §15.3.5)',
  ),
  'content-of-one': error('H.3', 'content has two media types or more', 'write one with media and body'),
  'content-shape': error<{ problem: string }>(
    'H.3',
    (p) => `this content cannot be as it is stated: ${p.problem}`,
    'an entry of content is { body, … } under a media type that can hold it; media and body stand without content',
  ),
  'unknown-condition': error<{ condition: string }>('H.4', (p) => `"${p.condition}" is no condition`),
  'condition-twice': error<{ condition: string }>(
    'H.4',
    (p) => `two rows list "${p.condition}" for the same operations`,
    'narrow one of them by a longer subject or by operations',
  ),
  'bad-size': error<{ found: string }>(
    'H.5',
    (p) => `"${p.found}" is no size`,
    'a whole number of bytes, or one with a unit: 64 KiB; units are B, kB, MB, GB, KiB, MiB, GiB',
  ),
  'bad-date': error<{ found: string }>(
    'H.5',
    (p) => `"${p.found}" is no day of the calendar`,
    'write it as 2026-11-01',
  ),
  'bad-endpoint': error<{ key: string }>(
    '4.1',
    (p) => `${p.key} is neither METHOD /path nor a word of this part`,
    'for example: GET /todos/{id}, or every POST; the words are protocol, base, headers, others, cors, matching',
  ),
  'bad-path': error<{ segment: string }>(
    '4.1',
    (p) => `"${p.segment}" is no segment of a path`,
    'a segment is literal text, with one parameter in braces at most',
  ),
  'colon-segment': warning<{ name: string }>(
    '4.1',
    (p) => `:${p.name} is literal text in a path, and no parameter`,
    (p) => `write {${p.name}} for a parameter`,
  ),
  'bad-base': error<{ found: string }>(
    '4.1',
    (p) => `"${p.found}" is no base`,
    'write it as /v1: a slash before each segment, none at the end',
  ),
  'parameter-twice': error<{ name: string }>('4.1', (p) => `the path has two parameters called ${p.name}`),
  'bad-parameter': error<{ found: string }>(
    '4.2',
    (p) => `"${p.found}" is no parameter`,
    'write a shape or its name, or RESOURCE.field, or RESOURCE.field as name',
  ),
  'unknown-parameter': error<{ place: 'query' | 'headers'; name: string }>('G.2', (p) =>
    p.place === 'query'
      ? `no request has a query parameter ${p.name}: it is not declared`
      : `no request has a header field ${p.name}: it is not declared`,
  ),
  'example-differs': warning<{ where: string; expected: string; found: string; by: string }>(
    '4.6',
    (p) =>
      `the statements exclude this answer: ${p.where} is ${p.expected}, and the example shows ${p.found}`,
    (p) => `change the example, or what decides: ${p.by}`,
  ),
  'example-circle': error<{ names: string }>(
    '4.6',
    (p) => `these examples come after one another without end: ${p.names}`,
    'take one of them out of after',
  ),
  'alternative-unnamed': error<{ key: string }>(
    '4.1',
    (p) => `one of the operations of ${p.key} has no name`,
    'write operation: NAME in each of the list',
  ),
  'alternative-reads': error<{ name: string }>(
    '4.1',
    (p) => `${p.name} is not known before an operation is chosen`,
    'read request.path, query, headers, media or version',
  ),
  'operation-twice': error<{ name: string }>(
    '4.1',
    (p) => `two endpoints are called ${p.name}`,
    'names of operations are unique',
  ),
  'path-twice': error<{ key: string }>(
    '4.1',
    (p) => `no request can tell ${p.key} from another endpoint`,
    'two paths may differ in literal segments, not in the names of their parameters alone',
  ),
  'actor-twice': error<{ name: string }>(
    '5.4',
    (p) => `${p.name} is bound by an expression, and by a scheme as well`,
    'keep one of them, or give them two names',
  ),
  'challenge-missing': warning<{ scheme: string }>(
    '5.1',
    (p) => `${p.scheme} states no challenge, and part 7 lists a 401, which wants one (RFC 9110 §15.5.2)`,
    'add challenge: the text of WWW-Authenticate',
  ),
  'never-matched': warning<object>(
    '4.3',
    () => 'no tag that a client sends is ever matched: ifMatch compares strongly, and the tag is weak',
    'state etag: strong, or compare: weak, or take ifMatch out (RFC 9110 §13.1.1)',
  ),
  'no-effect': warning<{ what: string; why: string }>(
    '5.5',
    (p) => `${p.what} has no effect: ${p.why}`,
    'take it out, or correct what keeps it from having one',
  ),
  'null-actor': warning<{ operation: string }>(
    '5.5',
    (p) =>
      `this lets in a client that nobody knows: without a credential, actor is null, and so may be what ${p.operation} compares it with`,
    'ask for somebody known, too: actor != null && …',
  ),
  'credential-not-asked': warning<{ operation: string }>(
    '5.5',
    (p) =>
      `without a credential, ${p.operation} succeeds and leaves out every item: the rule is about items alone`,
    'say who may ask at all: { rule: known, items: … }; { rule: anyone, items: … } if this is meant',
  ),
  'bytes-deleted': error<{ of: string }>(
    'H.1',
    (p) => `the bytes of ${p.of} cannot be read: they are deleted with the change`,
    'read size(x) or sha256(x), which stay; or give the bytes an operation of their own, before the change',
  ),
  'bad-version': error<{ name: string; scheme: string }>(
    '9.1',
    (p) => `${p.name} does not name a version where the scheme is ${p.scheme}`,
    'number: 3; semver: 2.1 or 2.1.0; date: 2026-11-01',
  ),
  'version-order': error<{ name: string; before: string }>(
    '9.2',
    (p) => `${p.name} stands after ${p.before}, and is not older`,
    'list the versions newest first, each once',
  ),
  'dates-order': error<{ later: string; earlier: string }>(
    '9.2',
    (p) => `${p.later} comes before ${p.earlier}`,
    'a version is deprecated first, then its sunset comes, then it is retired',
  ),
  'bad-difference': error<{ address: string; why: string }>(
    '9.3',
    (p) => `${p.address} cannot differ: ${p.why}`,
  ),
} as const;

export type Code = keyof typeof codes;
export type ParametersOf<C extends Code> = (typeof codes)[C] extends Definition<infer P> ? P : never;
