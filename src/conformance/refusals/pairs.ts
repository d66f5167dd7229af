import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import { bodyOf } from '../body.ts';
import type { Scenario, Statement } from '../check.ts';
import { reasonsOf } from '../constraints.ts';
import { doesJustThat, ownConditions } from '../guards.ts';
import { freshValue, type Members, membersOf } from '../item.ts';
import { isUnique } from '../keys.ts';
import type { Item } from '../partly.ts';
import { make, perform } from '../perform.ts';
import { bounds } from '../probes.ts';
import { acceptable, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { itemFor } from '../sample.ts';
import { form, inForm, jsonPatch, mediaOf } from '../spell.ts';
import { deed } from '../success.ts';
import type { Attempt, Trial } from '../trial.ts';
import { type Earning, earning } from './own.ts';

/** Something wrong with a request, that can be wrong together with something else. */
interface Wrong {
  readonly says: string;
  readonly reasons: readonly Reason[];
  readonly attempt?: () => Attempt;
  readonly members?: (other: Item | undefined) => Members;
  /** It wants an item that is there already. */
  readonly wantsOther?: true;
  /** It is of the item, and of all that is asked of it. */
  readonly own?: Earning;
}

/** Requests that earn two conditions of those that a code of one's own answers: `order` chooses (language §7). */
export function pairs(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const order = stated(of.errors)?.order;
  const codes = stated(order)?.map((one) => one.text) ?? [];
  if (order?.kind !== 'stated' || operation.subject === null) return [];
  const cites: Statement = { address: order.address, at: order.at };
  const codeOf = ({ reasons }: Wrong): string | undefined => {
    const found = new Set(acceptable(of, operation, reasons).map(({ row }) => row?.code));
    return found.size === 1 ? [...found][0] : undefined;
  };
  const known = wrongs(trial, operation).filter((one) => codes.includes(codeOf(one) ?? ''));
  const found = known.flatMap((a, i) =>
    known.slice(i + 1).flatMap((b) => (codeOf(a) === codeOf(b) || clash(a, b) ? [] : [[a, b] as const])),
  );
  return found.map(([a, b]) => together(trial, operation, cites, a, b));
}

/** Whether one of the two would undo the other: both set the body as a whole, or a member that the other hangs on. */
function clash(a: Wrong, b: Wrong): boolean {
  if ((a.own && (b.own ?? b.members)) || (b.own && a.members)) return true;
  const names = (one: Wrong): readonly string[] =>
    one.reasons.map(({ subject }) => subject.split('.')[1] ?? subject);
  return names(a).some((name) => name !== '' && names(b).includes(name));
}

function together(trial: Trial, operation: Operation, cites: Statement, a: Wrong, b: Wrong): Scenario {
  const { of } = trial;
  const subject = operation.subject;
  const own = a.own ?? b.own;
  let other: Item | undefined;
  return refusing(trial, {
    says: `${operation.key} with ${a.says} and ${b.says}`,
    operation,
    cites: cites ?? deed(operation),
    reasons: [...a.reasons, ...b.reasons].map((reason) => ({ ...reason, failures: listedAlone(reason) })),
    must: doesJustThat(of, operation),
    item: (async () => {
      if (subject && (a.wantsOther || b.wantsOther)) other = (await make(trial, subject)).item;
      return own ? await own.item() : await itemFor(trial, operation);
    }) as () => Promise<Item>,
    send: async (item) => {
      const usual = membersOf(bodyFor(trial, operation, 'most'));
      const members = { ...usual, ...a.members?.(other), ...b.members?.(other) };
      const [one, two] = [a.attempt?.() ?? {}, b.attempt?.() ?? {}];
      return await perform(trial, operation, {
        ...(item && { item }),
        ...(usual && { body: members }),
        ...own?.attempt(item),
        ...one,
        ...two,
        headers: [...(one.headers ?? []), ...(two.headers ?? [])],
      });
    },
  });
}

/** The failures of `invalid` that its own row covers; those of two rows are listed each with its row. */
function listedAlone({ name, failures }: Reason): Reason['failures'] {
  return name === 'invalid' ? null : failures;
}

function wrongs(trial: Trial, operation: Operation): Wrong[] {
  const { tools, fresh, random } = trial;
  const { endpoint, request, subject } = operation;
  const body = bodyOf(trial.of, operation);
  const found: Wrong[] = [];
  const plain = (name: Reason['name'], at = ''): readonly Reason[] => [{ name, subject: at, failures: [] }];
  const isForm = mediaOf(operation) === form;
  const usual = body && membersOf(bodyFor(trial, operation, 'most'));
  if (body) {
    const inSets = (stated(subject?.unique) ?? []).flatMap(({ fields }) => fields.map((one) => one.text));
    const isPlain = (name: string): boolean => {
      const field = body.fields.get(name);
      return field !== undefined && !stated(field.refers) && !isUnique(field) && !inSets.includes(name);
    };
    const isSaid = (name: string, value: Json | undefined): boolean =>
      value !== undefined && (!isForm || inForm(value, usual?.[name]));
    const bad = bounds(body.schema, tools).flatMap(({ outside: [first], place: [name, inner] }) => {
      const value = membersOf(first?.value)?.[name ?? ''];
      const isOne = name !== undefined && inner === undefined && isPlain(name) && isSaid(name, value);
      return first && isOne ? [{ name, value: value as Json, first }] : [];
    })[0];
    if (bad)
      found.push({
        says: `a wrong ${bad.name}`,
        reasons: reasonsOf(body.name, bad.first.value, bad.first.failures),
        members: () => ({ [bad.name]: bad.value }),
      });
    for (const field of body.fields.values()) {
      const to = stated(field.refers);
      const key = trial.of.resourcesByName.get(to?.resource ?? '')?.fields.get(to?.field ?? '');
      if (key)
        found.push({
          says: `${field.name} of nobody`,
          reasons: [{ name: 'invalid', subject: `${body.name}.${field.name}.refers`, failures: null }],
          members: () => ({ [field.name]: freshValue(fresh, key) }),
        });
    }
    const single = [...body.fields.values()].find((field) => isUnique(field))?.name;
    const [together] = (subject && stated(subject.unique)) ?? [];
    const unique = single === undefined ? (together?.fields.map((one) => one.text) ?? []) : [single];
    const isGiven = unique.length > 0 && unique.every((one) => body.fields.has(one));
    if (isGiven && mediaOf(operation) !== jsonPatch && subject)
      found.push({
        says: `a ${unique.join(' and ')} that is taken`,
        reasons: [
          {
            name: 'not unique',
            subject: single === undefined ? subject.name : `${subject.name}.${single}`,
            failures: null,
          },
        ],
        wantsOther: true,
        members: (other) =>
          Object.fromEntries(unique.map((one) => [one, (other?.known.get(one) ?? null) as Json])),
      });
  }
  for (const { code } of ownConditions(trial.of, operation)) {
    const own = earning(trial, operation, code);
    found.push({ says: `an item of which ${code} holds`, reasons: own.reasons, own });
  }
  const conditions = stated(endpoint.conditional);
  if (conditions && stated(conditions.ifMatch))
    found.push({
      says: 'another tag in If-Match',
      reasons: plain('precondition failed'),
      attempt: () => ({ headers: [['If-Match', '"another"']] }),
    });
  const repeats = stated(endpoint.idempotency);
  const header = repeats && stated(repeats.header);
  if (header !== undefined && stated(repeats?.required) === true)
    found.push({ says: 'no key', reasons: plain('key missing'), attempt: () => ({ omit: [header] }) });
  const others = request && stated(request.others);
  if (others && stated(others.query) === 'refuse') {
    const name = `unstated${random.letters(6)}`;
    found.push({
      says: 'a query parameter that nobody stated',
      reasons: [{ name: 'invalid', subject: `query.${name}`, failures: null }],
      attempt: () => ({ query: `${name}=1` }),
    });
  }
  return found;
}
