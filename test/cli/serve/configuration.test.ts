import { describe, expect, it } from 'vitest';
import { configured, secretIn } from '../../../src/cli/serve/configuration.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();

const options = {
  port: { type: 'string' },
  data: { type: 'string' },
  store: { type: 'string' },
  deliver: { type: 'string', multiple: true },
  explain: { type: 'boolean' },
  'max-body': { type: 'string' },
  credentials: { type: 'string' },
  config: { type: 'string' },
} as const;

const valuesOf = (
  values: Readonly<Record<string, string | boolean>>,
  environment: Readonly<Record<string, string>> = {},
) => configured({ values, positionals: [] }, options, environment).values;

describe('the configuration of a service', () => {
  it('comes from the environment, where the command line gives none', () => {
    const environment = { TACET_PORT: '9', TACET_MAX_BODY: '1MiB', TACET_EXPLAIN: 'true' };
    expect(valuesOf({}, environment)).toEqual({ port: '9', 'max-body': '1MiB', explain: true });
    expect(valuesOf({ port: '8' }, environment)).toEqual({ port: '8', 'max-body': '1MiB', explain: true });
  });

  it('comes from a file last', () => {
    const config = file('tacet.yaml', 'port: 7\nmax-body: 2MiB\ndeliver: { hooks: "https://a.example/" }\n');
    expect(valuesOf({ config }, { TACET_PORT: '9' })).toEqual({
      config,
      port: '9',
      'max-body': '2MiB',
      deliver: ['hooks=https://a.example/'],
    });
    expect(valuesOf({}, { TACET_CONFIG: config })).toMatchObject({ port: '7' });
  });

  it('takes a list from the environment with spaces between', () => {
    expect(valuesOf({}, { TACET_DELIVER: 'a=https://a.example b=https://b.example' })).toEqual({
      deliver: ['a=https://a.example', 'b=https://b.example'],
    });
  });

  it('is not contradicted by an alternative that comes later', () => {
    expect(valuesOf({ data: 'a.sqlite' }, { TACET_STORE: 'postgres://b' })).toEqual({ data: 'a.sqlite' });
  });

  it('leaves to TACET_CREDENTIALS what it holds: the credentials themselves', () => {
    expect(valuesOf({}, { TACET_CREDENTIALS: '{}' })).toEqual({});
  });

  it.each([
    ['prot: 8', 'there is no option prot; did you mean port?'],
    ['explain: 3', 'explain: true or false is wanted'],
    ['port: [1]', 'port: a text or a number is wanted'],
    ['deliver: 3', 'deliver: a list, or names with values, is wanted'],
    ['- port', 'holds no options: lines as "port: 8080" are wanted'],
    ['port: "', 'cannot be read'],
  ])('refuses the file %j', (content, message) => {
    expect(() => valuesOf({ config: file('wrong.yaml', content) })).toThrow(message);
  });

  it('refuses a file that is not there', async () => {
    expect(await tacet(['serve', 'todo.md', '--config', `${folder}/none.yaml`])).toMatchObject({
      code: 2,
      error: expect.stringContaining('none.yaml cannot be read'),
    });
  });

  it('is what tacet serve takes', async () => {
    const document = file('empty.yaml', 'name: Empty\n');
    expect(await tacet(['serve', document], { environment: { TACET_PORT: 'x' } })).toMatchObject({
      code: 2,
      error: expect.stringContaining('x is no port'),
    });
  });
});

describe('a secret', () => {
  it('stands in a variable, or in a file that another names', () => {
    expect(secretIn({ TACET_SECRET_HOOKS: 'a' }, 'TACET_SECRET_HOOKS')).toBe('a');
    expect(secretIn({ TACET_SECRET_HOOKS_FILE: file('hooks', 'b\n') }, 'TACET_SECRET_HOOKS')).toBe('b');
    expect(secretIn({}, 'TACET_SECRET_HOOKS')).toBeUndefined();
  });

  it('is refused where both are given, or the file is not there', () => {
    const both = { TACET_SECRET_A: 'a', TACET_SECRET_A_FILE: file('a', 'a') };
    expect(() => secretIn(both, 'TACET_SECRET_A')).toThrow('TACET_SECRET_A and TACET_SECRET_A_FILE give two');
    expect(() => secretIn({ TACET_SECRET_A_FILE: `${folder}/none` }, 'TACET_SECRET_A')).toThrow(
      'TACET_SECRET_A_FILE: ENOENT',
    );
  });
});
