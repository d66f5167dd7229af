import type { Completed, CompletedOption, Values } from './completed.ts';

/** A script for zsh with its completion system (zshcompsys(1)). */
export function zsh(commands: readonly Completed[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`);
  return `#compdef tacet
# completions of tacet for zsh; put this into ~/.zshrc, after compinit:
#   source <(tacet completions zsh)

_tacet() {
  local -a commands
  commands=(
${described.join('')}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT -= 1))
  case $command in
${commands.map(branch).join('')}  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _tacet "$@"
else
  compdef _tacet tacet
fi
`;
}

function branch({ name, options, positionals }: Completed): string {
  const specs = [
    ...options.map(option),
    `*:${name === 'help' ? 'command' : 'argument'}:${action(positionals)}`,
  ];
  return `    ${name})\n      _arguments ${specs.map(quoted).join(' \\\n        ')}\n      ;;\n`;
}

function option({ name, description, values, isRepeatable }: CompletedOption): string {
  const about = `[${description.replace(/[\\[\]:]/g, '\\$&')}]`;
  const value = values === null ? about : `=${about}:${name}:${action(values)}`;
  return `${isRepeatable ? '*' : ''}--${name}${value}`;
}

function action(values: Values): string {
  if (values === 'document') return '_files -g "*.(md|markdown|yaml|yml|json)(-.)"';
  if (values === 'file') return '_files';
  return values === 'anything' ? ' ' : `(${values.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
