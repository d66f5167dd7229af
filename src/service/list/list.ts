import type { Frame, Item } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { nothingBesides } from '../../expression/query.ts';
import type { Model } from '../../expression/query-operand.ts';
import { worked } from '../../expression/values.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { inAnswers } from '../../specification/model/workings.ts';
import { boundBy } from '../../specification/rules/names.ts';
import type { AnswerTo } from '../content/answers.ts';
import { environmentOf, type Writers, Written } from '../content/render.ts';
import type { ItemRule } from '../judge/rule.ts';
import type { FrameOf } from '../message/frame.ts';
import type { Failing, Held } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';
import type { Alongs } from '../resource/along.ts';
import type { KeptResource, Together } from '../resource/kept.ts';
import { type Conditions, compileConditions } from '../resource/where.ts';
import type { Reads, Row, Store } from '../store/store.ts';
import { compileAddresses } from './addresses.ts';
import { compileAsked, failing, pageParameters, parametersOf, skipped } from './asked.ts';
import { compileHandledList } from './handled.ts';
import { pageOf } from './page.ts';
import { compilePositions, cursorsFor, markOf, mostPositions } from './positions.ts';
import { type Found, type FoundTexts, type Questions, questions } from './questions.ts';
import { compileSearches } from './search.ts';
import { compileStatements, type Slots, type Within } from './statements.ts';
import { streamed } from './stream.ts';
import { compileText } from './text.ts';

/** What an operation needs of its list (language §4.2, §H.2). */
export interface CompiledList {
  /** Whether there is anything to check. */
  readonly checks: boolean;
  /** What is wrong with what the request asks of the list: a cursor of another list, an item that is not there. */
  readonly check: (reads: Reads, frame: FrameOf) => readonly Failing[];
  /** The answer; asked where `check` found nothing. */
  readonly run: (reads: Reads, frame: FrameOf) => Reply | Held;
}

interface Around {
  readonly newest: Specification;
  readonly model: Model;
  readonly store: Store;
  readonly writers: Writers;
  readonly along: Alongs;
  readonly together: ReadonlyMap<string, Together>;
}

/** How many rows are read at once of a list that may be long. */
const pieceRows = 1000;

/** Compiles the list that an operation pages through. */
export function compileList(
  operation: Operation,
  kept: KeptResource,
  around: Around,
  answer: AnswerTo,
  rules: readonly ItemRule[] = [],
): CompiledList {
  const compile = (of: Operation): CompiledList => compileStated(of, kept, around, answer, rules);
  const settle = compileHandledList(operation, around.newest, compile);
  const whole = compile(operation);
  if (settle === null) return whole;
  return {
    checks: whole.checks,
    check: (reads, frameOf) => {
      const { list, frame } = settle(frameOf);
      return list.check(reads, frame);
    },
    run: (reads, frameOf) => {
      const { list, frame } = settle(frameOf);
      return list.run(reads, frame);
    },
  };
}

