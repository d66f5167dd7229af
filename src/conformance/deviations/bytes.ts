import { takesBytes } from '../../semantics/request/content/media.ts';
import { Bytes } from '../../semantics/value/value.ts';
import { type Kind, operationOf, wrapping } from './deviation.ts';

/** How bytes are changed that an implementation takes for a text, or for something else that ends or is read. */
const changes: readonly (readonly [says: string, change: (content: Buffer) => Uint8Array])[] = [
  ['bytes that are no UTF-8 are changed', (content) => Buffer.from(content.toString('utf8'))],
  [
    'bytes end at the first NUL',
    (content) => (content.includes(0) ? content.subarray(0, content.indexOf(0)) : content),
  ],
  ['line ends are changed', (content) => latin(content.toString('latin1').replaceAll(/\r\n?/g, '\n'))],
  ['a mark of byte order is lost', (content) => (isMarked(content) ? content.subarray(3) : content)],
  ['JSON is written anew', (content) => rewritten(content)],
  ['the last byte is lost', (content) => content.subarray(0, -1)],
];

/** Content that is bytes is stored otherwise than it came (language §4.2, rule 11). */
export const bytes: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (!operation || said !== operation.request?.body || !takesBytes(operation)) return [];
  return changes.map(([says, change]) =>
    wrapping(
      said,
      specification,
      says,
      (right) => (world, request) => {
        const { content } = request;
        if (!(content instanceof Bytes)) return right(world, request);
        return right(world, { ...request, content: new Bytes(change(Buffer.from(content.content))) });
      },
      operation.address,
    ),
  );
};

function latin(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Whether bytes begin with U+FEFF in UTF-8. */
function isMarked(content: Buffer): boolean {
  return content.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
}

function rewritten(content: Buffer): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(content.toString('utf8'))));
  } catch {
    return content;
  }
}
