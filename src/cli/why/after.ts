import { readFileSync } from 'node:fs';
import { Following } from '../../conformance/traffic/following.ts';
import { exchangesOf, NotHar } from '../../conformance/traffic/har.ts';
import { groupsOf } from '../../conformance/traffic/together.ts';
import type { Answer } from '../../semantics/judge/answer.ts';
import { judge } from '../../semantics/judge/judge.ts';
import { answerTo } from '../../semantics/judge/permitted.ts';
import { type Message, received } from '../../semantics/message/message.ts';
import { step } from '../../semantics/request/request.ts';
import { Unknown } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import { usualAddress } from '../judge/recording.ts';
import { UsageError } from '../usage.ts';
import { isMap, listedMessage, serviceUrl, withAnswers } from './sending.ts';

/** What came before a request. */
export interface Before {
  /** The worlds in which the service may be. */
  readonly worlds: readonly World[];
  /** The answers, to which later requests may refer. */
  readonly answers: readonly Answer[];
  /** The address of the service. */
  readonly url: string;
}

/** Plays a HAR file, or a list of requests, of which every answer is one that the document permits. */
export function after(file: string | undefined, world: World): Before {
  if (file === undefined) return { worlds: [world], answers: [], url: serviceUrl };
  const content = parsed(file);
  if (isMap(content)) return afterRecording(file, JSON.stringify(content), world);
  if (!Array.isArray(content)) throw new UsageError(`${file} is neither a HAR file nor a list of requests`);
  let latest = world;
  const answers: Answer[] = [];
  for (const [index, each] of content.entries()) {
    const place = `${file}: request ${index + 1}`;
    if (!isMap(each)) throw new UsageError(`${place} is no object`);
    const [found, answer] = simulated(latest, withAnswers(listedMessage(each, place), answers), place);
    latest = found;
    answers.push(answer);
  }
  return { worlds: [latest], answers, url: serviceUrl };
}

function parsed(file: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw new UsageError(`${file} is no JSON`);
  }
}

function afterRecording(file: string, content: string, world: World): Before {
  try {
    const recording = exchangesOf(content);
    const url = usualAddress(recording) ?? serviceUrl;
    const { specification, operators } = world;
    const following = new Following({ specification, url, operators, isClosed: true, mayAdd: false });
    for (const group of groupsOf(recording)) following.note(group);
    return { worlds: following.worlds, answers: [], url };
  } catch (error) {
    if (error instanceof NotHar) throw new UsageError(`${file} is no HAR file: ${error.message}`);
    throw error;
  }
}

/** The answer of a right service: of several things that may come of a request, the last one, which is a success if any is. */
function simulated(world: World, message: Message, place: string): readonly [World, Answer] {
  const found = received(message, serviceUrl, world.specification);
  if (found instanceof Unknown || found.kind === 'refused')
    throw new UsageError(`${place} is not a request to an operation of the document`);
  const steps = step(world, found.request);
  const last = steps.at(-1);
  const answer = last ? answerTo(last.prediction) : null;
  const next = answer && judge(steps, answer).world;
  if (!answer || !next)
    throw new UsageError(`it is not known what comes of ${place}: it hangs on what is open`);
  return [next, answer];
}
