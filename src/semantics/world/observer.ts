import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Item, Value } from '../value/value.ts';

/** Notes what a request depends on while it is carried out, for whoever looks for requests that depend on something new. */
export interface Observer {
  /** A member of an item is read. */
  readonly reads: (item: Pick<Item, 'resource' | 'handle'>, name: string) => void;
  /**
   * Something is decided.
   *
   * @param by what decides: a node of an expression, or a template
   * @param outcome how, in a few words: `true`, `<`, `= 0`
   * @param operands what was compared, if two values were
   */
  readonly decides: (by: object, outcome: string, operands?: readonly [Value, Value]) => void;
  /**
   * A template is evaluated.
   *
   * @param value what it comes to
   * @param valueWith what another one would come to in its place. Nothing is made, and nothing is noted
   */
  readonly evaluates?: (
    template: PlacedTemplate,
    value: Value,
    valueWith: (other: PlacedTemplate) => Value,
  ) => void;
}
