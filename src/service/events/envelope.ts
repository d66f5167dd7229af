import type { Frame } from '../../expression/compile.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { compileRender, type Writers } from '../content/render.ts';
import type { Event } from './event.ts';

type Wrapped = Omit<Event, 'content' | 'item'>;

/** Puts an event into its envelope; `frame` names `event`. Throws where that cannot be worked out. */
export type Envelope = (event: Wrapped, frame: () => Frame) => string;

/** What events are sent in (language §6.2); null while that is open, so that none is delivered. */
export function compileEnvelope(events: Events, writers: Writers): Envelope | null {
  const { envelope, source } = events;
  if (envelope.kind === 'open') return null;
  const said = stated(envelope);
  if (said?.kind === 'cloudevents') return stated(source) ? cloudEvent : null;
  if (said === undefined) return ({ body }) => body ?? '';
  const render = compileRender(said.template.template, writers);
  return (_event, frame) => render(frame()) ?? '';
}

/** CloudEvents 1.0.2, JSON event format §3: `data` is JSON. */
export const cloudEvent = ({ id, source, kind, subject, at, body }: Wrapped): string => {
  const about = subject ? `,"subject":${JSON.stringify(subject)}` : '';
  const data = body === null ? '' : `,"datacontenttype":"application/json","data":${body}`;
  return `{"specversion":"1.0","id":"${id}","source":${JSON.stringify(source)},"type":${JSON.stringify(kind)}${about},"time":"${at}"${data}}`;
};
