import { asSent, type Content } from '../schemas/operations.ts';
import type { Named } from '../types/schema.ts';
import { typeOfSchema } from '../types/schema.ts';

/** How content of a media type is in the hands of the caller; content of which nobody states the type is JSON. */
export type Carried = 'json' | 'text' | 'form' | 'parts' | 'stream' | 'bytes';

export function carriedAs(media: string | null): Carried {
  const essence = (media ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (/[/+]json$/.test(essence)) return 'json';
  if (essence === 'text/event-stream') return 'stream';
  if (essence.startsWith('text/')) return 'text';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  return essence === 'multipart/form-data' ? 'parts' : 'bytes';
}

/** The type of content that a client sends. */
export function typeSent(content: Content, named: Named): string {
  switch (carriedAs(content.media)) {
    case 'json':
      return typeOfSchema(asSent(content), named);
    case 'text':
    case 'stream':
      return 'string';
    case 'form':
      return 'URLSearchParams';
    case 'parts':
      return 'FormData';
    case 'bytes':
      return 'Blob | ArrayBuffer';
  }
}

/** The type of content that a client receives. */
export function typeReceived(content: Content, named: Named): string {
  switch (carriedAs(content.media)) {
    case 'json':
      return typeOfSchema(asSent(content), named);
    case 'text':
      return 'string';
    case 'stream':
      return streamType;
    default:
      return 'Blob';
  }
}

/** The body of an answer that does not end by itself. */
export const streamType = 'ReadableStream<Uint8Array>';
