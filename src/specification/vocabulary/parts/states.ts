import { type Duration, duration, durationOf } from '../../reading/duration.ts';
import { machineNames, type NameForm, nameOf, section } from '../../reading/form.ts';
import {
  either,
  entry,
  type Formed,
  list,
  listOf,
  named,
  placedText,
  record,
  text,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  type PlacedTemplate,
  template,
  textTemplate,
} from '../../reading/templates.ts';
import { changes, permission, qualifierNames, verbs } from '../change.ts';

/** How long after entry: a time span, the operator's setting, or an expression (language §3.1). */
export type After =
  | { readonly kind: 'duration'; readonly duration: Duration }
  | { readonly kind: 'operator' }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

const operator = word('operator');

const after: Formed<After> = either(
  (node, place, reading) => {
    if (holdsExpression(node) || isHandled(node)) {
      const worked = expression(node, place, reading);
      return worked && { kind: 'expression', expression: worked };
    }
    const written = text(node, place, reading);
    if (written === undefined) return undefined;
    if (written === 'operator') return { kind: 'operator' };
    const found = durationOf(written);
    return found
      ? { kind: 'duration', duration: found }
      : reading.report('bad-duration', node.span, { found: written });
  },
  operator,
  duration,
  expression,
);

const about = section('3.1', 'states.machine');
const move = section('3.1', 'states.transition');
const timer = section('3.3', 'states.transition');
const ofWork = section('I', 'states.work');

const transition = {
  from: value(
    listOf(placedText),
    move('The state, or the states, that the move starts from.', {
      must: 'move from no other',
      see: 'each state',
      open: 'no move',
    }),
  ),
  to: value(
    placedText,
    move('The state that the item enters. `(none)`: the item is deleted.', {
      must: 'move there',
      see: 'the state',
      open: 'no move',
    }),
  ),
  when: entry(
    expression,
    move('A guard: an expression that must be true.', {
      must: 'otherwise refuse: `guard refused`',
      see: 'both sides of it',
      open: 'unguarded',
    }),
  ),
  set: entry(
    named(value(template)),
    move('Fields that are set as the item moves.', {
      must: 'set them in the same transaction',
      see: 'the values',
      open: 'none',
    }),
  ),
  also: entry(
    changes,
    move('Further changes (H.2), in order.', {
      must: 'make them in the same transaction',
      see: 'their effects',
      open: 'none',
    }),
  ),
  after: entry(
    after,
    timer('The item moves by itself so long after it enters `from`.', {
      rules: '5',
      must: 'move it then',
      see: 'with a clock, or by waiting',
      open: 'it does not move by itself',
    }),
  ),
  at: entry(
    expression,
    timer('The item moves by itself at a time that it holds.', {
      rules: '5',
      must: 'move it then',
      see: 'with a clock, or by waiting',
      open: 'it does not move by itself',
    }),
  ),
  within: entry(
    duration,
    timer('How long after it is due the move may stay unseen. Absent: not at all.', {
      must: 'keep to it',
      see: 'look late',
      open: 'choice (F.1)',
    }),
  ),
};

/** What is done while an item is in a state, and the moves that it may ask for (language §3.1, §I). */
const work = {
  handled: value(placedText, ofWork('The name of the function that the operator gives.')),
  may: entry(listOf(permission), ofWork('The transitions that the function may ask for.')),
};

const transitionNames: NameForm = {
  ...nameOf('transition name'),
  message: 'A transition has a name (language §A.5) that is no verb or qualifier (language §3.1).',
  barred: [...verbs, ...qualifierNames],
};

const moveSnippet = {
  label: 'transition',
  description: 'A move from one state to another',
  body: { '${1:move}': { from: '${2:first}', to: '${3:second}' } },
};

const machineSnippet = {
  label: 'machine',
  description: 'A machine: the states of a field, and the moves between them',
  body: {
    '${1:Resource.status}': {
      states: ['${2:first}', '${3:last}'],
      initial: '${2:first}',
      final: ['${3:last}'],
      transitions: { '${4:move}': { from: '${2:first}', to: '${3:last}' } },
    },
  },
};

/** Part 3: each entry is one machine, named `Resource.field` (language §3). */
const keys = {
  states: value(
    listOf(placedText),
    about('The values of the field.', {
      must: 'let it hold no other value',
      see: 'the values it sees',
      open: 'any value',
    }),
  ),
  initial: value(
    textTemplate,
    about('The first state, or an expression for it.', {
      must: 'set it',
      see: 'after creation',
      open: 'creation: 501',
    }),
  ),
  final: entry(
    listOf(placedText),
    about('States with no way out. A transition from such a state is an error, even `to: (none)`.', {
      open: '`check` warns of dead ends',
    }),
  ),
  transitions: list(
    named(value(record(transition, { title: 'transition' })), transitionNames, [moveSnippet]),
    about('The moves, by name. Operations ask for a move by its name (3.2).', {
      must: 'make these moves and no others, under any race',
      see: 'each from each state; unlisted moves change nothing',
      open: 'no move',
    }),
  ),
  work: entry(
    named(value(record(work, { title: 'work', more: { required: ['handled'] } }))),
    about("By state: the operator's function that is called when an item enters the state (I).", {
      rules: '6',
      must: 'call it after commit, at least once',
      see: 'only the moves',
      open: 'nothing is called',
    }),
  ),
};

export type Transition = Values<typeof transition>;
export type Machine = Values<typeof keys>;
export const read = named(value(record(keys, { title: 'machine' })), machineNames, [machineSnippet]);
export type States = Exclude<ReturnType<typeof read>, undefined>;
