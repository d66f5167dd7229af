import { type Scope, staticType, typeOf } from '../../expression/check.ts';
import { stepsAtMost } from '../../expression/cost.ts';
import {
  children,
  type Fault,
  membersRead,
  path,
  pathsRead,
  type Syntax,
} from '../../expression/expression.ts';
import { type Lacks, nullFaults } from '../../expression/nulls.ts';
import { mostSteps } from '../../expression/steps.ts';
import { reads, storableFaults } from '../../expression/storable.ts';
import type { Template, TextTemplate } from '../../expression/template.ts';
import {
  any,
  bool,
  described,
  fits,
  holdsBytes,
  integer,
  list,
  nullType,
  number,
  object,
  type Type,
  textType,
} from '../../expression/type.ts';
import type { Json, Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Steps } from '../../source/turns.ts';
import type { Specification } from '../model/specification.ts';
import { shownNames } from '../reading/nearest.ts';
import { kindOf, type Reading, within } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import { isHandled, type PlacedTemplate } from '../reading/templates.ts';
import { refusedBy } from '../vocabulary/agreement.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { schemaOf } from '../vocabulary/shape.ts';
import { admitsUnknown } from './credential-asked.ts';
import { compileLacks } from './lacking.ts';
import { type ScopeModel, type Situation, type Standing, scopeFor, scopeModel } from './scope.ts';

/** What has no form within a text (language §G.1). */
const unwritable = ['list', 'object', 'item', 'items', 'bytes'];

/** Where what cannot be computed fails a request that should have succeeded: in what is stored, and in what is answered. */
const failing: readonly Situation[] = [
  'set',
  'set on update',
  'with',
  'with of a new item',
  'with of also',
  'derived',
  'derived of a view',
  'answer',
  'list answer',
  'handled answer',
  'run answer',
  'error',
];

/** Why no rows can be found by something, and what may stand instead. */
type NotFound = Pick<Fault, 'message' | 'hint'>;

/** Types the expressions of one specification (language §G.1). */
export class Typing {
  readonly #of: Specification;
  readonly #model: ScopeModel;
  readonly #reading: Reading;
  readonly #lacks: Lacks | null;
  readonly #derived = new Map<Field, NotFound | null>();

  /** @param warnsOfNull whether it reports where null may reach what does not take it */
  constructor(of: Specification, reading: Reading, warnsOfNull = false) {
    this.#of = of;
    this.#model = scopeModel(of);
    this.#reading = reading;
    this.#lacks = warnsOfNull ? compileLacks(of) : null;
  }

  /** Checks a template, where there is one; its value is to be of the wanted type, if any. */
  template(said: Said<PlacedTemplate>, standing: Standing, wanted?: Type): void {
    if (said.kind === 'stated') this.check(said.value, standing, wanted);
  }

  /** Checks what is sent as JSON, which holds no bytes (language §H.1). */
  sent(said: Said<PlacedTemplate>, standing: Standing, wanted?: Type): void {
    if (said.kind === 'stated') this.payload(said.value, standing, wanted);
  }

  /** The same of a template by itself. */
  payload({ template, node }: PlacedTemplate, standing: Standing, wanted?: Type): void {
    this.#check(template, node, standing, wanted);
    this.#noBytes(template, node);
  }

  /** Checks a body, which may be bytes as a whole; gives whether it is. In parts, the `body` of each may be bytes. */
  body(said: Said<PlacedTemplate>, standing: Standing, inParts = false): boolean {
    if (said.kind !== 'stated') return false;
    const { template, node } = said.value;
    if (this.#check(template, node, standing, undefined)?.kind === 'bytes') return true;
    this.#noBytes(template, node, inParts ? ofParts : holdsBytes);
    return false;
  }

  #noBytes(template: Template, node: Node, holds: (type: Type) => boolean = holdsBytes): void {
    if (template.kind === 'list' && node.kind === 'list')
      for (const [index, item] of template.items.entries())
        this.#noBytes(item, node.items[index] as Node, holds);
    if (template.kind === 'object' && node.kind === 'map')
      for (const [name, member] of template.members)
        if (holds === holdsBytes || name !== 'body')
          this.#noBytes(member, node.entries.get(name)?.value as Node);
    if (template.kind !== 'expression') return;
    const { expression, from } = template;
    if (!holds(staticType(expression.syntax))) return;
    const at = within(node, from, from + expression.text.length);
    this.#reading.report('bytes-in-json', at, { problem: 'this is bytes, or holds some' });
  }

  /** Checks an expression that says whether something holds. */
  truth(placed: PlacedTemplate, standing: Standing): void {
    this.check(placed, standing, bool);
  }

