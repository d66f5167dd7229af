import type { Frame } from '../../expression/compile.ts';
import { type Expression, isFault, parseExpression } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { any } from '../../expression/type.ts';
import { scalar, setMember } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { Reading } from '../../specification/reading/reading.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { boundBy } from '../../specification/rules/names.ts';
import { Typing } from '../../specification/rules/typing.ts';
import type { FrameOf } from '../message/frame.ts';
import { givenIn, type Placed, parametersOf } from './asked.ts';
import { leastRecent } from './statements.ts';

/** A list whose condition a function of the operator's gives, once the function has given it. */
export interface Settled<T> {
  readonly list: T;
  readonly frame: FrameOf;
}

/** A place of a list where a function gives the condition, as data (language §I). */
interface HandledPlace {
  readonly handler: string;
  /** Null for `where`, which always holds. */
  readonly placed: Placed | null;
}

/** What a function gave for one place: an expression, and what `value` stands for in it. */
interface Gave {
  readonly text: string;
  readonly value: unknown;
}

/** How many forms of a list stay compiled. A function may give ever so many expressions. */
const mostForms = 100;

/**
 * Settles, for one request, the conditions of a list that functions of the operator's give; null where a list has none.
 *
 * @param newest the specification by which items are stored, and so read by expressions
 * @param compile compiles the list of an operation whose conditions are all expressions
 */
export function compileHandledList<T>(
  operation: Operation,
  newest: Specification,
  compile: (operation: Operation) => T,
): ((frame: FrameOf) => Settled<T>) | null {
  const places = placesOf(operation);
  if (places.length === 0) return null;
  const remembered = leastRecent<{ readonly list: T; readonly expressions: readonly (Expression | null)[] }>(
    mostForms,
  );
  return (frame) => {
    const given = places.map((place) => ask(place, frame({})));
    const { list, expressions } = remembered(JSON.stringify(given.map((one) => one?.text ?? null)), () => {
      const found = given.map((one) => one && read(one.text, operation, newest));
      const settled = places.reduce((of, place, at) => withCondition(of, place, found[at]), operation);
      return { list: compile(settled), expressions: found.map((one) => one?.expression ?? null) };
    });
    const values = new Map(
      given.flatMap((one, at): [Expression, unknown][] => {
        const expression = expressions[at];
        return one && expression ? [[expression, one.value]] : [];
      }),
    );
    return { list, frame: (names) => ({ ...frame(names), values }) };
  };
}

function placesOf(operation: Operation): HandledPlace[] {
  const where = handlerAt(stated(operation.does)?.qualifiers.where);
  const filters = parametersOf(operation).flatMap((placed): HandledPlace[] => {
    const handler = handlerAt(placed.parameter.roles.filter);
    return handler === undefined ? [] : [{ handler, placed }];
  });
  return where === undefined ? filters : [{ handler: where, placed: null }, ...filters];
}

function handlerAt(said: Said<PlacedTemplate> | undefined): string | undefined {
  const template = stated(said)?.template;
  return template?.kind === 'handled' ? template.name : undefined;
}

/** Asks the function; null where its parameter is not given. */
function ask({ handler, placed }: HandledPlace, frame: Frame): Gave | null {
  if (placed !== null && givenIn(placed, frame) === undefined) return null;
  const found = frame.handlers?.get(handler)?.(frame.names);
  if (typeof found === 'string') return { text: found, value: null };
  const { expression, value = null } = Object(found) as { expression?: unknown; value?: unknown };
  if (typeof expression === 'string') return { text: expression, value };
  throw new CannotWorkOut(`${handler} is to give an expression, as a text or as { expression, value }`);
}

interface Condition {
  readonly expression: Expression;
  readonly template: PlacedTemplate;
}

/** Reads and checks an expression as one of the document's own (language §G.5). */
function read(text: string, operation: Operation, newest: Specification): Condition {
  const expression = parseExpression(text);
  if (isFault(expression)) throw new CannotWorkOut(`${text}: ${expression.message}`);
  const node = scalar(text, operation.at);
  const template: PlacedTemplate = { template: { kind: 'expression', expression, from: 0 }, node };
  const reading = new Reading(newest.completeness);
  const typing = new Typing(newest, reading);
  const { subject } = operation;
  const more = [['value', any]] as const;
  typing.truth(template, { situation: 'item', subject, bound: boundBy(operation), operation, more });
  typing.storable(template);
  const fault = reading.diagnostics.find(({ severity }) => severity === 'error');
  if (fault) throw new CannotWorkOut(`${text}: ${fault.message}`);
  return { expression, template };
}

/** The operation with an expression in place of the function. */
function withCondition(
  operation: Operation,
  { placed }: HandledPlace,
  condition: Condition | null | undefined,
): Operation {
  if (!condition) return operation;
  const { does, request } = operation;
  if (placed === null)
    return does.kind === 'stated'
      ? { ...operation, does: { ...does, value: withWhere(does.value, condition) } }
      : operation;
  const parameters = request?.[placed.place];
  const said = stated(parameters)?.get(placed.parameter.name);
  if (request === null || parameters?.kind !== 'stated' || said?.kind !== 'stated') return operation;
  const { roles } = said.value;
  const filter = replaced(roles.filter, condition);
  const parameter = { ...said, value: { ...said.value, roles: { ...roles, filter } } };
  const all = new Map(parameters.value).set(placed.parameter.name, parameter);
  const named = {};
  setMember(named, placed.place, { ...parameters, value: all });
  return { ...operation, request: { ...request, ...named } };
}

function withWhere<C extends { readonly qualifiers: { readonly where: Said<PlacedTemplate> } }>(
  change: C,
  condition: Condition,
): C {
  const where = replaced(change.qualifiers.where, condition);
  return { ...change, qualifiers: { ...change.qualifiers, where } };
}

function replaced(said: Said<PlacedTemplate>, { template }: Condition): Said<PlacedTemplate> {
  return said.kind === 'stated' ? { ...said, value: template } : said;
}
