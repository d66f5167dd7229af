import type { Specification } from '../../../specification/model/specification.ts';
import type { Address } from '../../../specification/reading/address.ts';
import { isUnder } from '../../../specification/reading/address.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { ConditionName } from '../../../specification/vocabulary/condition.ts';
import type { Field } from '../../../specification/vocabulary/resource/field.ts';
import type { Grant } from '../../../specification/vocabulary/rule.ts';
import { isRule } from '../../deviations/access/let-in.ts';
import { changed, statementsOf } from '../../deviations/changed.ts';
import { type Deviation, keyOf, nothing } from '../../deviations/deviation.ts';
import { rowsFor, rowsOf } from '../meeting.ts';
import type { Suspect } from '../suspect.ts';
import { apartRows } from './apart-rows.ts';
import { fittingTexts, impliedLength } from './fitting-texts.ts';
import { leftOpen, ofFunction } from './left-open.ts';
import { fieldOf, type Rule, sameMeaning } from './same-meaning.ts';
import { unchanged } from './unchanged.ts';
import { untaken } from './untaken.ts';
import { isDeleted, isGiven, isShownOrRead } from './visible.ts';

/** Why a deviation is not told. */
export type Reason = 'equal' | 'invisible' | 'open' | 'beyond' | 'not reached' | 'not found';

/** The reason, and the rule by which it is known that no request can tell the deviation; null: no rule says so. */
export interface Untellable {
  readonly reason: Reason;
  readonly rule: string | null;
}

/** Why a deviation is not noticed, in words, in the order of the reports. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  'not found': 'no request was found to which it makes a difference',
  'not reached': 'no request was found that depends on it',
  invisible: 'no answer shows it',
  beyond: 'the tester does not bring it about',
  open: 'nobody can say what such an implementation does',
  equal: 'it means the same',
};

/** A deviation for these reasons is none that an implementation could have. */
export const isNoDeviation = (reason: Reason): boolean => reason === 'open' || reason === 'equal';

export function reasonOf(suspect: Suspect, specification: Specification): Untellable {
  const { deviation, reads, isOpen, isLoose } = suspect;
  const rule = ruleFor(deviation, specification);
  if (rule !== null) return { reason: rule.reason, rule: rule.name };
  const none = (reason: Reason): Untellable => ({ reason, rule: null });
  const isBeyond = reads === 0 && beyond.test(deviation.said.address);
  if (isOfRace(deviation, specification)) return none('beyond');
  if (isBeyond) return none('beyond');
  if (isOpen || isLoose) return none('open');
  return none(reads > 0 ? 'not found' : 'not reached');
}

/** The rule by which no request can tell a deviation; null: none says so. */
export function ruleFor(
  deviation: Deviation,
  specification: Specification,
): Pick<Rule, 'name' | 'reason'> | null {
  return rules.find(({ holds }) => holds(deviation, specification)) ?? null;
}

/** What has no place in a prediction: `withoutPlace` in the test of the keys. */
const beyond =
  /^events\b|\.cors\b|^versioning\b|^limits\.(sizes|times|concurrency|defaults)\b|\.media$|\.(life|remembers|within|challenge)$/;

