import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { streamsIn } from '../../specification/model/streams.ts';
import { fixedMedia } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { answerByMedia, bodiless } from '../../specification/vocabulary/answer.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Coded, refusalsOf } from '../openapi/export/refusals.ts';
import type { Items } from '../schemas/items.ts';
import { answersOf } from '../schemas/operations.ts';
import { schemaOfValue } from '../schemas/values.ts';
import { type Named, union } from '../types/schema.ts';
import { streamType, typeReceived } from './media.ts';

/** What a method of the client gives. */
export interface AnswersGiven {
  readonly type: string;
  /** The statuses that are stated; null: it is open which there are, so that each is given. */
  readonly statuses: readonly number[] | null;
  /** The addresses of what is open of the answers. */
  readonly open: readonly string[];
}

/** The answers that are stated of an operation, one for each status: its own (language §H.3), and refusals (language §7). */
export function answersGiven(
  of: Specification,
  operation: Operation,
  items: Items,
  named: Named,
  rows: readonly Coded[],
): AnswersGiven {
  const { response } = operation;
  const open = new Set<string>();
  if (stated(response) === undefined && response.kind === 'open') open.add(response.address);
  const bodies = new Map<number, string[]>();
  const add = (status: number, type: string): void => {
    bodies.set(status, [...(bodies.get(status) ?? []), type]);
  };
  const events = stated(of.events);
  const isStream = events !== undefined && streamsIn(events).has(operation.key);
  for (const { statuses, answer, content } of answersOf(operation, items)) {
    if (statuses.length === 0) open.add(answer.status.address);
    const isOpen = content === null && answer.body.kind === 'open';
    for (const status of statuses) {
      const isBare = operation.method === 'HEAD' || bodiless.includes(status);
      if (content === null && !isBare && !isStream && isOpen) open.add(answer.body.address);
      if (isBare) add(status, 'null');
      else if (isStream) add(status, streamType);
      else add(status, content ? typeReceived(content, named) : isOpen ? 'unknown' : 'null');
    }
  }
  const isEveryStatus = open.size > 0 && [...open].some((each) => !each.endsWith('.body'));
  const payload = operation.method === 'HEAD' ? 'null' : 'Refusal';
  for (const { row } of refusalsOf(of, operation, rows)) {
    const statuses = stated(row.status);
    // A reason that is told as another one has the status of that one.
    if (statuses === undefined && row.status.kind === 'open' && stated(row.as) === undefined)
      open.add(row.status.address);
    for (const status of statuses ?? []) add(status, payload);
  }
  if (isEveryStatus) return { type: 'Answer<number, unknown>', statuses: null, open: [...open] };
  const byBody = Map.groupBy(bodies, ([, types]) => union(types));
  const all = [...byBody].map(
    ([body, entries]) => `Answer<${entries.map(([status]) => status).join(' | ')}, ${body}>`,
  );
  return { type: all.join(' | ') || 'never', statuses: [...bodies.keys()], open: [...open] };
}

/** The body of refusals; `unknown` while nobody says what it looks like. */
export function refusalType(of: Specification, items: Items, named: Named): string {
  const said = stated(of.errors)?.payload;
  if (said?.kind === 'none') return 'null';
  const payload = stated(said);
  if (payload === undefined) return 'unknown';
  const types = answerByMedia(payload).map(({ shape, body, media, under }) => {
    const [ownShape, template] = [stated(shape), stated(body)?.template];
    if (ownShape === undefined && template === undefined) return body.kind === 'none' ? 'null' : 'unknown';
    const schema = ownShape ? schemaOf(ownShape) : schemaOfValue(template as never, items.values).schema;
    return typeReceived(
      { media: stated(fixedMedia(media)) ?? null, schema, under: stated(under) ?? null },
      named,
    );
  });
  return union(types);
}
