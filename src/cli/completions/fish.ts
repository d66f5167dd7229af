import type { Completed, CompletedOption, Values } from './completed.ts';

/** A script for fish (complete(1)). */
export function fish(commands: readonly Completed[]): string {
  return `# completions of tacet for fish; put this into ~/.config/fish/config.fish:
#   tacet completions fish | source

function __tacet_command
    set -l before (commandline -opc)
    test (count $before) -gt 1; and test "$before[2]" = "$argv[1]"
end

function __tacet_documents
    set -l current (commandline -ct)
    for found in $current*/ $current*.{md,markdown,yaml,yml,json}
        echo $found
    end
end

complete -c tacet -f
${commands.map(({ name, summary }) => `complete -c tacet -n 'test (count (commandline -opc)) -eq 1' -a ${quoted(name)} -d ${quoted(summary)}\n`).join('')}${commands.map(branch).join('')}`;
}

function branch({ name, options, positionals }: Completed): string {
  const here = `complete -c tacet -n '__tacet_command ${name}'`;
  const argument = positionals === 'anything' ? '' : `${here} ${action(positionals)}\n`;
  return `${argument}${options.map((one) => `${here} ${option(one)}\n`).join('')}`;
}

function option({ name, description, values }: CompletedOption): string {
  const value =
    values === null
      ? ''
      : values === 'anything'
        ? ' -x'
        : ` ${values === 'file' ? '-r' : '-x'} ${action(values)}`;
  return `-l ${name} -d ${quoted(description)}${value}`;
}

function action(values: Values): string {
  if (values === 'document') return "-a '(__tacet_documents)'";
  if (values === 'file') return '-F';
  return `-a ${quoted(values === 'anything' ? '' : values.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
