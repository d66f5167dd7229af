import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { greeting } from '../../../src/cli/serve/greeting.ts';
import { type ServiceOptions, serve } from '../../../src/service/service.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { read } from '../../../src/specification/read.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import { dataFile } from '../../service/places.ts';

const root = new URL('../../../', import.meta.url).pathname;

/** The documents of a folder, and of those within it. */
const documents = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|yaml)$/.test(name))
    .map((name) => join(folder, name));

/** The words of a line, as a shell reads them. */
const words = (line: string): string[] =>
  [...line.matchAll(/(?:\\'|'[^']*'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/\\(')|'([^']*)'/g, (_, quote: string | undefined, text: string) => quote ?? text),
  );

/** What an operator gives: a credential of each scheme, a duration for each timer, and a broker, where the document leaves them to the operator. */
function given(of: Specification): Partial<ServiceOptions> {
  const schemes = [...(stated(stated(of.authentication)?.schemes) ?? [])].map(([name, said]) => {
    const scheme = stated(said);
    const credentials = scheme && stated(scheme.credentials);
    const isShared =
      credentials?.kind === 'foreign' &&
      stated(credentials.algorithms)?.some((one) => `${one}`.startsWith('HS'));
    const shared = { shared: 'a key of thirty-two characters, at least' };
    return [name, credentials?.kind === 'operator' ? { ann: 'a secret' } : isShared ? shared : null] as const;
  });
  const timers = [...(stated(of.states) ?? [])].flatMap(([machine, said]) =>
    [...(stated(stated(said)?.transitions) ?? [])].flatMap(([name, move]) =>
      stated(stated(move)?.after)?.kind === 'operator' ? [[`${machine.split('.')[0]}.${name}`, 'P1D']] : [],
    ),
  );
  const ways = [...(stated(stated(of.events)?.delivery) ?? [])].flatMap(([name, said]) =>
    stated(said)?.kind === 'broker' ? [[name, 'nats://127.0.0.1:1']] : [],
  );
  return {
    deliver: Object.fromEntries(ways),
    credentials: Object.fromEntries(schemes.flatMap(([name, held]) => (held ? [[name, held]] : []))),
    after: Object.fromEntries(timers),
  };
}

/** What the greeting offers to try, and the status of that; null: it offers nothing. */
async function tried(file: string): Promise<{ readonly line: string; readonly status: number } | null> {
  const { specification, diagnostics } = read(file, readFileSync(join(root, file), 'utf8'));
  if (diagnostics.some(({ severity }) => severity === 'error')) return null;
  const data = dataFile();
  const service = await serve(specification, { data, ...given(specification) });
  onTestFinished(() => service.close());
  const terminal = { colours: false, environment: {} } as never;
  const said = greeting(specification, service, data, terminal);
  const line = /^try: +(curl .*)$/m.exec(said)?.[1];
  if (line === undefined) return null;
  const [, ...args] = words(line);
  const { method, url, headers, body } = requestOf(args);
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  await answer.body?.cancel();
  return { line: line.replace(/127\.0\.0\.1:\d+/, 'HOST'), status: answer.status };
}

function requestOf(args: readonly string[]) {
  const headers: [string, string][] = [];
  let [method, body, url]: (string | undefined)[] = [];
  for (const [index, word] of args.entries()) {
    const before = args[index - 1];
    if (before === '-X') method = word;
    else if (before === '-H') headers.push(word.split(': ', 2) as [string, string]);
    else if (before === '-d') body = word;
    else if (word.startsWith('http')) url = word;
  }
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url: url as string, headers, body };
}

describe('the request that the greeting offers to try', () => {
  it.each(documents('examples'))('succeeds, or is not there: %s', async (file) => {
    const found = await tried(file);
    expect(found === null || found.status < 300, JSON.stringify(found)).toBe(true);
  });

  it.each(documents('test/documents'))('succeeds, or is not there: %s', async (file) => {
    const found = await tried(file);
    expect(found === null || found.status < 300, JSON.stringify(found)).toBe(true);
  });

  it('is there for the to-do list, and can be repeated', async () => {
    expect(await tried('examples/todo.md')).toEqual({
      line: `curl -i -H 'Content-Type: application/json' -d '{"title":"my first title"}' http://HOST/`,
      status: 201,
    });
  });

  it('is spelled as a shell reads it', () => {
    expect(words(String.raw`curl -d '{"a":"it'\''s"}' x`)).toEqual(['curl', '-d', `{"a":"it's"}`, 'x']);
    const { stdout } = spawnSync('sh', ['-c', String.raw`printf '%s' '{"a":"it'\''s"}'`]);
    expect(stdout.toString()).toBe(`{"a":"it's"}`);
  });
});
