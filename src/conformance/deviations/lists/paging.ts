import { wholePath } from '../../../expression/template.ts';
import { sentAs } from '../../../semantics/judge/permitted.ts';
import type { Step } from '../../../semantics/request/request.ts';
import { isObject, seen, type Value } from '../../../semantics/value/value.ts';
import { type Operation, queryParameters } from '../../../specification/model/operation.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Parameter } from '../../../specification/vocabulary/request.ts';
import { type Deviation, type Implementation, type Kind, operationOf, wrapping } from '../deviation.ts';
import { answering, elementsIn, ofElements, wholeOf, withBody, without } from './lists.ts';

/** Changes what an implementation answers. */
type Wrong = (right: Implementation) => Implementation;

/** A page that begins elsewhere than it says, or tells of the list what holds of the page (language §4.5). */
export const paging: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (!operation || said !== operation.does || stated(operation.does)?.verb !== 'list') return [];
  const parameters = queryParameters(operation);
  const size = parameters.find(({ roles }) => stated(roles.page) === 'size');
  const behind = parameters.filter(({ roles }) => ['cursor', 'after'].includes(stated(roles.page) ?? ''));
  const cursors = behind.filter(({ roles }) => stated(roles.page) === 'cursor');
  const [totals, nexts] = ['total', 'next'].map((name) => membersReading(name, operation)) as [Names, Names];
  const deviation = (says: string, wrong: Wrong): Deviation =>
    wrapping(said, specification, says, wrong, operation.address);
  if (size === undefined) return [];
  return [
    ...(totals.length > 0
      ? [deviation('what the answer counts is what the page shows', countingPage(totals))]
      : []),
    ...(nexts.length > 0 ? [deviation('a full page at the end has a next one', goingOn(size, nexts))] : []),
    ...behind.flatMap(({ name }) => [
      deviation(`the page after ${name} begins with that item`, from(name, -1, parameters)),
      deviation(`the page after ${name} begins one item late`, from(name, 1, parameters)),
    ]),
    ...cursors.map(({ name }) =>
      deviation(`${name} counts items, whichever they are by then`, byPlace(name, nexts, parameters)),
    ),
  ];
};

type Names = readonly string[];

/** The members of the bodies of an operation that are `page.NAME`. */
function membersReading(name: string, { response }: Operation): Names {
  return (stated(response) ?? []).flatMap(({ body }) => {
    const template = stated(body)?.template;
    const members = template?.kind === 'object' ? [...template.members] : [];
    return members.flatMap(([member, value]) =>
      wholePath(value)?.join('.') === `page.${name}` ? [member] : [],
    );
  });
}

function countingPage(names: Names): Wrong {
  return (right) => (world, request) =>
    right(world, request).map((step) =>
      withBody(step, (body) => withMembers(names, elementsIn(body).length, body)),
    );
}

/** A page that has as many items as it may is taken for one that is not the last. */
function goingOn({ name, default: usual }: Parameter, names: Names): Wrong {
  return (right) => (world, request) =>
    right(world, request).map((step) =>
      withBody(step, (body) => {
        const isFull = elementsIn(body).length === Number(seen(request.query[name] ?? stated(usual) ?? null));
        const left = names.filter((each) => isObject(body) && seen(body[each] ?? null) === null);
        return isFull && elementsIn(body).length > 0 ? withMembers(left, 'next', body) : body;
      }),
    );
}

/** A page begins some items before or after the one with which it should. */
function from(name: string, by: number, parameters: readonly Parameter[]): Wrong {
  return (right) => (world, request) => {
    if (request.query[name] === undefined) return right(world, request);
    const rest = wholeOf(request, parameters, right, world);
    const whole = wholeOf(without([name])(request), parameters, right, world);
    const begins = Math.max(0, whole.length - rest.length + by);
    return answering((items) =>
      ofElements(items, ({ length }) => whole.slice(begins, begins + Math.max(length, 1))),
    )(right)(world, request);
  };
}

/** A cursor is the place at which the next page begins: what leaves the list before it moves the others on. */
function byPlace(name: string, nexts: Names, parameters: readonly Parameter[]): Wrong {
  return (right) => {
    const places = new Map<string, number>();
    return (world, request) => {
      const rest = wholeOf(request, parameters, right, world);
      const whole = wholeOf(without([name])(request), parameters, right, world);
      const given = request.query[name];
      const known = given === undefined ? 0 : places.get(textOf(given));
      const begins = known ?? whole.length - rest.length;
      const steps = right(world, request);
      for (const cursor of cursorsIn(steps, nexts)) places.set(cursor.text, begins + cursor.length);
      if (given === undefined || known === undefined) return steps;
      return answering((items) => ofElements(items, ({ length }) => whole.slice(known, known + length)))(
        () => steps,
      )(world, request);
    };
  };
}

/** The cursors of the next page in answers, each with the number of items before it on its page. */
function cursorsIn(
  steps: readonly Step[],
  names: Names,
): readonly { readonly text: string; readonly length: number }[] {
  return steps.flatMap(({ prediction: { body } }) => {
    if (typeof body === 'symbol' || !isObject(body)) return [];
    return names.flatMap((name) => {
      const cursor = body[name] ?? null;
      return seen(cursor) === null ? [] : [{ text: textOf(cursor), length: elementsIn(body).length }];
    });
  });
}

function textOf(value: Value): string {
  return String(sentAs(value));
}

/** An object with another value in some of its members. */
function withMembers(names: Names, value: Value, body: Value): Value {
  return isObject(body) ? { ...body, ...Object.fromEntries(names.map((name) => [name, value])) } : body;
}
