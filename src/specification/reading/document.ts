import type { Diagnostic } from '../../source/diagnostic.ts';
import { diagnose, visible } from '../../source/diagnostic.ts';
import { type Embedded, markdownBlocks, whole } from '../../source/markdown.ts';
import { type Entry, type Mapping, mapping, type Node } from '../../source/node.ts';
import { type Span, span, type Text } from '../../source/text.ts';
import { atOnce, type Steps } from '../../source/turns.ts';
import { type Effort, readerLimits, readYamlInSteps } from '../../source/yaml.ts';
import { type Part, parts } from './address.ts';
import { merged, oneHead } from './merging.ts';
import { nearest } from './nearest.ts';
import { questionLost } from './reading.ts';

/** The founding document's own headings, which are the parts' as well as their keys are (language §A.2). */
export const headings: Readonly<Record<Part, string>> = {
  service: 'What the service does',
  resources: 'Resources and their fields',
  states: 'States and transitions',
  endpoints: 'Endpoints',
  authentication: 'Authentication',
  events: 'Events',
  errors: 'Errors',
  limits: 'Limits',
  versioning: 'Versioning',
};

/** What the head may say (language §A.3). */
export const headKeys = ['tacet', 'complete', 'open', 'let'] as const;

/** A specification taken apart, before it is read: its name, its head, and what is written under each part. */
export interface Outline {
  readonly name: string;
  readonly head: Mapping | undefined;
  /** A map from part to what it states; parts without a statement are not in it. */
  readonly tree: Mapping;
  /** Where each part begins, or would. */
  readonly places: ReadonlyMap<Part, Span>;
  readonly diagnostics: readonly Diagnostic[];
  /** Blocks whose YAML is at fault: what else seems wrong in them may follow from that. */
  readonly unreadable: readonly Span[];
}

/** What is gathered from one document after another. */
interface Gathering {
  /** The first document that is not commentary: where an open point could be stated. */
  first: Text | undefined;
  name: { readonly title: string; readonly at: Span } | undefined;
  head: Node | undefined;
  readonly stated: Map<Part, Entry>;
  /** Where the parts begin: their headings, or their keys. */
  readonly places: Map<Part, Span>;
  readonly diagnostics: Diagnostic[];
  readonly unreadable: Span[];
  readonly effort: Effort;
}

/**
 * Takes documents apart that are one specification together: Markdown, YAML or JSON, by the ending of their
 * names (language §A).
 *
 * @param sources in their order; at least one
 */
export function outline(sources: readonly Text[]): Outline {
  return atOnce(outlineInSteps(sources));
}

/** {@link outline} in steps. */
export function* outlineInSteps(sources: readonly Text[]): Steps<Outline> {
  const found: Gathering = {
    first: undefined,
    name: undefined,
    head: undefined,
    stated: new Map(),
    places: new Map(),
    diagnostics: [],
    unreadable: [],
    effort: { nodes: 0, lexemes: 0 },
  };
  const isFolder = sources.length > 1;
  let bytes = 0;
  for (const source of sources) {
    bytes += Buffer.byteLength(source.content);
    if (bytes > readerLimits.bytes) {
      found.diagnostics.push(diagnose('too-large', span(source, 0, 0), { limit: readerLimits.bytes }));
      break;
    }
    const head = found.head;
    found.head = undefined;
    if (/\.(ya?ml|json)$/i.test(source.file)) yield* fromYaml(source, isFolder, found);
    else yield* fromMarkdown(source, isFolder, found);
    found.head = oneHead(head, found.head, found.diagnostics);
  }
  const start = span(found.first ?? (sources[0] as Text), 0, 0);
  return {
    name: found.name?.title ?? '',
    head: found.head as Mapping | undefined,
    tree: mapping(found.stated, start),
    places: new Map(parts.map((part) => [part, found.places.get(part) ?? start])),
    diagnostics: found.diagnostics,
    unreadable: found.unreadable,
  };
}

/** The name is said by one document of a folder, or alike by several (language §A.2). */
function nameIt(written: string, at: Span, found: Gathering): void {
  // It is shown in many places, to people: on one line, and without what would act on a terminal.
  const title = visible(written);
  const { name } = found;
  if (name && name.title !== title)
    found.diagnostics.push(diagnose('two-names', at, { name: title }, { related: [name.at] }));
  found.name = name ?? { title, at };
}

function state(part: Part, node: Node, key: Span, found: Gathering): void {
  const before = found.stated.get(part);
  const together = merged(before?.value, node, part, found.diagnostics);
  if (before === undefined) found.places.set(part, key);
  if (together) found.stated.set(part, { key: before?.key ?? key, value: together });
}

