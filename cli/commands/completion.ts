import { type CommandRow, type Given, shown } from "../command.ts";
import { Usage } from "../failures.ts";
import { type IdKind, knownIds } from "../known-ids.ts";

/** Candidates: words that are known, and kinds of ids that have to be looked up. */
interface Offer {
  readonly words: readonly string[];
  readonly ids?: IdKind | undefined;
}

type SharedOptions = (row: CommandRow) => readonly (readonly [flags: string, does: string])[];

const nameOf = (flags: string): string => flags.split(" ")[0] ?? "";

/** Returns what may follow some words: the next words of commands; after a complete command, its ids and options. */
export function offerOf(rows: readonly CommandRow[], words: readonly string[], shared: SharedOptions): Offer {
  const plain = words.filter((word) => !word.startsWith("-"));
  const row = rows
    .filter(({ words: own }) => own.split(" ").every((word, at) => plain[at] === word))
    .toSorted((a, b) => b.words.split(" ").length - a.words.split(" ").length)[0];
  const next = rows.flatMap(({ words: own }) => {
    const path = own.split(" ");
    const isBelow = path.length > plain.length && plain.every((word, at) => path[at] === word);
    return isBelow ? [path[plain.length] ?? ""] : [];
  });
  if (row === undefined) return { words: [...new Set(next)] };
  const takesValue = optionsOf(row, shared).find(({ flags }) => flags.includes("<") && nameOf(flags) === words.at(-1));
  if (takesValue !== undefined) return { words: [], ids: takesValue.ids };
  const options = optionsOf(row, shared).map(({ flags }) => nameOf(flags));
  const { args = [] } = row;
  const given = argumentsIn(row, words, shared);
  return { words: [...new Set([...next, ...options, "--help"])], ids: args[given]?.ids };
}

const optionsOf = (row: CommandRow, shared: SharedOptions): readonly { flags: string; ids?: IdKind }[] => [
  ...(row.options ?? []),
  ...shared(row).map(([flags]) => (flags.startsWith("--profile ") ? { flags, ids: "profile" as const } : { flags })),
];

/** Number of arguments so far: words that belong to no command and no option. */
function argumentsIn(row: CommandRow, words: readonly string[], shared: SharedOptions): number {
  const valued = new Set(
    optionsOf(row, shared)
      .filter(({ flags }) => flags.includes("<"))
      .map(({ flags }) => nameOf(flags)),
  );
  const own = words.filter((word, at) => !word.startsWith("-") && !valued.has(words[at - 1] ?? ""));
  return own.length - row.words.split(" ").length;
}

// The script compares words itself: `compgen -W` would expand what it is given.
const bash = `_corridor() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") offered
  COMPREPLY=()
  while IFS= read -r offered; do
    if [[ $offered == "$word"* ]]; then COMPREPLY+=("$offered"); fi
  done < <("\${COMP_WORDS[0]}" __complete -- "\${before[@]}" 2>/dev/null)
}
complete -o default -F _corridor corridor
`;

const zsh = `#compdef corridor
_corridor() {
  local -a offered
  offered=(\${(f)"$(\${words[1]} __complete -- \${words[2,CURRENT-1]} 2>/dev/null)"})
  compadd -a offered
}
compdef _corridor corridor
`;

const fish = `function __corridor_offered
  set -l words (commandline -opc)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c corridor -f -a '(__corridor_offered)'
`;

/** Commands about commands. */
export const completionCommands = (rows: readonly CommandRow[], shared: SharedOptions): readonly CommandRow[] => [
  {
    words: "completion",
    does: "Print the completion of a shell, for its start file: commands, options, and ids of your own lists.",
    args: [{ name: "shell", does: "bash, zsh or fish" }],
    example: "completion bash > ~/.local/share/bash-completion/completions/corridor",
    run({ words, context }) {
      const script = { bash, zsh, fish }[words["shell"] ?? ""];
      if (script === undefined) throw new Usage("the shells are bash, zsh and fish");
      context.out.print(script.trimEnd());
      return Promise.resolve(shown);
    },
  },
  {
    words: "__complete",
    does: "What may follow some words; the completion of shells asks it.",
    args: [{ name: "words", does: "what was typed so far", isOptional: true, isMany: true }],
    example: "__complete -- payments",
    async run({ many, context }: Given) {
      const { words, ids } = offerOf(rows, many, shared);
      // A platform that is away, or has no logged-in user, offers no ids, and prints nothing while a command is typed.
      const found = ids === undefined ? [] : await knownIds(context, ids).catch(() => []);
      for (const word of [...found, ...words]) context.out.print(word);
      return shown;
    },
  },
];
