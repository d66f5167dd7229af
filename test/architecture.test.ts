import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** A folder imports from itself and from the floors below it, never from a sibling. */
const FLOORS: readonly (readonly string[])[] = [
  ['source'],
  ['specification', 'expression'],
  ['semantics'],
  ['service', 'conformance', 'interchange', 'report', 'diff', 'assist'],
  ['load'],
  ['console', 'editor'],
  ['cli'],
];

/** The one import between siblings: what is stated holds expressions; an expression knows nothing of parts. */
const BETWEEN_SIBLINGS: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'specification', to: 'expression' },
];

/** The public index stands on the jobs. */
const INDEX = { path: 'src/index.ts', floor: 5 };

const ROOMS = ['src/specification/vocabulary/parts', 'src/specification/rules/parts'];
const PARTS = [
  'service',
  'resources',
  'states',
  'endpoints',
  'authentication',
  'events',
  'errors',
  'limits',
  'versioning',
];

/** The folders of a floor, lowest first: each imports only from itself and from those before it. */
const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  specification: [
    'reading',
    'migration',
    'vocabulary',
    'description',
    'model',
    'rules',
    'openness',
    'versions',
  ],
  semantics: [
    'value',
    'rate',
    'shape',
    'version',
    'world',
    'change',
    'list',
    'access',
    'event',
    'content',
    'request',
    'message',
    'judge',
  ],
  service: [
    'value',
    'shape',
    'message',
    'store',
    'http',
    'content',
    'resource',
    'transaction',
    'judge',
    'list',
    'access',
    'versions',
    'limits',
    'events',
    'change',
    'body',
    'parameters',
    'evolve',
    'time',
    'handlers',
    'run',
    'request',
  ],
};

const NAMES_THAT_SAY_NOTHING = [
  'util',
  'utils',
  'utilities',
  'helper',
  'helpers',
  'core',
  'common',
  'manager',
];

const LONGEST = 800;

/** A source file, its path from the repository's root, and what it imports, as written. */
interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
  /** Those that it loads as it is loaded itself, and not by `import('…')` later. */
  readonly atOnce: readonly string[];
  readonly lines: number;
}

/** The specifiers of the imports and re-exports at the start of a line, and of `import('…')` anywhere in code. */
const atOnce = [
  /^import\s+(?!type\s)(?:[^'"`;]*?\sfrom\s+)?(['"])([^'"]+)\1/gm,
  /^export\s+[*{][^'"`;]*?\sfrom\s+(['"])([^'"]+)\1/gm,
];
const forTypes = [
  /^import\s+type\s[^'"`;]*?\sfrom\s+(['"])([^'"]+)\1/gm,
  /^export\s+type\s+[*{][^'"`;]*?\sfrom\s+(['"])([^'"]+)\1/gm,
];
const later = /^(?!\s*(?:\*|\/\/|\/\*)).*?\bimport\(\s*(['"`])([^'"`]+)\1/gm;

function importsOf(text: string, patterns: readonly RegExp[] = [...atOnce, ...forTypes, later]): string[] {
  const found: { at: number; specifier: string }[] = [];
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) found.push({ at: match.index, specifier: match[2] ?? '' });
  }
  return found.sort((a, b) => a.at - b.at).map((one) => one.specifier);
}

function sourceFiles(): SourceFile[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  return readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => {
      const text = readFileSync(`${root}/src/${name}`, 'utf8');
      return {
        path: `src/${name}`,
        imports: importsOf(text),
        atOnce: importsOf(text, atOnce),
        lines: text.replace(/\n$/, '').split('\n').length,
      };
    });
}

const isRelative = (specifier: string): boolean => specifier.startsWith('.');

const target = (file: SourceFile, specifier: string): string => posix.join(dirname(file.path), specifier);

/** The folder of `src` that a path is in; undefined for the files of `src` itself, and outside it. */
const folder = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

const floor = (name: string | undefined): number => FLOORS.findIndex((one) => one.includes(name ?? ''));