  /** Checks what is written into a text: no list, and no object. */
  text(said: Said<PlacedTemplate>, standing: Standing): void {
    if (said.kind !== 'stated') return;
    const { template, node } = said.value;
    const type = this.check(said.value, standing);
    if (type && template.kind === 'expression' && unwritable.includes(type.kind))
      this.#report(template, node, type, textType);
  }

  /** Gives the type of what is wholly one expression. */
  check({ template, node }: PlacedTemplate, standing: Standing, wanted?: Type): Type | undefined {
    return this.#check(template, node, standing, wanted);
  }

  /** Checks a template whose value is kept in a field: of its type, and a literal as its keywords admit (language §2.2). */
  kept(placed: PlacedTemplate, standing: Standing, field: Field, wanted: Type, key = 'set'): void {
    this.check(placed, standing, wanted);
    const value = literalOf(placed.template);
    const keyword = value === undefined ? undefined : refusedBy(schemaOf(field.shape), value);
    // That it is none of the values is told with its type.
    if (keyword === undefined || (keyword === 'enum' && wanted.kind === 'text')) return;
    const { node } = placed;
    this.#reading.report('bad-keyword', node.span, {
      keyword: key,
      wanted: `a value that ${keyword} of ${field.name} admits`,
      found: node.kind === 'scalar' ? node.written : kindOf(node),
    });
  }

  /**
   * Checks an expression by which rows are found, or an order among them, for what a store cannot be asked
   * (language §G.5). It has been typed before.
   */
  storable({ template, node }: PlacedTemplate, rows: readonly string[] = ['this']): void {
    if (template.kind !== 'expression') return;
    const { expression, from } = template;
    for (const { start, end, message, hint } of this.#notStorable(expression.syntax, rows))
      this.#reading.report(
        'not-storable',
        within(node, from + start, from + end),
        { problem: message },
        hint === undefined ? {} : { hint },
      );
  }

  /** Why rows cannot be found by a field; undefined where they can. */
  notFoundBy(field: Field): NotFound | undefined {
    const derived = stated(field.derived);
    if (derived === undefined) return undefined;
    const known = this.#derived.get(field);
    if (known !== undefined) return known ?? undefined;
    // A field that needs itself is told as a circle.
    this.#derived.set(field, null);
    const { template } = derived;
    const [fault] =
      template.kind === 'expression' ? this.#notStorable(template.expression.syntax, ['this']) : [];
    const isOne = template.kind === 'expression' || template.kind === 'literal';
    const problem = fault ?? (isOne ? null : { message: 'it is a template of several values' });
    this.#derived.set(field, problem);
    return problem ?? undefined;
  }

  #notStorable(syntax: Syntax, rows: readonly string[]): Fault[] {
    const { resources } = this.#model;
    const isSet = (name: string): boolean => resources.has(name) && !rows.includes(name);
    const own = [...storableFaults(syntax, rows, isSet), ...this.#amongOthers(syntax, rows, isSet)];
    const through = membersRead(syntax).flatMap(({ over, member, start, end }) => {
      const type = staticType(over);
      const field = type.kind === 'item' ? resources.get(type.resource)?.fields.get(member) : undefined;
      const problem = field && this.notFoundBy(field);
      if (!problem) return [];
      return [{ ...problem, start, end, message: `no rows can be found by ${member}: ${problem.message}` }];
    });
    return [...own, ...through];
  }

  /** No one value stands for an item that is known by several fields, so a store finds it in no list of values. */
  #amongOthers(node: Syntax, rows: readonly string[], isSet: (name: string) => boolean): Fault[] {
    const within = children(node).flatMap((child) => this.#amongOthers(child, rows, isSet));
    if (node.op !== 'in' || node.args[1].op === 'list') return within;
    const [one] = node.args;
    if (!this.#isOfSeveral(one) || !reads(one, rows, isSet)) return within;
    const { start, end } = node;
    const message = 'an item that is known by several fields is not looked for in a list';
    return [
      ...within,
      { start, end, message, hint: 'compare it with each of them, or their fields one by one' },
    ];
  }

  #isOfSeveral(node: Syntax): boolean {
    const { resources } = this.#model;
    const type = staticType(node);
    const over = node.op === '.' ? staticType(node.args[0]) : any;
    const name = node.op === '.' ? node.args[1] : '';
    const field = over.kind === 'item' ? resources.get(over.resource)?.fields.get(name) : undefined;
    if (type.kind !== 'item' || (field && stated(field.refers)?.field)) return false;
    const of = resources.get(type.resource);
    return of !== undefined && (stated(of.identifier)?.length ?? 1) > 1;
  }

  /** What a field holds, as expressions see it. */
  fieldType(field: Field): Type {
    return this.#model.fieldType(field);
  }

  /** The type in which a field is kept: the newest version's, or its own where that has no such field. */
  keptType(resource: Pick<Resource, 'name'>, field: Field): Type {
    return this.fieldType(this.keeper(resource, field));
  }

  /** The field in which its value is kept: the newest version's. */
  keeper({ name }: Pick<Resource, 'name'>, field: Field): Field {
    return this.#model.resources.get(name)?.fields.get(field.name) ?? field;
  }

  #check(template: Template, node: Node, standing: Standing, wanted: Type | undefined): Type | undefined {
    if (template.kind === 'list' && node.kind === 'list')
      for (const [index, item] of template.items.entries())
        this.#check(
          item,
          node.items[index] as Node,
          standing,
          wanted?.kind === 'list' ? wanted.of : undefined,
        );
    if (template.kind === 'object' && node.kind === 'map')
      for (const [name, member] of template.members) {
        const known = wanted?.kind === 'object' ? wanted.members.get(name) : undefined;
        this.#check(member, node.entries.get(name)?.value as Node, standing, known);
      }
    if (template.kind === 'literal' && wanted) this.#literal(template.value, node, wanted);
    if (template.kind === 'list' && wanted) this.#fits(list(any), node, wanted);
    if (template.kind === 'object' && wanted && !isHandled(node)) this.#fits(object([], true), node, wanted);
    if (template.kind === 'text')
      for (const piece of template.pieces) {
        if (typeof piece === 'string') continue;
        const type = this.#type(piece, node, standing);
        if (unwritable.includes(type.kind)) this.#report(piece, node, type, textType);
      }
    if (template.kind !== 'expression') return undefined;
    const type = this.#type(template, node, standing);
    if (wanted && !mayBecome(type, wanted)) this.#report(template, node, type, wanted);
    if (type.kind === 'bytes') this.#checkBytesThere(template, node, standing);
    return type;
  }

  /** Reports bytes that are deleted where their content is read: those of `old`, and of a deleted item (language §H.1). */
  #checkBytesThere({ expression, from }: Piece, node: Node, { isDeleted }: Standing): void {
    for (const read of resultsOf(expression.syntax)) {
      const [root = '', ...names] = path(read) ?? [];
      if (names.length !== 1 || (root !== 'old' && !(root === 'this' && isDeleted))) continue;
      const at = within(node, from + read.start, from + read.end);
      this.#reading.report('bytes-deleted', at, { of: root === 'old' ? 'old' : 'an item that is deleted' });
    }
  }

  /** Whether what is written there may become a value of the wanted type; if not, that is reported. */
  #fits(found: Type, node: Node, wanted: Type): boolean {
    if (mayBecome(found, wanted)) return true;
    this.#reading.report('wrong-kind', node.span, { wanted: described(wanted), found: kindOf(node) });
    return false;
  }

  #literal(value: Json, node: Node, wanted: Type): void {
    if (wanted.kind === 'text' && wanted.machine !== undefined && typeof value === 'string')
      this.#reading.use('state', `${wanted.machine}.${value}`, node.span);
    if (!this.#fits(typeOfJson(value), node, wanted)) return;
    if (
      wanted.kind === 'text' &&
      wanted.values &&
      typeof value === 'string' &&
      !wanted.values.includes(value)
    )
      this.#noneOf(value, node, wanted.values);
  }

  #noneOf(value: string, node: Node, values: readonly string[]): void {
    const close = this.#reading.suggest(value, values);
    const hint = close === undefined ? null : `did you mean ${close}?`;
    const wanted = `one of ${shownNames(values)}`;
    this.#reading.report('wrong-kind', node.span, { wanted, found: value }, { hint });
  }

  #type({ expression, from }: Piece, node: Node, standing: Standing): Type {
    const reading = this.#reading;
    const scope = scopeFor(standing, this.#model);
    const use: Scope['use'] = (kind, name, { start, end }) => {
      const at = within(node, from + start, from + end);
      // A filter that is a field stands for an expression that nobody wrote (language §E.11).
      if (kind === 'parameter' && !at.text.content.slice(at.start, at.end).includes('request')) return;
      reading.use(kind, name, at);
    };
    const type = typeOf(expression.syntax, reading.notesUses ? { ...scope, use } : scope, (fault) => {
      const at = within(node, from + fault.start, from + fault.end);
      if (fault.undescribed) this.#reading.report('undescribed-field', at, fault.undescribed);
      else if (fault.undeclared) this.#undeclared(fault.undeclared, at);
      else this.#reading.report('expression-type', at, { problem: fault.message });
    });
    this.#checkNulls({ expression, from }, node, standing);
    const steps = stepsAtMost(expression.syntax);
    if (steps > mostSteps)
      this.#reading.report('too-many-steps', within(node, from, from + expression.text.length), {
        steps,
        most: mostSteps,
      });
    return type;
  }

  #checkNulls(
    { expression, from }: Pick<Piece, 'expression' | 'from'>,
    node: Node,
    standing: Standing,
  ): void {
    const { situation, findsRows, known } = standing;
    if (this.#lacks === null || (!failing.includes(situation) && !findsRows)) return;
    const nullable = this.#nullableIn(expression.syntax, standing, this.#lacks);
    for (const { message, start, end } of nullFaults(expression.syntax, this.#lacks, known, nullable)) {
      const at = within(node, from + start, from + end);
      this.#reading.report('may-be-null', at, { problem: message });
    }
  }

  /** The names that may be null: `old` of a new item, and `actor` where somebody unknown may be let in. */
  #nullableIn(syntax: Syntax, { mayBeNew, operation }: Standing, lacks: Lacks): readonly string[] {
    const roots = pathsRead(syntax).map(([root]) => root);
    // What `outcome` is tells whether there was an item.
    const isNew = mayBeNew === true && !roots.includes('outcome');
    const isUnknown =
      operation !== undefined && roots.includes('actor') && admitsUnknown(this.#of, operation, lacks);
    return [...(isNew ? ['old'] : []), ...(isUnknown ? ['actor'] : [])];
  }

  #undeclared({ place, name, close }: NonNullable<Fault['undeclared']>, at: Span): void {
    const hint =
      close === undefined ? `declare it: request: { ${place}: { ${name}: … } }` : `did you mean ${close}?`;
    this.#reading.report('unknown-parameter', at, { place, name }, { hint });
  }

  #report({ expression, from }: Piece, node: Node, found: Type, wanted: Type): void {
    const problem = `this is ${described(found)}, and ${described(wanted)} is wanted`;
    this.#reading.report('expression-type', within(node, from, from + expression.text.length), { problem });
  }
}

