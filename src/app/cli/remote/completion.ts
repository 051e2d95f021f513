// Shell completion for bash and zsh, generated from the command definitions.
import type { Command } from 'commander';

type Words = ReadonlyMap<string, readonly string[]>;

/**
 * What may follow each command: the key `''` is the program, `bills` holds its subcommands, and options
 * follow everywhere.
 */
export function wordsOf(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const add = (command: Command, path: string): void => {
    const options = command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []));
    words.set(path, [...command.commands.map((each) => each.name()), ...options, '--help']);
    for (const each of command.commands) add(each, path === '' ? each.name() : `${path} ${each.name()}`);
  };
  add(program, '');
  return words;
}

// Words consist of letters, digits and dashes, so nothing in them can end the quotes.
const bashCases = (words: Words): string =>
  [...words]
    .filter(([path]) => path !== '')
    .map(([path, next]) => `    '${path}') words='${next.join(' ')}';;`)
    .join('\n');

const bash = (words: Words): string => `# bash completion of skytally:  source <(skytally completion bash)
_skytally() {
  # In zsh "path" is PATH, and a place is a number only where it is said to be one.
  local current="\${COMP_WORDS[COMP_CWORD]}" way='' words='${(words.get('') ?? []).join(' ')}' word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$word" in -*) continue;; esac
    case "\${way:+$way }$word" in
${[...words.keys()]
  .filter((path) => path !== '')
  .map((path) => `      '${path}') way='${path}';;`)
  .join('\n')}
    esac
  done
  case "$way" in
${bashCases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Where no word fits, a file may: bash completes those by itself.
}
complete -o bashdefault -o default -F _skytally skytally
`;

const zsh = (words: Words): string => `#compdef skytally
# zsh completion of skytally:  source <(skytally completion zsh)
autoload -U +X compinit && compinit -u
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`;

export const shells = ['bash', 'zsh'] as const;

/** The script with which a shell completes the program's arguments. */
export function completionOf(shell: (typeof shells)[number], program: Command): string {
  return shell === 'bash' ? bash(wordsOf(program)) : zsh(wordsOf(program));
}