function floorFaults(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  for (const file of files) {
    const from = folder(file.path);
    const stands = file.path === INDEX.path ? INDEX.floor : floor(from);
    if (stands < 0) {
      faults.push(`${file.path}: is on no floor`);
      continue;
    }
    for (const specifier of file.imports.filter(isRelative)) {
      const path = target(file, specifier);
      const to = folder(path);
      const allowed =
        (to !== undefined && to === from) ||
        (floor(to) >= 0 && floor(to) < stands) ||
        BETWEEN_SIBLINGS.some((one) => one.from === from && one.to === to);
      if (!allowed) faults.push(`${file.path}: imports ${path}, which is not on a floor below`);
    }
  }
  return faults;
}

function folderOrderFaults(files: readonly SourceFile[]): string[] {
  const place = (path: string): { readonly floor: string; readonly at: number } | undefined => {
    const [, name, next, ...rest] = path.split('/');
    const order = FOLDER_ORDER[name ?? ''];
    if (order === undefined || name === undefined) return undefined;
    // The files of the floor itself stand above its folders.
    return { floor: name, at: rest.length === 0 ? order.length : order.indexOf(next ?? '') };
  };
  return files.flatMap((file) => {
    const from = place(file.path);
    if (from === undefined) return [];
    if (from.at < 0) return [`${file.path}: its folder is not in the order of ${from.floor}`];
    return file.imports
      .filter(isRelative)
      .map((specifier) => target(file, specifier))
      .filter((path) => {
        const to = place(path);
        return to?.floor === from.floor && to.at > from.at;
      })
      .map((path) => `${file.path}: imports ${path}, which is above it`);
  });
}

function independenceFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => folder(file.path) === 'conformance')
    .flatMap((file) =>
      file.imports
        .filter((specifier) => isRelative(specifier) && folder(target(file, specifier)) === 'service')
        .map((specifier) => `${file.path}: the tester imports ${target(file, specifier)}`),
    );
}

function cycleFaults(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const finished = new Set<string>();
  const faults: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const file = byPath.get(path);
    if (file === undefined || finished.has(path)) return;
    const start = trail.indexOf(path);
    if (start >= 0) {
      faults.push(`cycle: ${[...trail.slice(start), path].join(' → ')}`);
      return;
    }
    for (const specifier of file.imports.filter(isRelative)) visit(target(file, specifier), [...trail, path]);
    finished.add(path);
  };
  for (const file of files) visit(file.path, []);
  return faults;
}

function roomFaults(files: readonly SourceFile[]): string[] {
  return ROOMS.flatMap((room) => {
    const expected = PARTS.map((part) => `${room}/${part}.ts`);
    const actual = files.map((file) => file.path).filter((path) => path.startsWith(`${room}/`));
    return [
      ...expected.filter((path) => !actual.includes(path)).map((path) => `${path}: is missing`),
      ...actual
        .filter((path) => !expected.includes(path))
        .map((path) => `${path}: is not one of the nine parts`),
    ];
  });
}

function importPathFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter(isRelative)
      .filter((specifier) => !/\.(ts|svelte)$/.test(specifier) || basename(specifier) === 'index.ts')
      .map(
        (specifier) => `${file.path}: imports '${specifier}': name the file, with .ts, and no folder's index`,
      ),
  );
}

function nameFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) =>
      file.path
        .replace(/\.ts$/, '')
        .split('/')
        .some((name) => NAMES_THAT_SAY_NOTHING.includes(name)),
    )
    .map((file) => `${file.path}: its name does not say what it holds`);
}

function sizeFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => file.lines > LONGEST)
    .map((file) => `${file.path}: has ${file.lines} lines, and ${LONGEST} is the most`);
}

const RULES = {
  'a folder imports only from itself and from the floors below it': floorFaults,
  'the folders of a floor import in one direction': folderOrderFaults,
  'the tester never imports the service': independenceFaults,
  'no file imports itself, over whatever others': cycleFaults,
  'the vocabulary and the rules each have the nine rooms, and no other': roomFaults,
  'an import names a file': importPathFaults,
  'a name says what the file holds': nameFaults,
  'no file is too long to read': sizeFaults,
};

describe('architecture', () => {
  const files = sourceFiles();

  it('is read from source files that import each other', () => {
    expect(files.some((file) => file.imports.some(isRelative))).toBe(true);
  });

  for (const [statement, faults] of Object.entries(RULES)) {
    it(statement, () => {
      expect(faults(files)).toEqual([]);
    });
  }
});

