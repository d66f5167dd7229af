import { readdirSync, readFileSync } from 'node:fs';
import { movedClock } from '../../src/cli/serve/moved-clock.ts';
import type { Handlers } from '../../src/service/handlers/worked.ts';
import { type ServiceOptions, serve } from '../../src/service/service.ts';
import { read } from '../../src/specification/read.ts';
import { consolesOf, expectShown, filesOf, printedBy, shownAddress, type Typed } from './console-blocks.ts';

/** A page of `docs/recipes`: a document, what its operator gives, and requests with their answers. */
export interface Recipe {
  readonly path: string;
  readonly text: string;
  readonly name: string;
  readonly document: string;
  readonly typed: readonly Typed[];
}

const root = 'docs/recipes';

const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /[\\/].*\.md$/.test(path))
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

export const recipes: readonly Recipe[] = paths.map((path) => {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  const [{ name = '', content = '' } = {}] = filesOf(text);
  return { path, text, name, document: content, typed: consolesOf(text).flatMap(({ typed }) => typed) };
});

/** What the page says that the operator gives: credentials in the environment, functions in a module. */
export async function givenBy({ text }: Recipe): Promise<Pick<ServiceOptions, 'credentials' | 'handlers'>> {
  const [, credentials] = /TACET_CREDENTIALS='([^']*)'/.exec(text) ?? [];
  const functions = filesOf(text).find(({ name }) => name.endsWith('.js'))?.content;
  return {
    ...(credentials && { credentials: JSON.parse(credentials) as Record<string, Record<string, string>> }),
    ...(functions && {
      handlers: (await import(`data:text/javascript,${encodeURIComponent(functions)}`)) as Handlers,
    }),
  };
}

/** How a recipe is gone through: where its service stores, and whether its clock can be moved, for `sleep`. */
interface Place {
  readonly data: string;
  readonly isMovable: boolean;
}

/** Types the commands of a recipe, one after the other, and gives each answer to `see`. */
export async function typed(
  recipe: Recipe,
  { data, isMovable }: Place,
  see: (printed: string, shown: string, known: Map<string, string>) => void = expectShown,
): Promise<void> {
  const clock = movedClock();
  const { specification } = read(recipe.name, recipe.document);
  const options = isMovable ? clock.options : { resolve: clock.options.resolve };
  const service = await serve(specification, { data, ...options, ...(await givenBy(recipe)) });
  const known = new Map<string, string>();
  try {
    for (const { command, printed } of recipe.typed) {
      const [, seconds] = /^sleep (\d+)$/.exec(command) ?? [];
      if (seconds !== undefined && !isMovable) return;
      if (seconds === undefined) {
        const found = await printedBy(command.replaceAll(shownAddress, service.address), known);
        see(found.replaceAll(service.address, shownAddress), printed, known);
      } else await clock.move(clock.aheadMs() + 1000 * Number(seconds), service);
    }
  } finally {
    await service.close();
  }
}
