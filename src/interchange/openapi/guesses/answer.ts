import type { Json } from '../../../source/node.ts';
import type { Guess } from '../../recognise/guess.ts';
import { answerAddress, answerGroups, created } from '../answers.ts';
import type { Answer, Described } from '../operations.ts';
import type { Place } from '../place.ts';
import { propertiesOf, requiredOf, type Shaping } from '../shape.ts';
import { envelopeOf, isSureBeside, pageCountsFor, standInsFor } from './envelopes.ts';
import type { Meant } from './meant.ts';
import { foundIn, isGone, onlyValueOf } from './named.ts';

/** Which of several answers is sent, and what each shows: the item, that it is gone, or the page of a list and what it counts. */
export function ofAnswers(operation: Described, meant: Meant, shaping: Shaping): readonly Guess[] {
  const answers = answerGroups(operation).map(([answer]) => answer);
  return [
    ...ofChoice(operation, meant.verb),
    ...answers.flatMap((answer) => ofAnswer(answer, operation, meant, shaping)),
  ];
}

/**
 * Which of several answers is sent. That PUT answers 201 for what it makes, HTTP demands; of POST it only advises so (RFC 9110
 * §9.3.3, §9.3.4). Nobody would bet on the others: the first is sent.
 *
 * @param verb what the operation most likely does; null: nothing
 */
export function ofChoice(operation: Described, verb: Meant['verb'] | null): readonly Guess[] {
  const asked = answerGroups(operation).slice(0, -1);
  return asked.map(([answer]): Guess => {
    const at = `${answerAddress(operation, answer)}.when`;
    if (answer.status !== created)
      return {
        ...{ at, value: '${true}', why: 'nobody says when, and it is the first' },
        confidence: 'stand-in',
      };
    if (verb !== 'create')
      return { at, value: '${false}', why: 'nothing is made (RFC 9110 §15.3.2)', confidence: 'stand-in' };
    const confidence = operation.method === 'PUT' ? 'high' : 'stand-in';
    return { at, value: 'created', why: 'an item was made (RFC 9110 §15.3.2)', confidence };
  });
}

function ofAnswer(answer: Answer, operation: Described, meant: Meant, shaping: Shaping): readonly Guess[] {
  const { verb, kept, under } = meant;
  if (answer.content?.schema === undefined || answer.status === '204') return [];
  const body = (value: Json, what: string): Guess => ({
    at: `${answerAddress(operation, answer)}.body`,
    value,
    why: `the answer to ${operation.key} has the shape of ${what}`,
    confidence: 'high',
  });
  const schema = shaping.places.followed(answer.content.schema);
  if (verb === 'list')
    return answer === operation.successes[0] ? ofList(schema, operation, meant, shaping, body) : [];
  const found = foundIn(answer.content, shaping);
  if (found?.name === kept.name) {
    const isAlone = under === null || under === undefined;
    return [body(isAlone ? kept.name : { [under]: `\${${kept.name}(this)}` }, kept.name)];
  }
  const gone = verb === 'delete' && isGone(schema, shaping.places) ? goneOf(schema, meant, shaping) : null;
  return gone === null ? [] : [body(gone, `${kept.name} that is deleted`)];
}

/** What tells that an item is gone: its members, and what is always so. Null: it has to have others. */
function goneOf(schema: Place, { kept }: Meant, { places }: Shaping): Json {
  const own = propertiesOf(kept.schema, places);
  const members = [...propertiesOf(schema, places)].flatMap(([name, each]): [string, Json][] => {
    const only = onlyValueOf(places.followed(each));
    if (only) return [[name, only.value]];
    return own.has(name) ? [[name, read('this', name)]] : [];
  });
  const names = new Set(members.map(([name]) => name));
  return requiredOf(schema, places).every((name) => names.has(name)) ? Object.fromEntries(members) : null;
}

/** An expression for a member. */
function read(over: string, name: string): string {
  return `\${${over}[${JSON.stringify(name)}]}`;
}

function ofList(
  schema: Place,
  operation: Described,
  { kept, elements }: Meant,
  { places }: Shaping,
  body: (value: Json, what: string) => Guess,
): readonly Guess[] {
  const items = `\${${kept.name}(page.items)}`;
  const what = `a list of ${kept.name}`;
  if (elements === null || elements === undefined) return [body(items, what)];
  const beside = envelopeOf(schema, operation, places);
  const { [elements]: _, ...others } = beside;
  const list = body({ ...beside, [elements]: items }, what);
  const found = isSureBeside('', others, operation, places)
    ? list
    : { ...list, confidence: 'likely' as const };
  return [
    found,
    ...pageCountsFor(list.value, list.at, operation, places),
    ...standInsFor(list.value, list.at),
  ];
}