/** All files that are loaded with a file, over whatever others. */
function reached(files: readonly SourceFile[], from: string): ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || found.has(path)) return;
    found.add(path);
    for (const specifier of file.atOnce.filter(isRelative)) visit(target(file, specifier));
  };
  visit(from);
  return found;
}

describe('what a command loads', () => {
  const files = sourceFiles();
  const isOfConsole = (path: string): boolean => path.startsWith('src/console/');

  it('is nothing of the console, until one is asked for', () => {
    const ofConsole = (command: string): readonly string[] =>
      [...reached(files, `src/cli/${command}.ts`)].filter(isOfConsole);
    const commands = ['serve', 'test', 'status', 'assume', 'check', 'proxy'];
    expect(commands.flatMap(ofConsole)).toEqual([]);
    expect(ofConsole('dev')).toEqual(['src/console/editing/effect.ts']);
    expect(reached(files, 'src/console/console.ts').size).toBeGreaterThan(100);
  });

  it('is the console by the files of two commands alone', () => {
    const loading = files.filter((file) =>
      file.imports.some((one) => isRelative(one) && target(file, one) === 'src/console/console.ts'),
    );
    const outside = loading.filter(({ path }) => !isOfConsole(path)).map(({ path }) => path);
    expect(outside).toEqual(['src/cli/dev.ts', 'src/cli/dev/console.ts', 'src/cli/serve/console.ts']);
  });
});

describe('the libraries of one command', () => {
  it.each([
    ['@modelcontextprotocol/sdk', ['src/cli/mcp/server.ts']],
    [
      'vscode-languageserver',
      ['answers', 'positions', 'server', 'speak'].map((name) => `src/editor/${name}.ts`),
    ],
  ])('%s is imported where no other command goes', (library, where) => {
    const importing = sourceFiles().filter(({ imports }) =>
      imports.some((one) => one === library || one.startsWith(`${library}/`)),
    );
    expect(importing.map(({ path }) => path)).toEqual(where);
  });
});

