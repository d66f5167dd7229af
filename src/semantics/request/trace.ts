import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import { isSaid, type Said, stated } from '../../specification/reading/said.ts';
import { type ConditionName, conditionNames } from '../../specification/vocabulary/condition.ts';
import { uniqueSets } from '../change/unique.ts';
import type { Judged, Stage } from '../world/trace.ts';

/** A condition that was judged (language §H.4). */
export interface JudgedCondition {
  readonly condition: ConditionName;
  /** What it is about: `Todo`, `Todo.title`; empty: none. */
  readonly subject: string;
  readonly refuses: boolean;
  /** The statements by which it is judged. */
  readonly by: readonly Address[];
}

type Points = readonly (Said<unknown> | undefined)[];
type Conditions = Partial<Record<ConditionName, Points>>;

/** The conditions that were judged, in their order. Those that no statement of the document can cause are left out. */
export function conditionsOf(
  trace: readonly Judged[],
  operation: Operation,
  specification: Specification,
): readonly JudgedCondition[] {
  const found = trace.flatMap(({ stage, refusals }): JudgedCondition[] => {
    const points = stages[stage](operation, specification);
    const passed = (Object.keys(points) as ConditionName[])
      .map((condition) => ({ condition, subject: '', refuses: false, by: addressesOf(points[condition]) }))
      .filter(({ condition, by }) => by.length > 0 && !refusals.some((each) => each.condition === condition));
    const refusing = refusals.map(({ condition, subject, code }) => ({
      condition,
      subject,
      refuses: true,
      by: code === undefined ? addressesOf(points[condition]) : [`errors.codes.${code}`],
    }));
    return [...passed, ...refusing];
  });
  return found.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ condition }: JudgedCondition): number {
  return conditionNames.indexOf(condition);
}

function addressesOf(points: Points = []): readonly Address[] {
  return points.flatMap((said) => (said && isSaid(said) && said.kind !== 'none' ? [said.address] : []));
}

/** The verbs of operations that need no item that exists. */
const withoutItem = ['', 'create', 'list', 'authenticate', 'revoke', 'handled', 'run'];

/** What each stage judges, and the statements by which it does. */
const stages: Readonly<Record<Stage, (operation: Operation, of: Specification) => Conditions>> = {
  path: () => ({}),
  fault: () => ({}),
  'sender and item': (operation, { authentication }) => {
    const part = stated(authentication);
    const rule = part && ruleOf(part, operation);
    const isOfOne = !withoutItem.includes(stated(operation.does)?.verb ?? '') || operation.bindings.size > 0;
    return {
      'credential missing': [rule],
      'credential wrong': [rule],
      unknown: isOfOne ? [operation.does] : [],
      'not authorized': [rule],
    };
  },
  rates: ({ name }, { limits }) => {
    const rates = [...(stated(stated(limits)?.rates)?.values() ?? [])].filter((said) => {
      const operations = stated(stated(said)?.operations);
      return !operations || operations.some(({ text }) => text === name);
    });
    return { 'rate exceeded': rates };
  },
  media: () => ({}),
  content: ({ request }) => ({ invalid: [request?.query, request?.headers, request?.body] }),
  repeats: ({ endpoint }) => ({
    'key missing': [endpoint.idempotency],
    'key reused': [endpoint.idempotency],
  }),
  preconditions: ({ endpoint }) => ({
    'precondition missing': [endpoint.conditional],
    'precondition failed': [endpoint.conditional],
    'range not satisfiable': [stated(endpoint.conditional)?.ranges],
  }),
  change: (operation, { limits }) => ofChange(operation, stated(stated(limits)?.quotas)?.values()),
  expressions: ({ name }, { errors }) => {
    const rows = [...(stated(stated(errors)?.codes)?.values() ?? [])].filter((said) => {
      const row = stated(said);
      const operations = row && stated(row.operations);
      const isOwn = (row && stated(row.when))?.some(({ expression }) => expression !== null);
      return isOwn && (!operations || operations.some(({ text }) => text === name));
    });
    return { expression: rows };
  },
};

/** What only the change can tell (conditions 12 to 14). */
function ofChange({ does, subject }: Operation, quotas: Iterable<Said<unknown>> = []): Conditions {
  switch (stated(does)?.verb) {
    case undefined:
    case 'read':
    case 'list':
    case 'revoke':
    case 'handled':
    case 'run':
      return {};
    case 'authenticate':
      return { 'wrong credentials': [does] };
    case 'delete':
      return { 'guard refused': [subject?.guards], 'in use': [does] };
    case 'create':
    case 'update':
    case 'replace':
      return {
        'guard refused': [subject?.guards],
        'not unique': subject && uniqueSets(subject).length > 0 ? [does] : [],
        'invariant broken': [subject?.invariants],
        'quota exceeded': [...quotas],
      };
    default:
      return { 'transition refused': [does], 'guard refused': [does] };
  }
}