/** A key is busy only while two requests are under way at once. */
function isOfRace({ said }: Deviation, specification: Specification): boolean {
  const [, code = ''] = /^errors\.codes\.([^.[]+)/.exec(said.address) ?? [];
  const conditions = stated(rowsOf(specification).get(code)?.when ?? undefined) ?? [];
  return conditions.length > 0 && conditions.every(({ names }) => names.every((name) => name === 'key busy'));
}

/** `final` says that no transition starts there: `check` refuses any other document (language §3.1). */
const finalStates: Rule = {
  name: 'no transition starts from a final state anyway',
  reason: 'equal',
  holds: ({ said }) => keyOf(said) === 'final' && said.address.startsWith('states'),
};

/** A least length of 0, or a flag that is false, is what holds without it (language §H.1, §4.2). */
const idleKeyword: Rule = {
  name: 'without the statement, the same holds',
  reason: 'equal',
  holds: ({ said, says }) => {
    const isLess = says.startsWith('it is left out') || says === 'it is -1';
    if (said.kind !== 'stated' || !isLess) return false;
    const isLeast = ['minLength', 'minItems', 'minProperties'].includes(keyOf(said));
    const isFlag = ['uniqueItems', 'required', 'unique'].includes(keyOf(said));
    return (isLeast && said.value === 0) || (isFlag && said.value === false);
  },
};

/** The text of a parameter is a text, whatever it says, and is never null, but in `style: json` (language §4.2). */
const textParameter: Rule = {
  name: 'a parameter that may be a text is one',
  reason: 'equal',
  holds: ({ said, says }, specification) =>
    /\.request\.(query|path|headers)\.[^.]+\.type$/.test(said.address) &&
    !isJson(said.address.replace(/\.type$/, '.style'), specification) &&
    said.kind === 'stated' &&
    said.value === 'string' &&
    (says.startsWith('it is left out') || says.startsWith('it is string,null')),
};

function isJson(address: Address, specification: Specification): boolean {
  const style = statementsOf(specification).find((said) => said.address === address);
  return style?.kind === 'stated' && style.value === 'json';
}

/** What each row states itself, `errors.payload` states for none (language §E.16). */
const unusedPayload: Rule = {
  name: 'every row of part 7 states its own',
  reason: 'equal',
  holds: ({ said }, specification) => {
    const { address, at } = said;
    if (!/^errors\.payload\.\w+/.test(address)) return false;
    const rowsOf = ({ errors }: Specification): readonly unknown[] => [
      ...(stated(stated(errors)?.codes)?.values() ?? []),
    ];
    const own = rowsOf(specification);
    const others = rowsOf(changed(specification, new Map([[said, nothing(said)]])));
    const isCopied = statementsOf(specification).some(
      (each) => /^errors\.codes\b/.test(each.address) && each.at.start === at.start && each.at.end === at.end,
    );
    return !isCopied && own.every((row, place) => row === others[place]);
  },
};

/** `ifDeleted` says what happens when an item is deleted, and no item of this resource ever is (language §2.2). */
const neverDeleted: Rule = {
  name: 'no item that it refers to is ever deleted',
  reason: 'equal',
  holds: ({ said }, specification) => {
    const field = keyOf(said) === 'ifDeleted' ? fieldOf(said, specification) : undefined;
    const resource = field && stated(field.refers)?.resource;
    return resource !== undefined && !isDeleted(resource, specification);
  },
};

/** A keyword refuses nothing, if the service alone makes the values, and all of them fit (language §2, rule 9). */
const madeValue: Rule = {
  name: 'the service alone makes the value',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const field = fieldOf(said, specification);
    const isWider = says.startsWith('it is left out') || says.startsWith('what it refuses');
    if (!field?.shape.keywords.has(keyOf(said)) || !isWider) return false;
    // What cannot be such a key names no item, and neither does what only no item has (language §H.4, rule 11).
    const isOfText = ['format', 'pattern', 'minLength', 'maxLength'].includes(keyOf(said));
    const isText = stated(field.shape.keywords.get('type')) === 'string';
    return !isGiven(field, specification, !(isOfText && isText));
  },
};

/** Nothing is stored in a derived field, so no keyword refuses its value (language §2.2, rules 3 and 9). */
const derivedValue: Rule = {
  name: 'the value is derived, and nothing judges it',
  reason: 'equal',
  holds: ({ said, says, operation }, specification) => {
    const field = fieldOf(said, specification) ?? fieldOfView(said, specification);
    const isKeyword =
      field?.shape.keywords.has(keyOf(said)) === true && says !== 'it is shown as another type';
    return isKeyword && operation === null && field.derived.kind === 'stated';
  },
};

/** A further field of a view (language §2.1). */
function fieldOfView({ address }: Said<unknown>, { resources }: Specification): Field | undefined {
  const [, name = '', field = ''] = /^resources\.([^.]+)\.fields\.([^.]+)\./.exec(address) ?? [];
  const said = stated(resources)?.get(name);
  const entry = said && stated(said);
  return entry?.kind === 'view' ? entry.fields.get(field) : undefined;
}

