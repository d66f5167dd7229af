import type { Readable } from 'node:stream';

/** Passes on what a process prints, and only whole lines, so that those of several processes do not mix. */
export function wholeLines(stream: Readable, print: (text: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) {
      print(rest + chunk.slice(0, end));
      rest = '';
    }
    rest += chunk.slice(end);
  });
  stream.on('end', () => {
    if (rest !== '') print(`${rest}\n`);
  });
}
