import type { Diagnostic } from '../../source/diagnostic.ts';
import type { Mapping } from '../../source/node.ts';
import { position, type Span, span, text } from '../../source/text.ts';
import type { Assumption } from '../../specification/openness/ledger.ts';
import { type Reader, readOutlined } from '../../specification/read.ts';
import { type Part, parts, step } from '../../specification/reading/address.ts';
import type { Outline } from '../../specification/reading/document.ts';
import { Losses } from '../losses.ts';
import type { Guess } from '../recognise/guess.ts';
import { bodyExamples } from './body-examples.ts';
import { type Description, type ReadFile, readDescription } from './description.ts';
import { endpointsPiece } from './endpoints.ts';
import { isExtended, restated } from './extensions.ts';
import { actionsIn } from './guesses/actions.ts';
import { guessesOf } from './guesses/guesses.ts';
import { pathsMeant } from './guesses/in-path.ts';
import { meantBy } from './guesses/meant.ts';
import { keptIn } from './guesses/recognised.ts';
import { scopesOf } from './guesses/scopes.ts';
import { asksScopes, operationsOf } from './operations.ts';
import { authenticationPiece, errorsPiece } from './other-parts.ts';
import { type Branch, branch, hosted, leaf, nodeOf, type Piece, without } from './piece.ts';
import { type Place, Places, textIn } from './place.ts';
import { notesOf, paragraphsOf } from './prose.ts';
import { resourcesPiece, schemaNames } from './resources.ts';
import { isExact, type Shaping } from './shape.ts';
import { eventsPiece, eventsProse, toldIn } from './webhooks.ts';

/** What is made of a description. */
export interface Imported {
  readonly name: string;
  /** What it is made of: the first says what is sent and received, all say what is told. */
  readonly descriptions: readonly [Description, ...Description[]];
  /** What the head says (language §A.3), if anything. */
  readonly head: Piece | undefined;
  /** The parts that something is stated of. */
  readonly parts: ReadonlyMap<Part, Piece>;
  /** The head and the parts before what extensions say is laid over them, each with the objects that may have some. */
  readonly drafts: ReadonlyMap<Part | 'head', Piece>;
  /** What people read about what is stated of a part, in lines of Markdown. */
  readonly prose: ReadonlyMap<Part, readonly string[]>;
  /** What nobody stated, as far as paths and shapes show it. */
  readonly guesses: readonly Guess[];
  readonly losses: Losses;
  /** The document as it is read with these guesses, if that is known already. */
  readonly read: Reader | undefined;
}

/** A document that is made of descriptions. */
type Made = Omit<Imported, 'guesses' | 'read'>;

/** Whether a guess is taken. */
export type Taking = (guess: Guess) => boolean;

/** How often what the language refuses is taken out again. */
const mostRounds = 40;

/**
 * Makes a specification of an OpenAPI description: what is sent and received is stated, what it means is asked.
 *
 * @param file the name to show in messages
 * @param readFile reads the files to which it refers. Default: there are none
 * @throws Unreadable
 */
export function importOpenApi(file: string, content: string, readFile?: ReadFile): Imported {
  return importDescriptions([readDescription(file, content, readFile)]);
}

/**
 * Makes one specification of several descriptions: of the first, and of what the others say about events.
 *
 * @param takes which guesses about what nobody stated are taken; null: none is made. Default: all
 * @throws Unreadable
 */
export function importDescriptions(
  descriptions: readonly [Description, ...Description[]],
  takes: Taking | null = () => true,
): Imported {
  const [description, ...further] = descriptions;
  const places = new Places(description, further);
  const losses = new Losses();
  for (const [{ losses: lost }, { pointer }] of places.described)
    for (const each of lost ?? []) losses.add(each.kind, each.what, `${pointer}${each.pointer}`);
  const operations = operationsOf(places, losses);
  const told = toldIn(places, operations, losses);
  const shaping: Shaping = {
    ...{ places, losses, names: schemaNames(places, told), defaults: new Set() },
    examples: bodyExamples(operations, places),
  };
  const kept = keptIn(operations, shaping);
  const meant = meantBy(operations, kept, shaping);
  const { root } = places;
  const info = places.member(root, 'info');
  const name = (textIn(info, 'title') ?? 'A service').trim();
  const scopes = new Map(kept.map((each) => [each, scopesOf(each, kept, operations, shaping)]));
  const actions = actionsIn(operations, kept, meant, shaping);
  const paths = pathsMeant(operations, kept, meant, actions, scopes, shaping);
  const endpoints = endpointsPiece(operations, meant, paths, shaping) as Branch;
  const named = namesIn(endpoints);
  const drafts = draftsOf(
    {
      service: servicePiece(places, info),
      resources: resourcesPiece(kept, meant, shaping),
      endpoints,
      authentication: authenticationPiece(operations, named, shaping),
      events: eventsPiece(told, shaping),
      errors: errorsPiece(operations, shaping),
    },
    root,
  );
  const all = [...drafts].map(([part, draft]) => [part, said(draft)] as const);
  const { head, ...described } = Object.fromEntries(all.filter(([, piece]) => piece !== undefined));
  const made: Made = {
    ...{ name, descriptions, head, drafts, losses, prose: new Map([['events' as const, eventsProse(told)]]) },
    parts: new Map(Object.entries(described) as [Part, Piece][]),
  };
  // What is open in a document that tacet wrote, its author left open.
  const isAsked = takes !== null && head === undefined;
  const context = { scopes, paths, actions, named, shaped: shapedIn(endpoints) };
  const guesses = isAsked
    ? guessesOf(operations, kept, meant, context, shaping).filter(
        (each) => isExact(each.value) && takes(each),
      )
    : [];
  return accepted(made, guesses, description);
}