describe('the rules themselves, on planted faults', () => {
  const file = (path: string, imports: readonly string[] = [], lines = 1): SourceFile => ({
    path,
    imports,
    atOnce: imports,
    lines,
  });

  it('finds every form of import, and none in a comment or in prose', () => {
    expect(
      importsOf(
        [
          "import './effect.ts';",
          "import one from './default.ts';",
          "import type { T } from './type.ts';",
          'import {',
          '  a,',
          '  type B,',
          '} from "./several-lines.ts";',
          "import * as all from './namespace.ts';",
          "export * from './star.ts';",
          "export { c } from './named.ts';",
          "export type { D } from './exported-type.ts';",
          "const late = await import('./dynamic.ts');",
          "type E = import('./type-query.ts').E;",
          "export const from = 'here';",
          'export { late };',
          "const text = `from './prose.ts'`;",
          "// import('./comment.ts')",
          " * import('./docstring.ts')",
        ].join('\n'),
      ),
    ).toEqual([
      './effect.ts',
      './default.ts',
      './type.ts',
      './several-lines.ts',
      './namespace.ts',
      './star.ts',
      './named.ts',
      './exported-type.ts',
      './dynamic.ts',
      './type-query.ts',
    ]);
  });

  it('sees an import from a folder that comes later, and a folder without a place', () => {
    expect(
      folderOrderFaults([
        file('src/specification/reading/text.ts', ['../vocabulary/shape.ts', './reading.ts']),
        file('src/specification/vocabulary/parts/limits.ts', ['../../reading/reading.ts', '../../read.ts']),
        file('src/specification/drawers/socks.ts'),
        file('src/specification/read.ts', ['./rules/rules.ts']),
      ]),
    ).toEqual([
      'src/specification/reading/text.ts: imports src/specification/vocabulary/shape.ts, which is above it',
      'src/specification/vocabulary/parts/limits.ts: imports src/specification/read.ts, which is above it',
      'src/specification/drawers/socks.ts: its folder is not in the order of specification',
    ]);
  });

  it('sees an import that goes up, across or out, and allows one that goes down', () => {
    expect(
      floorFaults([
        file('src/source/text.ts', ['../specification/model.ts']),
        file('src/specification/model.ts', [
          '../source/text.ts',
          '../expression/parse.ts',
          './parts/errors.ts',
        ]),
        file('src/expression/parse.ts', ['../specification/model.ts']),
        file('src/report/open.ts', ['../service/run.ts', '../source/text.ts', 'yaml', 'node:fs']),
        file('src/service/parts/errors.ts', ['../../cli/main.ts', '../../index.ts', '../../../test/x.ts']),
        file('src/cli/main.ts', ['../report/open.ts', '../console/console.ts']),
        file('src/console/console.ts', ['../load/document.ts', '../cli/dev.ts']),
        file('src/index.ts', ['./service/run.ts', './source/text.ts', './cli/main.ts']),
        file('src/elsewhere/a.ts'),
        file('src/loose.ts'),
      ]),
    ).toEqual([
      'src/source/text.ts: imports src/specification/model.ts, which is not on a floor below',
      'src/expression/parse.ts: imports src/specification/model.ts, which is not on a floor below',
      'src/report/open.ts: imports src/service/run.ts, which is not on a floor below',
      'src/service/parts/errors.ts: imports src/cli/main.ts, which is not on a floor below',
      'src/service/parts/errors.ts: imports src/index.ts, which is not on a floor below',
      'src/service/parts/errors.ts: imports test/x.ts, which is not on a floor below',
      'src/console/console.ts: imports src/cli/dev.ts, which is not on a floor below',
      'src/index.ts: imports src/cli/main.ts, which is not on a floor below',
      'src/elsewhere/a.ts: is on no floor',
      'src/loose.ts: is on no floor',
    ]);
  });

  it('sees the tester that imports the service', () => {
    expect(
      independenceFaults([
        file('src/conformance/run.ts', ['../specification/model.ts']),
        file('src/conformance/parts/limits.ts', ['../../service/parts/limits.ts']),
      ]),
    ).toEqual(['src/conformance/parts/limits.ts: the tester imports src/service/parts/limits.ts']);
  });

  it('sees a cycle, with all its files', () => {
    expect(
      cycleFaults([
        file('src/source/a.ts', ['./b.ts', './d.ts']),
        file('src/source/b.ts', ['./c.ts']),
        file('src/source/c.ts', ['./b.ts', './d.ts']),
        file('src/source/d.ts'),
        file('src/source/e.ts', ['./e.ts']),
      ]),
    ).toEqual([
      'cycle: src/source/b.ts → src/source/c.ts → src/source/b.ts',
      'cycle: src/source/e.ts → src/source/e.ts',
    ]);
  });

  it('sees a room that is missing, and one too many', () => {
    const nine = ROOMS.flatMap((room) => PARTS.map((part) => file(`${room}/${part}.ts`)));
    expect(roomFaults(nine)).toEqual([]);
    expect(
      roomFaults([
        ...nine.filter((one) => one.path !== 'src/specification/rules/parts/limits.ts'),
        file('src/specification/rules/parts/rates.ts'),
        file('src/specification/rules/parts/errors/order.ts'),
      ]),
    ).toEqual([
      'src/specification/rules/parts/limits.ts: is missing',
      'src/specification/rules/parts/rates.ts: is not one of the nine parts',
      'src/specification/rules/parts/errors/order.ts: is not one of the nine parts',
    ]);
  });

  it('sees an import that names no file', () => {
    expect(
      importPathFaults([
        file('src/cli/main.ts', [
          '../service/run.ts',
          'yaml',
          '../service',
          '../report/index.ts',
          './serve.js',
        ]),
      ]),
    ).toEqual([
      "src/cli/main.ts: imports '../service': name the file, with .ts, and no folder's index",
      "src/cli/main.ts: imports '../report/index.ts': name the file, with .ts, and no folder's index",
      "src/cli/main.ts: imports './serve.js': name the file, with .ts, and no folder's index",
    ]);
  });

  it('sees a name that says nothing, of a file or of a folder', () => {
    expect(
      nameFaults([
        file('src/service/utils.ts'),
        file('src/service/core/run.ts'),
        file('src/service/score.ts'),
        file('src/service/commonmark.ts'),
      ]),
    ).toEqual([
      'src/service/utils.ts: its name does not say what it holds',
      'src/service/core/run.ts: its name does not say what it holds',
    ]);
  });

  it('sees a file that is too long', () => {
    expect(sizeFaults([file('src/cli/main.ts', [], 800), file('src/cli/serve.ts', [], 801)])).toEqual([
      'src/cli/serve.ts: has 801 lines, and 800 is the most',
    ]);
  });
});
