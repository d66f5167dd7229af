import type { Completed, Values } from './completed.ts';

/** A script for bash, from 3.2 on (Bash Reference Manual §8.6); it needs no other package. */
export function bash(commands: readonly Completed[]): string {
  return `# completions of tacet for bash; put this into ~/.bashrc:
#   source <(tacet completions bash)

_tacet_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

_tacet_files() {
  local IFS=$'\\n' ending
  COMPREPLY=($(compgen -d -- "$current"))
  for ending in "$@"; do COMPREPLY+=($(compgen -f -X "!*$ending" -- "$current")); done
  compopt -o filenames 2>/dev/null
}

_tacet() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # An option and its value are three words where they are joined by =.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    _tacet_words ${words([...commands.map(({ name }) => name), '--help', '--version'])}
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.map(branch).join('')}  esac
}

complete -F _tacet tacet
`;
}

function branch({ name, options, positionals }: Completed): string {
  const valued = options.filter(({ values }) => values !== null);
  const cases = valued.map(
    ({ name: option, values }) => `        --${option}) ${replies(values as Values)} ;;\n`,
  );
  const flags = words(options.map(({ name: option }) => `--${option}`));
  const others = `if [[ $current == -* ]]; then _tacet_words ${flags}; else ${replies(positionals)}; fi`;
  return `    ${name})\n      case $previous in\n${cases.join('')}        *) ${others} ;;\n      esac\n      ;;\n`;
}

function replies(values: Values): string {
  if (values === 'document') return '_tacet_files .md .markdown .yaml .yml .json';
  if (values === 'file') return "_tacet_files ''";
  return values === 'anything' ? ':' : `_tacet_words ${words(values)}`;
}

/** Words for `compgen -W`, one a line, in quotation marks that nothing in them ends. */
function words(values: readonly string[]): string {
  return `$'${values.join('\\n').replaceAll("'", "\\'")}'`;
}