/**
 * What the reader of specifications takes. As a rule that is all. Statements that it refuses without guesses are left out, and
 * are losses; then guesses that it refuses.
 */
function accepted(made: Made, guesses: readonly Guess[], { root, text: source }: Description): Imported {
  let [taken, left] = [made, guesses];
  for (let round = 0; round < mostRounds; round++) {
    const read = readOutlined(source.file, outlined(taken), left.map(assumptionOf));
    const faults = read.diagnostics.filter(({ severity }) => severity === 'error');
    if (faults.length === 0) return { ...taken, guesses: left, read };
    const ofGuesses = refusedGuesses(faults);
    const all = branch(root.span, Object.fromEntries(taken.parts));
    const refused = faults.length > ofGuesses.length ? refusedIn(all, source.file) : [];
    if (refused.length === 0) {
      const sound =
        ofGuesses.length > 0 ? withoutThose(left, ofGuesses) : withoutThoseAbout(left, all, source.file);
      if (sound.length === left.length) break;
      left = sound;
    }
    taken = {
      ...taken,
      parts: withoutRefused(all, refused, made.losses).entries as ReadonlyMap<Part, Piece>,
    };
  }
  return { ...taken, guesses: left, read: undefined };
}

function withoutThose(guesses: readonly Guess[], refused: readonly number[]): readonly Guess[] {
  return guesses.filter((_, index) => !refused.includes(index));
}

/** The guesses without those about entries of parts that the reader refuses only because of guesses. */
function withoutThoseAbout(guesses: readonly Guess[], made: Branch, file: string): readonly Guess[] {
  const refused = refusedIn(made, file, guesses);
  const entries = refused.map(({ path: [part, name] }) => `${step(part as string, name as string)}.`);
  return guesses.filter(({ at }) => !entries.some((entry) => at.startsWith(entry)));
}

/** A guess as an entry of a ledger. */
export function assumptionOf({ at: address, value, why, confidence }: Guess): Assumption {
  return { at: address, value, why, who: 'tacet import', confidence };
}

/** The head and the parts, each with the description's own extensions about it. */
function draftsOf(
  made: Readonly<Partial<Record<Part, Piece | undefined>>>,
  root: Place,
): ReadonlyMap<Part | 'head', Piece> {
  const nothing = branch(root.node.span, {});
  const versions = hosted(nothing, root, 'version-');
  return new Map([
    ['head', hosted(nothing, root, 'head-')],
    ...parts.map((part) => [part, hosted(made[part] ?? nothing, root, `${part}-`)] as const),
    // Each version has an extension of its own, since their order counts, and that of numbers in a map does not.
    ['versioning', hosted(branch(root.node.span, { versions }), root, 'versioning-')],
  ]);
}

/** A draft with what extensions say; undefined: nothing is said. */
function said(draft: Piece): Piece | undefined {
  const piece = restated(draft);
  if (!('entries' in piece)) return piece;
  const entries = [...piece.entries].filter(
    ([, inner]) => !(inner.host && 'entries' in inner && inner.entries.size === 0),
  );
  return entries.length === 0 ? undefined : { ...piece, entries: new Map(entries) };
}

/** The guesses in which faults are, by their places in the list: one fault may be in each. */
function refusedGuesses(faults: readonly Diagnostic[]): readonly number[] {
  return faults
    .filter(({ span: at }) => at.text.file === ledgerName)
    .map(({ span: at }) => position(at.text, at.start).line - 1);
}

/** What the reader calls a ledger that is no file. */
const ledgerName = 'assumptions';

