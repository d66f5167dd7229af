// What the single executable runs: it unpacks the package, once for each version, and starts its command line.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const sea = require('node:sea');
const zlib = require('node:zlib');

const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
const folder = path.join(cache, 'tacet', 'NAME');
if (!fs.existsSync(folder)) unpack();
const command = path.join(folder, 'bin', 'tacet.js');
// A process that tacet starts of itself is given the command line's file, as Node is.
const words = process.argv.slice(2);
process.argv = [process.execPath, command, ...(words[0] === command ? words.slice(1) : words)];
createRequire(command)(command);

/** Into a folder of its own that is renamed when it is whole: two may start at the same time. */
function unpack() {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const whole = zlib.zstdDecompressSync(Buffer.from(sea.getRawAsset('package')));
  const end = whole.indexOf('\n');
  const scratch = fs.mkdtempSync(`${folder}-`);
  let offset = end + 1;
  for (const [name, length] of JSON.parse(whole.subarray(0, end).toString())) {
    const file = path.join(scratch, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, whole.subarray(offset, offset + length));
    offset += length;
  }
  try {
    fs.renameSync(scratch, folder);
  } catch (error) {
    fs.rmSync(scratch, { recursive: true });
    if (!fs.existsSync(folder)) throw error;
  }
}
