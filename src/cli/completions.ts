import { type Command, UsageError } from './command.ts';
import { bash } from './completions/bash.ts';
import { type Completed, completed, type Shell, shells } from './completions/completed.ts';
import { fish } from './completions/fish.ts';
import { zsh } from './completions/zsh.ts';

const scripts: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = { bash, zsh, fish };

/** `tacet completions`: what a shell needs to complete commands, options and their values. */
export const command: Command = {
  name: 'completions',
  summary: 'print a script with which a shell completes what is typed',
  help: `usage: tacet completions bash | zsh | fish

Prints a script that completes commands, options, their values, codes and documents. It is
made of the options that this tacet has; after another version is installed, it is another
script, so let the shell ask for it:

  bash   source <(tacet completions bash)       in ~/.bashrc
  zsh    source <(tacet completions zsh)        in ~/.zshrc, after compinit
  fish   tacet completions fish | source        in ~/.config/fish/config.fish

exit code: 0, 2 wrong use
`,
  options: {},
  run: async ({ positionals: [name, second] }, terminal, every) => {
    const known = shells.join(', ');
    if (name === undefined) throw new UsageError(`name the shell: ${known}`);
    if (second !== undefined) throw new UsageError(`one shell at a time, and ${second} is a second one`);
    const shell = shells.find((one) => one === name);
    if (shell === undefined) throw new UsageError(`there are completions for ${known}, and not for ${name}`);
    terminal.out(scripts[shell](completed(await every())));
    return 0 as const;
  },
};
