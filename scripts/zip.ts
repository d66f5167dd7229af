import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive: its path with slashes, and what is in it. */
export interface Zipped {
  readonly path: string;
  readonly content: Buffer;
}

/** The first day that the format knows, so that the same files always make the same archive. */
const date = (1 << 5) | 1;
const deflated = 8;
const version = 20;
/** Paths are UTF-8. */
const flags = 0x0800;

/** An archive of these files, each deflated (PKWARE APPNOTE 6.3.10, §4.3). */
export function zip(files: readonly Zipped[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(content);
    const of = [version, flags, deflated, 0, date];
    const sizes = [crc32(content), packed.length, content.length];
    const head = Buffer.concat([fields('LHHHHHLLLHH', [0x04034b50, ...of, ...sizes, name.length, 0]), name]);
    local.push(head, packed);
    const entry = [0x02014b50, version, ...of, ...sizes, name.length, 0, 0, 0, 0, 0, offset];
    central.push(fields('LHHHHHHLLLHHHHHLL', entry), name);
    offset += head.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = [0x06054b50, 0, 0, files.length, files.length, directory.length, offset, 0];
  return Buffer.concat([...local, directory, fields('LHHHHLLH', end)]);
}

/** Numbers of two (`H`) and four (`L`) bytes, the least first. */
function fields(form: string, values: readonly number[]): Buffer {
  const parts = [...form].map((one, index) => {
    const part = Buffer.alloc(one === 'L' ? 4 : 2);
    part.writeUIntLE(values[index] as number, 0, part.length);
    return part;
  });
  return Buffer.concat(parts);
}
