import type { Json } from '../../source/node.ts';
import { boundFields, type Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import { hasItemRule } from '../access/admits.ts';
import type { Persona } from '../access/persona.ts';
import { troupe } from '../access/personas.ts';
import { nothing } from '../access/presenting.ts';
import { isFree, kindOf } from '../access/schemes.ts';
import { calledIn } from '../access/strangers.ts';
import { turnedAway } from '../access/turned-away.ts';
import { bodyOf } from '../body.ts';
import { type Scenario, Unreached } from '../check.ts';
import { reasonsOf } from '../constraints.ts';
import { answerFound, doesJustThat, ownConditions, succeeded } from '../guards.ts';
import { freshKey, freshValue, keyOf, type Members, membersOf } from '../item.ts';
import { isUnique } from '../keys.ts';
import { mostContent, tooLarge } from '../limits/sizes.ts';
import type { Item } from '../partly.ts';
import { make, perform } from '../perform.ts';
import { pastBound } from '../probes.ts';
import { malformed, type Reason, rowFor, unknownItem } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { askerFor, bodyFor, isAboutOne } from '../request.ts';
import { itemFor } from '../sample.ts';
import { form, inForm, isJson, jsonPatch, mediaOf } from '../spell.ts';
import { deed } from '../success.ts';
import type { Attempt, Trial } from '../trial.ts';
import { type Earning, earning } from './own.ts';

/** Something wrong with a request, that can be wrong together with something else. */
export interface Wrong {
  readonly says: string;
  readonly reasons: readonly Reason[];
  readonly attempt?: () => Attempt;
  readonly members?: (other: Item | undefined) => Members;
  /** It wants an item that is there already. */
  readonly wantsOther?: true;
  /** It is of the item, and of all that is asked of it. */
  readonly own?: Earning;
  /** Done before anything is looked at. Throws `Unreached` where it cannot be so. */
  readonly first?: () => Promise<void>;
  /** Called once the answer is there. Throws `Unreached` where it may not have been so any more. */
  readonly still?: () => void;
}

/** Conditions that are not brought about together: one of them would hide the other, or it would not be known to hold. */
const apart: Partial<Record<ConditionName, readonly ConditionName[]>> = {
  malformed: ['invalid', 'not unique', 'expression', 'key reused', 'too large'],
  // What is too large is not read, so nothing is told of what it says.
  'too large': ['invalid', 'not unique', 'expression', 'key reused'],
  'credential missing': ['not authorized', 'expression', 'key reused'],
  'not authorized': ['expression', 'key reused'],
  unknown: ['expression', 'precondition failed', 'key reused'],
  'rate exceeded': ['credential missing', 'not authorized', 'key reused', 'expression'],
};

/** Whether one of the two would undo the other: both set the body as a whole, or a member that the other hangs on. */
export function clash(a: Wrong, b: Wrong): boolean {
  if ((a.own && (b.own ?? b.members)) || (b.own && a.members)) return true;
  const [one, two] = [a, b].map(({ reasons: [first] }) => first?.name) as [ConditionName, ConditionName];
  if (apart[one]?.includes(two) || apart[two]?.includes(one)) return true;
  // A key comes with another request where the body is another.
  if ((one === 'key reused' && !b.members) || (two === 'key reused' && !a.members)) return true;
  const names = (all: Wrong): readonly string[] =>
    all.reasons.map(({ subject }) => subject.split('.')[1] ?? '');
  return names(a).some((name) => name !== '' && names(b).includes(name));
}

/** The codes of `order`. */
export function codesOf({ of }: Trial): readonly string[] {
  return stated(stated(of.errors)?.order)?.map((one) => one.text) ?? [];
}

/** The code that answers something wrong, where there is but one. */
export function codeOf({ of }: Trial, operation: Operation, { reasons }: Wrong): string | undefined {
  const found = new Set(reasons.map((reason) => rowFor(of, operation, reason)?.code));
  return found.size === 1 ? [...found][0] : undefined;
}

/** A request that earns both, which is answered as the one that comes first in `order`. */
export function together(trial: Trial, operation: Operation, a: Wrong, b: Wrong): Scenario {
  const { of } = trial;
  const { subject } = operation;
  const order = stated(of.errors)?.order;
  const own = a.own ?? b.own;
  let other: Item | undefined;
  return refusing(trial, {
    says: `${operation.key} with ${a.says} and ${b.says}`,
    operation,
    cites: order ? { address: order.address, at: order.at } : deed(operation),
    reasons: [...a.reasons, ...b.reasons].map((reason) => ({ ...reason, failures: listedAlone(reason) })),
    must: doesJustThat(of, operation),
    item: async () => {
      for (const one of [a, b]) await one.first?.();
      if (subject && (a.wantsOther || b.wantsOther)) other = (await make(trial, subject)).item;
      return own ? await own.item() : await itemFor(trial, operation);
    },
    send: async (item) => {
      const usual = membersOf(bodyFor(trial, operation, 'most'));
      const members = { ...usual, ...a.members?.(other), ...b.members?.(other) };
      const [one, two] = [a.attempt?.() ?? {}, b.attempt?.() ?? {}];
      const done = await perform(trial, operation, {
        ...(item && { item }),
        ...(usual && { body: members }),
        ...own?.attempt(item),
        ...one,
        ...two,
        headers: [...(one.headers ?? []), ...(two.headers ?? [])],
      });
      for (const each of [a, b]) each.still?.();
      return done;
    },
  });
}

/** The failures of `invalid` that its own row covers; those of two rows are listed each with its row. */
function listedAlone({ name, failures }: Reason): Reason['failures'] {
  return name === 'invalid' ? null : failures;
}

/** What can be wrong with what a request says of its item. */
export function wrongs(trial: Trial, operation: Operation): Wrong[] {
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
    const bad = pastBound(body.schema, tools, ([name = '', inner], value) => {
      return inner === undefined && isPlain(name) && isSaid(name, membersOf(value)?.[name]);
    });
    if (bad) {
      const [name = ''] = bad.place;
      found.push({
        says: `a wrong ${name}`,
        reasons: reasonsOf(body.name, bad.value, bad.failures),
        members: () => ({ [name]: membersOf(bad.value)?.[name] as Json }),
      });
    }
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

/** What can be wrong with a request whatever it says: its version, who sends it, its content, its path, its key. */
export function wrongsAround(trial: Trial, operation: Operation): Wrong[] {
  const { of, fresh, random } = trial;
  const found: Wrong[] = [];
  const add = (name: Reason['name'], says: string, attempt: () => Attempt, more: Partial<Wrong> = {}) =>
    found.push({ says, reasons: [{ name, subject: '', failures: [] }], attempt, ...more });
  const { kind } = stated(stated(of.versioning)?.place) ?? {};
  if (kind === 'header' || kind === 'query')
    add('version unknown', 'a version that is not there', () => ({ version: `x${random.letters(8)}` }));
  const isRead = bodyOf(of, operation) !== null && isJson(mediaOf(operation));
  if (isRead) add('malformed', 'broken JSON', () => ({ raw: '{"' }), { reasons: [malformed] });
  const most = isRead ? mostContent(trial, operation) : undefined;
  if (most !== undefined)
    add('too large', `${most + 1} bytes of content`, () => ({ bytes: most + 1 }), {
      reasons: [tooLarge('body')],
    });
  // Whose rule reads the body is let in or not by what else is wrong.
  const isOut = (as: Persona | null): boolean => {
    const { must, body } = turnedAway(trial, operation, as);
    return must.value === true && body === undefined;
  };
  const stranger = troupe(trial).find((one) => kindOf(of, operation, one) !== null && isOut(one));
  if (!isFree(of, operation) && trial.persona && isOut(null))
    add('credential missing', 'no credential', () => ({ as: null, carried: nothing }));
  if (stranger)
    add('not authorized', `the credential of ${calledIn(of, stranger)}`, () => ({ as: stranger }));
  // Whom a rule lets to an item that is not there is not told.
  const seeks = isAboutOne(operation) && stated(operation.does)?.verb !== 'create';
  if (seeks && operation.subject && !hasItemRule(of, operation)) {
    const gone = keyOf(fresh, operation.subject, boundFields(operation));
    add('unknown', `a ${operation.subject.name} that nobody made`, () => ({ item: gone }), {
      reasons: [unknownItem(operation)],
    });
  }
  const field = stated(stated(operation.endpoint.idempotency)?.header);
  if (field !== undefined) {
    let asked: Attempt = { headers: [[field, freshKey(fresh)]] };
    add('key reused', 'the key of another request', () => asked, {
      first: async () => {
        const item = await itemFor(trial, operation);
        const body = bodyFor(trial, operation, 'most');
        const first = { ...asked, ...(item && { item }), ...(body !== undefined && { body }) };
        asked = { ...asked, as: askerFor(trial, operation, first) };
        const { exchange } = await perform(trial, operation, { ...first, ...asked });
        if (succeeded(exchange, operation).value !== true)
          throw new Unreached(`no key is known to be used: ${operation.key} gave ${answerFound(exchange)}`);
      },
    });
  }
  return found;
}
