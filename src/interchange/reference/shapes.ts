import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, isSaid, type Said, stated } from '../../specification/reading/said.ts';
import type { Entry, Field, Resource, View } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Items, isShown, isWritable } from '../schemas/items.ts';
import { type Member, schemaOfMembers } from '../schemas/schema.ts';
import { further, type Line, line, listed, openLine, standingOf } from '../wording/line.ts';
import { descriptionAt, factsOfField, type MemberRow, rowsOf } from './member-rows.ts';
import { boundsOf, type TypePiece, typeText } from './type-text.ts';

/** A resource, a view or a shape of part 2. */
export interface ShapeEntry {
  readonly name: string;
  readonly kind: 'resource' | 'view' | 'shape' | 'open';
  readonly description: string | null;
  /** What is said of it as a whole: its identifier, what is unique, what always holds, what is open. */
  readonly facts: readonly Line[];
  /** What it is, where it has no members. */
  readonly type: readonly TypePiece[] | null;
  readonly rows: readonly MemberRow[];
}

export function shapeEntries(of: Specification, items: Items): readonly ShapeEntry[] {
  const named = stated(of.resources) ?? new Map<string, Said<Entry>>();
  return [...named].map(([name, said]) => {
    const entry = stated(said);
    const description = descriptionAt(of, said.address);
    const base = { name, description, type: null };
    switch (entry?.kind) {
      case 'resource':
        return { ...base, kind: 'resource', ...ofResource(of, entry, items) };
      case 'view':
        return { ...base, kind: 'view', ...ofView(of, entry, items) };
      case 'shape': {
        const schema = schemaOf(entry.shape);
        const rows = rowsOf(schema);
        const facts = [
          ...boundsOf(schema).map((text) => line(text)),
          ...(standingOf(said) === 'assumed' ? [line('as a whole', 'assumed')] : []),
        ];
        return { ...base, kind: 'shape', facts, rows, type: rows.length > 0 ? null : typeText(schema) };
      }
      default:
        return { ...base, kind: 'open', facts: [openLine(said, 'what it is')], rows: [] };
    }
  });
}

function ofResource(of: Specification, resource: Resource, items: Items): Pick<ShapeEntry, 'facts' | 'rows'> {
  const { identifier, unique, invariants, address } = resource;
  const keys = stated(identifier);
  const fields = [...resource.fields.values()].filter((field) => isShown(field) || isWritable(field));
  const members = fields.map((field): Member => {
    const shown = isShown(field) && items.shownField(field, items.isCertain(resource, field));
    return shown || { name: field.name, schema: items.field(field), isOptional: true };
  });
  return {
    facts: [
      keys
        ? line(`known by ${listed(keys.map(({ text }) => text))}`, standingOf(identifier))
        : openLine(identifier, 'identifier'),
      ...(stated(unique) ?? []).map((one) =>
        line(`${listed(one.fields.map(({ text }) => text))} are unique together`, standingOf(unique)),
      ),
      ...[...(stated(invariants) ?? [])].map(([sentence, said]) => line(sentence, standingOf(said))),
      ...(isAsked(invariants) ? [openLine(invariants, 'what always holds')] : []),
      ...further(of, `${address}.fields`, 'further members'),
    ],
    rows: rowsOf(schemaOfMembers(members, false) as Json, (name) => {
      const field = resource.fields.get(name);
      return field && withAccess(factsOfField(of, field), field);
    }),
  };
}

/** The same, with whether the member is only shown or only given. */
function withAccess(told: Pick<MemberRow, 'facts' | 'description'>, field: Field) {
  const isWritten = isWritable(field);
  const { readable, writable, create, derived } = field;
  const isTold = isSaid(create) || isSaid(derived);
  const access = !isShown(field)
    ? [line('given, never shown', standingOf(readable))]
    : !isWritten && !isTold
      ? [line('shown, never given', standingOf(writable))]
      : [];
  return { ...told, facts: [...access, ...told.facts] };
}

function ofView(of: Specification, view: View, items: Items): Pick<ShapeEntry, 'facts' | 'rows'> {
  const resource = of.resourcesByName.get(stated(view.of)?.text ?? '');
  return {
    facts: [
      resource ? line(`shows ${resource.name}`, standingOf(view.of)) : openLine(view.of, 'what it shows'),
      ...(isAsked(view.shows) ? [openLine(view.shows, 'which members')] : []),
    ],
    rows: rowsOf(items.view(view) as Json, (name) => {
      const field = view.fields.get(name) ?? resource?.fields.get(name);
      return field && factsOfField(of, field);
    }),
  };
}
