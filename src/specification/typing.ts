import { typeOf } from '../expression/check.ts';
import type { Template, TextTemplate } from '../expression/template.ts';
import { bool, described, fits, type Type } from '../expression/type.ts';
import type { Node } from '../source/node.ts';
import type { Resource } from './parts/resources.ts';
import { type Reading, within } from './reading.ts';
import { type Said, stated } from './said.ts';
import { type Bound, type ScopeModel, type Situation, scopeFor, scopeModel } from './scope.ts';
import type { Specification } from './specification.ts';
import type { PlacedTemplate } from './templates.ts';

/** Where an expression stands: what it may name follows from that (language §G.2). */
export interface Standing {
  readonly situation: Situation;
  readonly subject: Resource | null;
  readonly bound: readonly Bound[];
}

/** Types the expressions of one specification (language §G.1). */
export class Typing {
  readonly #model: ScopeModel;
  readonly #reading: Reading;

  constructor(of: Specification, reading: Reading) {
    this.#model = scopeModel(of.resourcesByName, stated(of.resources), of.completeness);
    this.#reading = reading;
  }

  /** Checks a template, where there is one. */
  template(said: Said<PlacedTemplate>, standing: Standing): void {
    if (said.kind === 'stated') this.#check(said.value.template, said.value.node, standing, undefined);
  }

  /** Checks an expression that says whether something holds. */
  truth({ template, node }: PlacedTemplate, standing: Standing): void {
    this.#check(template, node, standing, bool);
  }

  #check(template: Template, node: Node, standing: Standing, wanted: Type | undefined): void {
    if (template.kind === 'list' && node.kind === 'list')
      for (const [index, item] of template.items.entries())
        this.#check(item, node.items[index] as Node, standing, undefined);
    if (template.kind === 'object' && node.kind === 'map')
      for (const [name, member] of template.members)
        this.#check(member, node.entries.get(name)?.value as Node, standing, undefined);
    if (template.kind === 'expression') {
      const type = this.#type(template, node, standing);
      if (wanted && !fits(type, wanted)) this.#report(template, node, type, wanted);
    }
    if (template.kind === 'text')
      for (const piece of template.pieces) {
        if (typeof piece === 'string') continue;
        const type = this.#type(piece, node, standing);
        if (['list', 'object', 'item', 'items'].includes(type.kind))
          this.#report(piece, node, type, { kind: 'text' });
      }
  }

  #type({ expression, from }: Piece, node: Node, standing: Standing): Type {
    const { situation, subject, bound } = standing;
    const scope = scopeFor(situation, subject, bound, this.#model);
    return typeOf(expression.syntax, scope, ({ start, end, message }) =>
      this.#reading.report('expression-type', within(node, from + start, from + end), { problem: message }),
    );
  }

  #report({ expression, from }: Piece, node: Node, found: Type, wanted: Type): void {
    const problem = `this is ${described(found)}, and ${described(wanted)} is wanted`;
    this.#reading.report('expression-type', within(node, from, from + expression.text.length), { problem });
  }
}

type Piece = Pick<Extract<TextTemplate, { kind: 'expression' }>, 'expression' | 'from'>;

/** Looks at one part as a whole: names that nobody has, expressions that do not fit, statements that contradict. */
export type Validate = (of: Specification, typing: Typing, reading: Reading) => void;
