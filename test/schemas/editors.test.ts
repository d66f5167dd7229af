import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { tacet, temporaryFolder } from '../cli/terminal.ts';
import { file } from './documents.ts';

const page = file('docs/editors.md');
/** The blocks whose fences name exactly this. */
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, text]) =>
    of === language ? [text as string] : [],
  );

interface Matcher {
  readonly regexp: string;
  readonly [group: string]: string | number;
}

interface Task {
  readonly problemMatcher: { readonly pattern: Matcher };
}

const [task] = blocks('json task').map((block) => JSON.parse(block) as { tasks: readonly [Task] });

const { file: put } = temporaryFolder();

describe('docs/editors.md', () => {
  it('names schemas that the package carries', () => {
    const { exports, files } = JSON.parse(file('package.json')) as { exports: object; files: string[] };
    expect(exports).toHaveProperty(['./schemas/*'], './schemas/*');
    expect(files).toContain('schemas');
    const named = [...page.matchAll(/schemas\/([a-z0-9.-]+\.schema\.json)/g)].map(
      (match) => match[1] as string,
    );
    expect(new Set(named)).toEqual(
      new Set(['specification.schema.json', 'specification.draft-07.schema.json']),
    );
    for (const name of named) expect(existsSync(`schemas/${name}`)).toBe(true);
  });

  it('shows settings that are JSON, and a document without a fault', () => {
    expect(blocks('json settings').map((block) => Object.keys(JSON.parse(block) as object))).toEqual([
      ['yaml.schemas'],
      ['json.schemas'],
    ]);
    expect(blocks('yaml').map((block) => read('x.yaml', block).diagnostics)).toEqual([[]]);
  });

  it('gives the form of a finding, by which an editor shows it in its place', async () => {
    const service = put('service.md', '# Notes\n\n## Resources\n\n```yaml\nNote:\n  identifer: id\n```\n');
    const { out } = await tacet(['check', service, '--format', 'concise']);
    const pattern = task?.tasks[0].problemMatcher.pattern as Matcher;
    const found = new RegExp(pattern.regexp).exec(out.trim()) ?? [];
    const group = (name: string): string | undefined => found[pattern[name] as number];
    expect(['file', 'line', 'column', 'severity', 'code', 'message'].map(group)).toEqual([
      service,
      '7',
      '3',
      'error',
      'unknown-key',
      'resources.Note has no key identifer',
    ]);
  });
});