/** Whether what may stand for parts, or for one of them, holds bytes elsewhere than as the body of a part. */
function ofParts(type: Type): boolean {
  if (type.kind === 'list') return ofParts(type.of);
  if (type.kind !== 'object') return holdsBytes(type);
  return [...type.members].some(
    ([name, member]) => holdsBytes(member) && !(name === 'body' && member.kind === 'bytes'),
  );
}

/** What an expression comes to: itself, or of a choice each of its two sides. */
function resultsOf(syntax: Syntax): readonly Syntax[] {
  if (syntax.op !== '?:') return [syntax];
  const [, yes, no] = syntax.args;
  return [...resultsOf(yes), ...resultsOf(no)];
}

/** The value of a template that says one, whatever is asked. */
function literalOf(template: Template): Json | undefined {
  if (template.kind === 'literal') return template.value;
  if (template.kind !== 'expression') return undefined;
  const { op, args } = template.expression.syntax;
  if (op !== 'value') return undefined;
  const value = typeof args === 'bigint' ? Number(args) : args;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** What is kept, and comes, as text. */
const asText: readonly string[] = ['timestamp', 'duration'];

/** Whether a value may be given to what holds the wanted type: an item by its key, too, and a time or duration by its text. */
function mayBecome(found: Type, wanted: Type): boolean {
  if (fits(found, wanted)) return true;
  if (wanted.kind === 'item') return ['text', 'integer', 'number'].includes(found.kind);
  if (wanted.kind === 'text') return ['item', ...asText].includes(found.kind);
  return asText.includes(wanted.kind) && found.kind === 'text';
}

function typeOfJson(value: Json): Type {
  if (value === null) return nullType;
  if (typeof value === 'boolean') return bool;
  if (typeof value === 'number') return Number.isInteger(value) ? integer : number;
  if (typeof value === 'string') return textType;
  return Array.isArray(value) ? list(any) : object([], true);
}

type Piece = Pick<Extract<TextTemplate, { kind: 'expression' }>, 'expression' | 'from'>;

/**
 * Looks at one part as a whole: names that nobody has, expressions that do not fit, statements that contradict. A part
 * that is long does so in steps.
 */
export type Validate = (of: Specification, typing: Typing, reading: Reading) => Steps<void> | void;