/** Without `media`, a body is JSON; a row has the media type of `errors.payload` (language §E.4 to §E.6, §E.16). */
const usualMedia: Rule = {
  name: 'without the statement, the media type is the same',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    // Which media types there are decides what `Accept` refuses.
    const isAsked = [...rowsOf(specification).values()].some(({ when }) =>
      stated(when)?.some(({ names }) => names.includes('not acceptable')),
    );
    if (isAsked || keyOf(said) !== 'media' || said.kind !== 'stated' || !says.startsWith('it is left out'))
      return false;
    const payload = stated(stated(specification.errors)?.payload ?? undefined)?.media;
    const isCopied = /^errors\.codes\b/.test(said.address) && payload?.kind === 'stated';
    if (isCopied) return mediaIn(said.value) !== undefined && mediaIn(said.value) === mediaIn(payload.value);
    return isJsonMedia(said.value);
  },
};

function isJsonMedia(value: unknown): boolean {
  return mediaIn(value) === 'application/json';
}

/** The one media type that a statement names. */
function mediaIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? mediaIn(value[0]) : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if ('template' in value) return mediaIn(value.template);
  return 'value' in value ? value.value : undefined;
}

/** What an actor of part 1 is called matters only to rules that name it; who it is, part 5 says (language §5.4). */
const unnamedActor: Rule = {
  name: 'no rule takes from there who the actor is',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, name] = /^service\.actors\.([^.]+)$/.exec(said.address) ?? [];
    const actors = stated(stated(specification.authentication)?.actors);
    if (name !== undefined && says === 'it is left out' && stated(actors?.get(name))) return true;
    const rules = statementsOf(specification).filter(isRule) as readonly {
      readonly value: readonly Grant[];
    }[];
    return (
      name !== undefined &&
      !rules.some(({ value }) => value.some((grant) => grant.kind === 'actor' && grant.name === name))
    );
  },
};

/** No answer or event shows the field, and no expression, list or rule reads it (language §2.2, §H.3). */
const unseenField: Rule = {
  name: 'no answer shows the field, and no expression reads it',
  reason: 'invisible',
  holds: ({ said, says }, specification) => {
    const field = fieldOf(said, specification);
    const values = ['create', 'update', 'default', 'derived', 'shown', 'taken', 'secret'];
    const isHidden = keyOf(said) === 'readable' && says.startsWith('it is false');
    if (field === undefined || !(isHidden || values.includes(keyOf(said)))) return false;
    return !isShownOrRead(field, specification);
  },
};

/** Where tokens come from and how they look is for clients to know: the service only judges them (language §5.1). */
const forClients: Rule = {
  name: 'it says how clients get a token, and no answer shows it',
  reason: 'invisible',
  holds: ({ said }) => /^authentication\.schemes\.[^.]+\.(flows\b|bearerFormat$)/.test(said.address),
};

/** Conditions of which no request is the cause (language §H.4). */
const ofService: ReadonlySet<ConditionName> = new Set(['timed out', 'internal']);

/** How long a request takes, and whether the service fails, is up to the service (language §8.3, §H.4). */
const byItself: Rule = {
  name: 'no request brings it about',
  reason: 'beyond',
  holds: ({ said, says }, specification) => {
    const rows = rowsFor(said, says, specification);
    return (
      isUnder(said.address, 'limits.times') ||
      rows.some(({ when }) => {
        const conditions = stated(when) ?? [];
        return (
          conditions.length > 0 && conditions.every(({ names }) => names.every((name) => ofService.has(name)))
        );
      })
    );
  },
};

const rules: readonly Rule[] = [
  finalStates,
  idleKeyword,
  textParameter,
  unusedPayload,
  neverDeleted,
  madeValue,
  derivedValue,
  usualMedia,
  unnamedActor,
  apartRows,
  unseenField,
  forClients,
  byItself,
  leftOpen,
  ofFunction,
  fittingTexts,
  impliedLength,
  ...sameMeaning,
  ...untaken,
  ...unchanged,
];