function* fromYaml(source: Text, isFolder: boolean, found: Gathering): Steps<void> {
  const { node, diagnostics } = yield* readYamlInSteps(whole(source), found.effort);
  // A list is a ledger of assumptions (language §A.6), and no document.
  if (isFolder && node?.kind === 'list') return;
  found.first ??= source;
  found.diagnostics.push(...diagnostics);
  if (diagnostics.some(isOfYaml)) found.unreadable.push(span(source, 0, source.content.length));
  if (node?.kind !== 'map') {
    if (node) found.diagnostics.push(diagnose('not-a-map', node.span, {}));
    return;
  }
  const known = ['name', ...headKeys, ...parts];
  const head = new Map<string, Entry>();
  for (const [key, entry] of node.entries) {
    const { value } = entry;
    if (isPart(key)) state(key, value, entry.key, found);
    else if (key === 'name') {
      if (value.kind === 'scalar' && value.value !== null) nameIt(value.written, value.span, found);
      else
        found.diagnostics.push(
          diagnose('wrong-kind', value.span, { wanted: 'text', found: 'something else' }),
        );
    } else if ((headKeys as readonly string[]).includes(key)) head.set(key, entry);
    else if (key === 'description') found.diagnostics.push(...questionLost(value));
    else {
      const close = nearest(key, known);
      const hint = close === undefined ? `known here: ${known.join(', ')}` : `did you mean ${close}?`;
      found.diagnostics.push(diagnose('unknown-key', entry.key, { key, where: 'a specification' }, { hint }));
    }
  }
  if (head.size > 0) found.head = { ...node, entries: head };
}

/** Whether the reading of the values themselves is at fault; a key that stands twice has a value all the same. */
function isOfYaml(one: Diagnostic): boolean {
  return one.code !== 'key-twice';
}

function* fromMarkdown(source: Text, isFolder: boolean, found: Gathering): Steps<void> {
  let name: { title: string; at: Span } | undefined;
  let part: { name: Part; at: Span } | null = null;
  let foreign: string | null = null;
  let isDocument = !isFolder;
  let started = false;
  const asked: Diagnostic[] = [];
  for (const block of markdownBlocks(source)) {
    if (block.kind === 'question') {
      asked.push(diagnose('question-in-prose', block.span, { question: visible(block.question) }));
      continue;
    }
    if (block.kind === 'heading') {
      if (block.level === 1) name ??= { title: block.title, at: block.span };
      if (block.level > 2) continue;
      const of = block.level === 2 ? partOf(block.title) : null;
      part = of && { name: of, at: block.span };
      foreign = of === null && block.level === 2 ? block.title : null;
      if (of) {
        started = true;
        isDocument = true;
        if (!found.stated.has(of)) found.places.set(of, block.span);
      }
      continue;
    }
    if (block.kind === 'unnamed') {
      if (part !== null && isLikeStatements(block.source))
        found.diagnostics.push(diagnose('block-unnamed', block.span, { title: headings[part.name] }));
      continue;
    }
    isDocument = true;
    const { node, diagnostics: faults } = yield* readYamlInSteps(block.source, found.effort);
    found.diagnostics.push(...faults);
    if (faults.some(isOfYaml)) found.unreadable.push(block.span);
    if (part === null && (started || foreign !== null)) {
      found.diagnostics.push(outside(block.span, foreign));
      continue;
    }
    if (node === undefined) continue;
    if (part === null) found.head = merged(found.head, node, 'the head', found.diagnostics);
    else state(part.name, node, part.at, found);
  }
  // A document without a part and a block, such as a README, is commentary.
  if (!isDocument) return;
  found.diagnostics.push(...asked);
  found.first ??= source;
  if (name) nameIt(name.title, name.at, found);
}

/** Whether a block that is not read begins as statements do: with `KEY: VALUE`, `KEY:` or a marker in parentheses. */
function isLikeStatements({ content }: Embedded): boolean {
  const [first = ''] = content.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return /^(?:"[^"]+"|'[^']+'|[A-Z-]+ \/\S*|[\w.$-]+):(?:\s|$)/.test(first) || /^\([a-z]+\)\s*$/.test(first);
}

function isPart(key: string): key is Part {
  return (parts as readonly string[]).includes(key);
}

function partOf(title: string): Part | null {
  const written = title.toLowerCase().replace(/\s+/g, ' ').trim();
  return parts.find((part) => written === part || written === headings[part].toLowerCase()) ?? null;
}

function outside(where: Span, title: string | null): Diagnostic {
  if (title === null) return diagnose('block-outside-part', where, { title: 'this heading' });
  const all = [...parts, ...Object.values(headings)];
  const close = nearest(title, all);
  return diagnose('block-outside-part', where, { title }, close ? { hint: `did you mean "${close}"?` } : {});
}
