import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import { changed, statementsOf } from '../deviations/changed.ts';
import { type Deviation, keyOf, nothing } from '../deviations/deviation.ts';
import type { Suspect } from './suspect.ts';
import { isDeleted, isGiven, isShownOrRead } from './visible.ts';

/** Why a deviation is not told. */
export type Reason = 'equal' | 'invisible' | 'open' | 'beyond' | 'not reached' | 'not found';

/** The reason, and the rule by which it is known that no request can tell the deviation; null: no rule says so. */
export interface Untellable {
  readonly reason: Reason;
  readonly rule: string | null;
}

/** A rule of the language by which a deviation means the same, or can be seen by nobody. */
interface Rule {
  readonly name: string;
  readonly reason: 'equal' | 'invisible';
  readonly holds: (deviation: Deviation, specification: Specification) => boolean;
}

export function reasonOf(suspect: Suspect, specification: Specification): Untellable {
  const { deviation, isRead, isOpen } = suspect;
  const rule = ruleFor(deviation, specification);
  if (rule !== null) return { reason: rule.reason, rule: rule.name };
  const none = (reason: Reason): Untellable => ({ reason, rule: null });
  if (!isRead && beyond.test(deviation.said.address)) return none('beyond');
  if (isOpen) return none('open');
  return none(isRead ? 'not found' : 'not reached');
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
    return !isGiven(field, specification);
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

const rules: readonly Rule[] = [
  finalStates,
  idleKeyword,
  textParameter,
  unusedPayload,
  neverDeleted,
  madeValue,
  unseenField,
];

function fieldOf({ address }: Said<unknown>, { resourcesByName }: Specification): Field | undefined {
  const [, name = '', field = ''] = /^resources\.([^.]+)\.fields\.([^.]+)\./.exec(address) ?? [];
  return resourcesByName.get(name)?.fields.get(field);
}
