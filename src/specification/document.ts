import type { Diagnostic } from '../source/diagnostic.ts';
import { diagnose } from '../source/diagnostic.ts';
import { markdownBlocks, whole } from '../source/markdown.ts';
import { type Entry, type Mapping, mapping, type Node } from '../source/node.ts';
import { type Span, span, type Text } from '../source/text.ts';
import { type Effort, readerLimits, readYaml } from '../source/yaml.ts';
import { type Part, parts } from './address.ts';
import { nearest } from './nearest.ts';
import { marker } from './said.ts';

/** The founding document's own headings, which are the parts' as well as their keys are (language §A.2). */
const headings: Readonly<Record<Part, string>> = {
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
export const headKeys: readonly string[] = ['tacet', 'complete', 'open'];

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

/** Takes a Markdown document apart, or a file of YAML or JSON, by the ending of its name (language §A). */
export function outline(source: Text): Outline {
  const bytes = Buffer.byteLength(source.content);
  if (bytes > readerLimits.bytes) {
    const start = span(source, 0, 0);
    const large = diagnose('too-large', start, { bytes, limit: readerLimits.bytes });
    return { ...empty(source), diagnostics: [large] };
  }
  return /\.(ya?ml|json)$/i.test(source.file) ? fromYaml(source) : fromMarkdown(source);
}

function empty(source: Text): Outline {
  const start = span(source, 0, 0);
  return {
    name: '',
    head: undefined,
    tree: mapping([], start),
    places: new Map(parts.map((part) => [part, start])),
    diagnostics: [],
    unreadable: [],
  };
}

function fromYaml(source: Text): Outline {
  const { node, diagnostics } = readYaml(whole(source));
  const found = [...diagnostics];
  const known = ['name', ...headKeys, ...parts];
  const bare = empty(source);
  const unreadable = diagnostics.some(isOfYaml) ? [span(source, 0, source.content.length)] : [];
  if (node?.kind !== 'map') {
    if (node) found.push(diagnose('not-a-map', node.span, {}));
    return { ...bare, diagnostics: found, unreadable };
  }
  const head = new Map<string, Entry>();
  const tree = new Map<string, Entry>();
  let name = '';
  for (const [key, entry] of node.entries) {
    if ((parts as readonly string[]).includes(key)) tree.set(key, entry);
    else if (key === 'name') {
      if (entry.value.kind === 'scalar' && entry.value.value !== null) name = entry.value.written;
      else found.push(diagnose('wrong-kind', entry.value.span, { wanted: 'text', found: 'something else' }));
    } else if (headKeys.includes(key)) head.set(key, entry);
    else {
      const close = nearest(key, known);
      const hint = close === undefined ? `known here: ${known.join(', ')}` : `did you mean ${close}?`;
      found.push(diagnose('unknown-key', entry.key, { key, where: 'a specification' }, { hint }));
    }
  }
  return {
    name,
    head: head.size > 0 ? { ...node, entries: head } : undefined,
    tree: { ...node, entries: tree },
    places: new Map(parts.map((part) => [part, tree.get(part)?.key ?? node.span])),
    diagnostics: found,
    unreadable,
  };
}

/** Whether the reading of the values themselves is at fault; a key that stands twice has a value all the same. */
function isOfYaml(one: Diagnostic): boolean {
  return one.code !== 'key-twice';
}

function fromMarkdown(source: Text): Outline {
  const diagnostics: Diagnostic[] = [];
  const unreadable: Span[] = [];
  const bare = empty(source);
  const places = new Map(bare.places);
  const stated = new Map<string, Entry>();
  let head: Mapping | undefined;
  let name: string | undefined;
  let part: Part | null = null;
  let foreign: { title: string; span: Span } | null = null;
  let started = false;
  const effort: Effort = { nodes: 0, lexemes: 0 };
  for (const block of markdownBlocks(source)) {
    if (block.kind === 'heading') {
      if (block.level === 1 && name === undefined) name = block.title;
      if (block.level > 2) continue;
      part = block.level === 2 ? partOf(block.title) : null;
      foreign = part === null && block.level === 2 ? { title: block.title, span: block.span } : null;
      if (part) {
        started = true;
        places.set(part, block.span);
      }
      continue;
    }
    const { node, diagnostics: faults } = readYaml(block.source, effort);
    diagnostics.push(...faults);
    if (faults.some(isOfYaml)) unreadable.push(block.span);
    if (part === null && (started || foreign)) {
      diagnostics.push(outside(block.span, foreign?.title ?? null));
      continue;
    }
    if (node === undefined) continue;
    if (part === null) head = merged(head, node, 'the head', diagnostics) as Mapping | undefined;
    else {
      const key = places.get(part) as Span;
      const together = merged(stated.get(part)?.value, node, part, diagnostics);
      if (together) stated.set(part, { key, value: together });
    }
  }
  return {
    name: name ?? '',
    head,
    tree: mapping(stated, bare.tree.span),
    places,
    diagnostics,
    unreadable,
  };
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

/** Several blocks of one part are one statement; one key twice is an error that points at both (language §A.1). */
function merged(
  before: Node | undefined,
  node: Node,
  of: string,
  diagnostics: Diagnostic[],
): Node | undefined {
  if (node.kind === 'list' || (node.kind === 'scalar' && marker(node.value) === undefined)) {
    diagnostics.push(diagnose('not-statements', node.span, { part: of }));
    return before;
  }
  if (before === undefined) return node;
  if (before.kind !== 'map' || node.kind !== 'map') {
    diagnostics.push(diagnose('marker-and-statements', node.span, { part: of }, { related: [before.span] }));
    return before;
  }
  const entries = new Map(before.entries);
  for (const [key, entry] of node.entries) {
    const twin = entries.get(key);
    if (twin) diagnostics.push(diagnose('key-twice', entry.key, { key }, { related: [twin.key] }));
    else entries.set(key, entry);
  }
  return { ...before, entries };
}
