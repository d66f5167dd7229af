import { mediaKind } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';

/** The media type of what is sent (language §6.3); undefined: none is named. */
export function mediaOf({ envelope }: Events, said: Said<string>): string | undefined {
  const isCloudEvent = stated(envelope)?.kind === 'cloudevents';
  // CloudEvents 1.0.2, HTTP protocol binding §3.2.
  return stated(said) ?? (isCloudEvent ? 'application/cloudevents+json' : undefined);
}

/** What is kept of an event as it is sent: a text as it is, under a media type that is not JSON's. */
export function contentAs(media: string | undefined, content: string): string {
  const isText = media !== undefined && mediaKind(media) === 'text' && content.startsWith('"');
  return isText ? (JSON.parse(content) as string) : content;
}
