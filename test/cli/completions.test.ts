import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codes } from '../../src/source/codes.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const folder = temporaryFolder();
for (const name of ['a.md', 'b.yaml', 'c d.json', 'e.txt']) folder.file(name, '');
mkdirSync(join(folder.path, 'f'));
const home = temporaryFolder().path;
const scripts: Record<string, string> = {};
for (const shell of ['bash', 'zsh', 'fish'])
  scripts[shell] = folder.file(`.completions.${shell}`, (await tacet(['completions', shell])).out);

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

function run(shell: string, ...args: string[]): string[] {
  const printed = execFileSync(shell, args, {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, TERM: 'dumb' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
  });
  return printed.split('\n').filter((line) => line !== '');
}

/** What each shell offers for the last of these words, in its own order. */
const offers: Record<string, (words: readonly string[]) => string[]> = {
  bash: (words) =>
    run(
      'bash',
      '--norc',
      '-c',
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tacet; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      scripts['bash'] as string,
      // bash takes --option=value for three words.
      ...words.flatMap((word) => word.split(/(=)/).filter((one, index) => one !== '' || index === 0)),
    ),
  zsh: (words) =>
    run('zsh', '-f', '-c', zshProbe, 'zsh', scripts['zsh'] as string, words.join(' ')).map((line) =>
      line.trim(),
    ),
  fish: (words) =>
    run(
      'fish',
      '--no-config',
      '-c',
      'source $argv[1]; complete -C $argv[2]',
      scripts['fish'] as string,
      words.join(' '),
    )
      .map((line) => line.split('\t')[0] as string)
      // fish leaves the option before the value.
      .map((line) => line.replace(/^--[\w-]+=/, '')),
};

/**
 * An interactive zsh in which Tab is pressed once, and every match that is added is written to a file. Its line
 * editor tells when it listens, and a key of its own tells when the completion is over.
 */
const zshProbe = `
zmodload zsh/zpty
found=$HOME/found
: > $found
zpty child "zsh -f -i"
say() { zpty -w child "$1"; }
say "PROMPT= RPROMPT=; unsetopt autolist; autoload -U compinit; compinit -u -D; source $1"
say 'compadd() {
  if (( \${argv[(I)-[OAD]]} )); then builtin compadd "$@"; return; fi
  local -a matches; builtin compadd -O matches "$@"; print -rl -- $matches >> '$found'; builtin compadd "$@"
}'
say "listening() { print LIS''TENING; }; finished() { print FIN''ISHED; }"
say "bindkey '^I' complete-word; zle -N finished; bindkey '^G' finished; zle -N zle-line-init listening"
zpty -r child seen '*LISTENING*'
zpty -w -n child "$2"$'\\t\\a'
zpty -r child seen '*FINISHED*'
zpty -d child
cat $found
`;

describe.each(['bash', 'zsh', 'fish'])('completions in %s', (shell) => {
  const test = it.skipIf(!isThere(shell));
  if (!isThere(shell)) it.skip(`(${shell} is not installed here, so its script is not run)`, () => {});
  const offered = (...words: string[]): string[] =>
    (offers[shell] as (words: readonly string[]) => string[])(words).sort();

  test('offer commands', () => {
    expect(offered('tacet', 'c')).toEqual(['check', 'completions']);
    expect(offered('tacet', 'help', 'se')).toEqual(['serve']);
  });

  test('offer the options that a command has', () => {
    expect(offered('tacet', 'check', '--')).toEqual(['--assume', '--fix', '--format', '--help']);
    expect(offered('tacet', 'serve', 'a.md', '--p')).toEqual(['--port']);
  });

  test('offer the values of an option, joined by = or not', () => {
    const formats = ['concise', 'github', 'json', 'pretty', 'sarif'];
    expect(offered('tacet', 'check', '--format', '')).toEqual(formats);
    expect(offered('tacet', 'check', '--format=')).toEqual(formats);
    expect(offered('tacet', 'diff', '--fail-on', 'c')).toEqual(['change']);
    expect(offered('tacet', 'init', '--example', 'tod')).toEqual(['todo']);
    expect(offered('tacet', 'status', '--part', 's')).toEqual(['service', 'states']);
  });

  test('offer codes to explain', () => {
    expect(offered('tacet', 'explain', 'key-')).toEqual(
      Object.keys(codes)
        .filter((code) => code.startsWith('key-'))
        .sort(),
    );
  });

  test('offer documents and folders, and no other files', () => {
    const found = offered('tacet', 'check', '').map((name) => name.replace(/\/$/, '').replaceAll('\\', ''));
    expect(found).toEqual(['a.md', 'b.yaml', 'c d.json', 'f']);
  });
});

describe('tacet completions', () => {
  it('knows the formats that check knows', async () => {
    const { error } = await tacet(['check', 'x.md', '--format', 'zzzzzzzzzzzz']);
    expect(error).toContain('there are pretty, concise, json, github, sarif');
  });

  it.each([
    [[], 'name the shell: bash, zsh, fish'],
    [['bash', 'zsh'], 'one shell at a time, and zsh is a second one'],
    [['tcsh'], 'there are completions for bash, zsh, fish, and not for tcsh'],
    [['constructor'], 'there are completions for bash, zsh, fish, and not for constructor'],
  ])('refuses %j', async (argv, message) => {
    expect(await tacet(['completions', ...argv])).toEqual({
      code: 2,
      out: '',
      error: `tacet: ${message}\nhelp: tacet completions --help\n`,
    });
  });
});