/** Compiles a list whose conditions the document states itself. */
function compileStated(
  operation: Operation,
  kept: KeptResource,
  { model, store, writers, along, together }: Around,
  answer: AnswerTo,
  rules: readonly ItemRule[],
): CompiledList {
  const environment = environmentOf(writers);
  const bound = boundBy(operation).map(({ name }) => name);
  const conditions = compileConditions(kept, model, environment, bound);
  const parameters = pageParameters(parametersOf(operation));
  const askedOf = compileAsked(parameters);
  const searches = compileSearches(
    operation,
    conditions,
    environment,
    kept.keyFields.length > 0 ? along.page(kept.name, inAnswers(operation), bound) : null,
    rules,
  );
  const slots = slotsOf(conditions, searches.mostKeys);
  const { besides = nothingBesides } = searches.narrowed;
  const inText = compileText(operation, together, besides, conditions);
  const statements = compileStatements(conditions.row, slots, inText?.text);
  const positions = compilePositions(kept, parameters, conditions);
  const addresses = compileAddresses(parameters);
  const showsItemsAlone = inAnswers(operation)
    .flatMap(({ syntax }) => pathsRead(syntax))
    .every(([root, name]) => root !== 'page' || name === 'items');

  const check: CompiledList['check'] = (reads, frameOf) => {
    const frame = frameOf({});
    const failures = searches
      .misordered(frame)
      .map((placed) => failing(placed, 'order', frame.names['request']));
    if (failures.length > 0) return failures;
    const found = positions(reads, searches.search(frame), askedOf(frame), () => frame);
    return 'failures' in found ? found.failures : [];
  };
  const run: CompiledList['run'] = (all, frameOf) => {
    const reads = kept.keyFields.length === 0 ? nothingKept : all;
    const frame = frameOf({});
    const search = searches.search(frame);
    const asked = askedOf(frame);
    const looked = positions(reads, search, asked, () => frame);
    const within: Within = 'within' in looked ? looked.within : [];
    let ask = questions(reads, store, search, slots, statements);
    const item = (row: Row): Item => kept.item(row, () => frame);
    const skip = skipped(asked);
    const { size } = asked;
    const mayBeLong = size === null || size > pieceRows;
    if (inText !== null && within.length === 0) {
      const most = mayBeLong ? pieceRows : size;
      const filled = { ...search, values: inText.fill(search.values, frame) };
      const asked = questions(reads, store, filled, slots, statements);
      const found = worked(() => asked.texts(mayBeLong ? most + 1 : most, skip));
      if (found && (found.count <= most || !mayBeLong)) {
        const items = new Written(found.text);
        const page = search.isCounted ? { items, ...totalOf(found, most, skip, asked) } : { items };
        return answer(null, frameOf({ page }));
      }
    }
    const rows = (most: number | null): Found => {
      const asksForMore = mayBeLong || !showsItemsAlone;
      const told = worked(() => ask.rows(within, most, skip, asksForMore));
      if (told) return told;
      // What cannot be worked out counts only where it is shown, so that each item is asked for what it shows.
      ask = questions(
        reads,
        store,
        { ...search, besides: nothingBesides, isCounted: false },
        slots,
        statements,
      );
      return ask.rows(within, most, skip, asksForMore);
    };
    let found = rows(mayBeLong ? pieceRows : size);
    if (mayBeLong && found.more) {
      const written = (shownBy: string): AsyncIterable<string> =>
        writtenPieces(store, ask.stream(size, skip), (row) => writers(shownBy)?.(item(row), frame) ?? 'null');
      const reply = within.length === 0 ? streamed(answer, frameOf, written) : null;
      if (reply !== null) return reply;
      found = rows(size);
    }
    if (showsItemsAlone) return answer(null, frameOf({ page: { items: found.rows.map(item) } }));
    const page = pageOf({
      asked,
      within,
      found,
      questions: ask,
      cursors: () => cursorsFor(search),
      item,
      mark: (row) => markOf(kept, search, row, () => frame),
      identifier: (row) => (row.key.length === 1 ? row.key[0] : null),
      addresses: (around) => addresses(urlOf(frame), around),
    });
    return answer(null, frameOf({ page }));
  };
  return {
    checks: searches.mayBeMisordered || ['cursor', 'after', 'before'].some((word) => word in parameters),
    check,
    run,
  };
}

/** How many items there are in all, where a store has put some of them together. */
function totalOf(
  { count: found, total }: FoundTexts,
  most: number,
  skip: number,
  { count }: Pick<Questions, 'count'>,
): { readonly total: number } {
  const isNone = found === 0 && skip === 0 && most > 0;
  return { total: isNone ? 0 : (total ?? count([])) };
}

/** Nothing can have been made of a resource whose identifier is open, and nothing is kept of it. */
const nothingKept: Reads = { find: () => null, rows: () => [], value: () => 0 };

function urlOf({ names }: Frame): string {
  return (names['request'] as { readonly url: string }).url;
}

async function* writtenPieces(
  store: Pick<Store, 'read'>,
  rows: AsyncIterable<readonly Row[]>,
  write: (row: Row) => string,
): AsyncIterable<string> {
  for await (const piece of rows) yield store.read(() => piece.map(write).join(','));
}

/** Behind what the conditions take stand what a page takes: how many, and the values of each position. */
function slotsOf({ slot }: Conditions, keys: number): Slots {
  const [limit, offset] = [slot(), slot()];
  const positions = Array.from({ length: mostPositions }, () => {
    const first = slot();
    for (let one = 0; one < keys; one++) slot();
    return first;
  });
  return { limit, offset, positions };
}