/** What people read: the first paragraph is what the service does, the rest is for people, with what has no word. */
function servicePiece(places: Places, info: Place | undefined): Piece | undefined {
  const { root } = places;
  const { span: at } = info?.node ?? root.node;
  const [first = '', ...further] = (textIn(info, 'description') ?? '').trim().split(/\n\s*\n/);
  const plain = first.replaceAll(/\s+/g, ' ').replaceAll('${', '$ {').trim();
  const isPurpose = plain !== '' && !plain.startsWith('(');
  const said = paragraphsOf([
    ...(isPurpose ? further : [first, ...further]),
    // In a description that tacet wrote, they follow from statements.
    isExtended(root) ? '' : notesOfWhole(root, info),
  ]);
  return isPurpose || said !== undefined
    ? branch(at, {
        purpose: isPurpose ? leaf(plain, at) : undefined,
        description: said === undefined ? undefined : leaf(said, at),
      })
    : undefined;
}

/** What a description says of itself that the language has no word for. */
function notesOfWhole(root: Place, info: Place | undefined): string {
  const notes = [
    info && notesOf(info, ['version', 'summary', 'termsOfService', 'contact', 'license']),
    notesOf(root, ['tags', 'externalDocs', 'servers', ...(asksScopes(root) ? ['security'] : [])]),
  ];
  return notes.filter((each) => each !== undefined).join('\n');
}

/** The parameters of paths of which the shape is stated, by the keys of operations. */
function shapedIn({ entries }: Branch): ReadonlyMap<string, ReadonlySet<string>> {
  const inner = (piece: Piece | undefined, name: string): Piece | undefined =>
    piece && 'entries' in piece ? piece.entries.get(name) : undefined;
  return new Map(
    [...entries].map(([key, piece]) => {
      const path = inner(inner(piece, 'request'), 'path');
      return [key, new Set(path && 'entries' in path ? path.entries.keys() : [])] as const;
    }),
  );
}

/** The names of operations, by their keys. */
function namesIn({ entries }: Branch): ReadonlyMap<string, string> {
  return new Map(
    [...entries].flatMap(([key, piece]) => {
      const name = 'entries' in piece ? piece.entries.get('operation') : undefined;
      return name && 'value' in name ? [[key, String(name.value)] as const] : [];
    }),
  );
}

/** What is left without what the reader refuses, which is a loss. */
function withoutRefused(made: Branch, refused: ReturnType<typeof refusedIn>, losses: Losses): Branch {
  let piece = made;
  for (const { path, message } of refused) {
    losses.add('gap', message, `/${path.join('/')}`);
    piece = without(piece, path) as Branch;
  }
  return piece;
}

/** The places of a document that the reader refuses, with these guesses: the smallest entries around each. */
function refusedIn(
  made: Branch,
  file: string,
  guesses: readonly Guess[] = [],
): readonly { path: readonly string[]; message: string }[] {
  const paths: (readonly string[])[] = [];
  const numbered = new Map<Piece, number>();
  const visit = (piece: Piece, path: readonly string[]): void => {
    numbered.set(piece, paths.length);
    paths.push(path);
    if ('entries' in piece) for (const [name, inner] of piece.entries) visit(inner, [...path, name]);
    if ('items' in piece)
      for (const [index, inner] of piece.items.entries()) visit(inner, [...path, `${index}`]);
  };
  visit(made, []);
  const counted = text(file, ' '.repeat(paths.length));
  const spanOf = (piece: Piece): Span =>
    span(counted, numbered.get(piece) ?? 0, (numbered.get(piece) ?? 0) + 1);
  const { diagnostics } = readOutlined(
    file,
    outlineOf({ name: 'x', parts: made.entries }, span(counted, 0, 0), spanOf),
    guesses.map(assumptionOf),
  );
  const found = new Map<string, { path: readonly string[]; message: string }>();
  for (const { severity, span: at, message, code } of diagnostics) {
    const isThere = severity === 'error' && at.text === counted;
    const path = isThere ? paths[at.start] : undefined;
    if (path === undefined || path.length < 2) continue;
    found.set(path.join('\n'), { path, message: `${code}: ${message}` });
  }
  return [...found.values()];
}

/** A document in its parts, each value at the place of the description that it comes from. */
export function outlined(made: Made): Outline {
  return outlineOf(made, span(made.descriptions[0].text, 0, 0));
}

function outlineOf(
  {
    name,
    head,
    parts: stated,
  }: { name: string; head?: Piece | undefined; parts: ReadonlyMap<string, Piece> },
  start: Span,
  spanOf?: (piece: Piece) => Span,
): Outline {
  const tree = nodeOf({ at: start, entries: stated }, spanOf);
  if (tree.kind !== 'map') throw new TypeError('the parts are a map');
  const placeOf = (part: Part): Span => tree.entries.get(part)?.key ?? start;
  return {
    name,
    head: head && (nodeOf(head) as Mapping),
    tree,
    places: new Map(parts.map((part) => [part, placeOf(part)])),
    diagnostics: [],
    unreadable: [],
  };
}
