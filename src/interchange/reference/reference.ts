import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { machinePicture } from '../pictures/machine.ts';
import { mapPicture } from '../pictures/map.ts';
import type { Picture } from '../pictures/picture.ts';
import { Items } from '../schemas/items.ts';
import { further, type Line, line, listed, openLine, standingOf } from '../wording/line.ts';
import { machinesOf } from '../wording/machines.ts';
import { type ErrorsEntry, errorsEntry } from './errors.ts';
import { type EventsEntry, eventsEntry } from './events.ts';
import { type LimitEntry, limitEntries } from './limits.ts';
import { type OperationEntry, operationEntry } from './operation.ts';
import { type SchemesEntry, schemesEntry } from './schemes.ts';
import { type ShapeEntry, shapeEntries } from './shapes.ts';

/** What a document states, for those who call the service. */
export interface Reference {
  readonly name: string;
  readonly purpose: Line | null;
  /** What it covers, what it does not, and who deals with it. */
  readonly about: readonly { readonly name: string; readonly says: readonly Line[] }[];
  readonly operations: readonly OperationEntry[];
  readonly operationsOpen: readonly Line[];
  readonly shapes: readonly ShapeEntry[];
  readonly shapesOpen: readonly Line[];
  /** The map of the resources; null: nothing refers to anything. */
  readonly map: Picture | null;
  readonly machines: readonly Picture[];
  readonly schemes: SchemesEntry;
  readonly errors: ErrorsEntry;
  readonly limits: readonly LimitEntry[];
  readonly events: EventsEntry;
  readonly versions: readonly { readonly name: string; readonly says: readonly Line[] }[];
  /** What the document asks, each once, with the addresses of the points. */
  readonly questions: readonly { readonly question: string; readonly addresses: readonly string[] }[];
  /** The addresses of the points that are assumed. */
  readonly assumed: readonly string[];
  /** How many points are open that nobody asks about. */
  readonly silent: number;
}

export function referenceOf(of: Specification): Reference {
  const items = new Items(of);
  const points = [...of.points.values()];
  const asked = points.filter((point) => point.state === 'open' && point.question !== null);
  const purpose = stated(stated(of.service)?.purpose);
  const map = mapPicture(of);
  const hasEdges = map.drawing.kind === 'map' && map.drawing.edges.length > 0;
  return {
    name: of.name || of.file,
    purpose: purpose === undefined ? null : line(purpose, standingOf(of.service)),
    about: aboutOf(of),
    operations: of.operations.map((operation) => operationEntry(of, operation, items)),
    operationsOpen: endpointsOpen(of),
    shapes: shapeEntries(of, items),
    shapesOpen:
      of.resources.kind === 'open'
        ? [openLine(of.resources, 'resources')]
        : further(of, 'resources', 'further resources'),
    map: hasEdges ? map : null,
    machines: [...machinesOf(of)].map(([name, said]) => machinePicture(of, name, said)),
    schemes: schemesEntry(of),
    errors: errorsEntry(of, items),
    limits: limitEntries(of),
    events: eventsEntry(of, items),
    versions: versionsOf(of),
    questions: [...Map.groupBy(asked, ({ question }) => question ?? '')].map(([question, group]) => ({
      question,
      addresses: group.map(({ address }) => address),
    })),
    assumed: points.filter(({ state }) => state === 'assumed').map(({ address }) => address),
    silent: points.filter(({ state }) => state === 'open').length - asked.length,
  };
}

function endpointsOpen(of: Specification): readonly Line[] {
  const { endpoints } = of;
  if (endpoints.kind === 'open') return [openLine(endpoints, 'operations')];
  const asked = [...(stated(endpoints)?.entries ?? [])].flatMap(([key, said]) =>
    said.kind === 'open' ? [openLine(said, key)] : [],
  );
  return [...asked, ...further(of, 'endpoints', 'further operations')];
}

function aboutOf({ service }: Specification): Reference['about'] {
  const part = stated(service);
  const scope = part && stated(part.scope);
  const texts = [
    ['covers', scope?.includes],
    ['does not cover', scope?.excludes],
  ] as const;
  const covers = texts.flatMap(([name, said]) => {
    const list = said && stated(said);
    return list ? [{ name, says: [line(listed(list), standingOf(said))] }] : [];
  });
  const actors = [...((part && stated(part.actors)) ?? [])].map(([name, said]) => {
    const text = stated(said);
    return { name, says: [text === undefined ? openLine(said, 'who') : line(text, standingOf(said))] };
  });
  return [...covers, ...actors];
}

/** Where a request names its version, and the versions there are. */
function versionsOf({ versioning }: Specification): Reference['versions'] {
  const part = stated(versioning);
  if (part === undefined)
    return versioning.kind === 'open' && versioning.question !== null
      ? [{ name: 'versions', says: [openLine(versioning, 'versions')] }]
      : [];
  const place = stated(part.place);
  const fallback = stated(part.default);
  const where = {
    header: 'the header field',
    query: 'the query parameter',
    path: 'the path, after',
    media: 'the parameter of the media type',
  } as const;
  const named = place ? [line(`named in ${where[place.kind]} ${place.name}`, standingOf(part.place))] : [];
  const without = fallback ? [line(`without a name: ${fallback.text}`, standingOf(part.default))] : [];
  const versions = [...(stated(part.versions) ?? [])].map(([name, said]) => {
    const version = stated(said);
    if (version === undefined) return { name, says: [openLine(said, 'what differs')] };
    const dates = (['deprecated', 'sunset', 'retired'] as const).flatMap((key) => {
      const date = stated(version[key]);
      return date === undefined ? [] : [line(`${key}: ${date.text}`, standingOf(version[key]))];
    });
    const count = stated(version.differs)?.size ?? 0;
    const words = count === 1 ? '1 difference' : `${count} differences`;
    return { name, says: [...dates, ...(count > 0 ? [line(`${words} from the next version`)] : [])] };
  });
  const all = [...named, ...without];
  return [...(all.length > 0 ? [{ name: 'which', says: all }] : []), ...versions];
}
