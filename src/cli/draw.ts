import { mermaid } from '../interchange/pictures/mermaid.ts';
import type { Picture } from '../interchange/pictures/picture.ts';
import { type Drawable, picturesOf } from '../interchange/pictures/pictures.ts';
import { printable } from '../report/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { nearest } from '../specification/reading/nearest.ts';
import {
  type Command,
  type Given,
  hasErrors,
  printDiagnostics,
  readNamed,
  text,
  UsageError,
} from './command.ts';
import { writeFiles } from './written.ts';

/** `tacet draw`: a picture of what a document states. */
export const command: Command = {
  name: 'draw',
  summary: 'draw the states, the resources or an operation of a document',
  help: `usage: tacet draw DOCUMENT [NAME] [--svg] [-o FILE] [--force] [--assume LEDGER]

Draws what a document states, as Mermaid, which GitHub and many editors show, or as SVG.
What is open or assumed is marked so. Without NAME: the pictures that there are.

  map                the resources, and which fields refer to which of them
  RESOURCE.FIELD     the states of a machine, and the moves between them
  OPERATION          what follows a request: refusals, changes, events, the answer, deliveries;
                     an operation without a name goes by its 'METHOD /path'

  --list             lists the pictures, as without NAME
  --svg              prints SVG in place of Mermaid
  -o, --out FILE     the file to write: SVG if it ends in .svg, Mermaid if it ends in .mmd
  --force            writes over a file that is there
  --assume LEDGER    answers to open points, taken for the time being (JSON)
  --no-guesses       takes no guesses about an OpenAPI description

exit code: 0, 1 the document has errors, 2 wrong use
`,
  options: {
    list: { type: 'boolean' },
    svg: { type: 'boolean' },
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean' },
    assume: { type: 'string' },
    'no-guesses': { type: 'boolean' },
  },
  run: async (given, terminal) => {
    const [document, name, third] = given.positionals;
    if (document === undefined) throw new UsageError('name the document');
    if (third !== undefined) throw new UsageError(`one picture at a time, and ${third} is a second one`);
    const form = formOf(given);
    const { specification, diagnostics } = readNamed(document, given);
    if (hasErrors(diagnostics)) {
      printDiagnostics(diagnostics, terminal);
      return 1;
    }
    const pictures = picturesOf(specification);
    const out = text(given, 'out');
    if (name === undefined || given.values['list'] === true) {
      if (out !== undefined || given.values['svg'] === true)
        throw new UsageError(`name the picture to draw; ${thoseOf(pictures)}`);
      terminal.out(list(pictures));
      return 0;
    }
    const drawn = await drawnAs(form, pictureNamed(name, pictures).draw(), specification);
    if (out === undefined) terminal.out(drawn);
    else {
      writeFiles([[out, drawn]], given.values['force'] === true);
      terminal.out(`wrote ${printable(out)}\n`);
    }
    return 0;
  },
};

type Form = 'mermaid' | 'svg';

/** What the file's name says, or `--svg`. */
function formOf(given: Given): Form {
  const out = text(given, 'out');
  const isSvg = given.values['svg'] === true;
  if (out === undefined) return isSvg ? 'svg' : 'mermaid';
  if (out.endsWith('.svg')) return 'svg';
  if (!out.endsWith('.mmd'))
    throw new UsageError(`a picture is written to a .svg or .mmd file, and ${out} is neither`);
  if (isSvg) throw new UsageError(`--svg goes with a file that ends in .svg, and ${out} does not`);
  return 'mermaid';
}

/** What lays out pictures is loaded only where one is laid out. */
async function drawnAs(form: Form, picture: Picture, { name, file }: Specification): Promise<string> {
  if (form === 'mermaid') return mermaid(picture);
  const { svg } = await import('../interchange/pictures/svg/svg.ts');
  return svg(picture, name || file);
}

function pictureNamed(name: string, pictures: readonly Drawable[]): Drawable {
  const picture = pictures.find((one) => one.name === name);
  if (picture) return picture;
  const close = nearest(
    name,
    pictures.map((one) => one.name),
  );
  const meant = close === undefined ? '' : `did you mean ${close}? `;
  throw new UsageError(`there is no picture ${name}; ${meant}${thoseOf(pictures)}`);
}

/** How many names a message lists. */
const most = 20;

function thoseOf(pictures: readonly Drawable[]): string {
  if (pictures.length === 0) return 'the document has no resource, no states and no operation to draw';
  const names = pictures.slice(0, most).map(({ name }) => name);
  const more = pictures.length - names.length;
  return `there are ${names.join(', ')}${more > 0 ? `, and ${more} more (--list)` : ''}`;
}

const says = { map: 'resources', machine: 'states', operation: 'operation' } as const;

function list(pictures: readonly Drawable[]): string {
  if (pictures.length === 0) return `${thoseOf(pictures)}\n`;
  return pictures.map(({ kind, name }) => `${says[kind].padEnd(9)}  ${printable(name)}\n`).join('');
}
