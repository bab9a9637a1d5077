import { type CommandRow, type Given, shown } from "../command.ts";
import { Usage } from "../failures.ts";

/** What may follow some words: the next words of commands, and the options of a command that is whole. */
export function completionsOf(rows: readonly CommandRow[], words: readonly string[]): readonly string[] {
  const plain = words.filter((word) => !word.startsWith("-"));
  const row = rows.findLast(({ words: own }) => own.split(" ").every((word, at) => plain[at] === word));
  const next = rows.flatMap(({ words: own }) => {
    const path = own.split(" ");
    const isBelow = path.length > plain.length && plain.every((word, at) => path[at] === word);
    return isBelow ? [path[plain.length] ?? ""] : [];
  });
  const options = row === undefined ? [] : (row.options ?? []).map(({ flags }) => flags.split(" ")[0] ?? "");
  return [...new Set([...next, ...options, ...(row === undefined ? [] : ["--json", "--profile", "--help"])])];
}

const bash = `_corridor() {
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") offered
  offered=$("\${COMP_WORDS[0]}" __complete -- "\${before[@]}" 2>/dev/null) || return
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
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

/** Commands about commands. */
export const completionCommands = (rows: readonly CommandRow[]): readonly CommandRow[] => [
  {
    words: "completion",
    does: "Print the completion of a shell, for its start file.",
    args: [{ name: "shell", does: "bash or zsh" }],
    example: "completion bash > ~/.local/share/bash-completion/completions/corridor",
    run({ words, context }) {
      const script = { bash, zsh }[words["shell"] ?? ""];
      if (script === undefined) throw new Usage("the shells are bash and zsh");
      context.out.print(script.trimEnd());
      return Promise.resolve(shown);
    },
  },
  {
    words: "__complete",
    does: "What may follow some words; the completion of shells asks it.",
    args: [{ name: "words", does: "what was typed so far", isOptional: true, isMany: true }],
    example: "__complete -- payments",
    run({ many, context }: Given) {
      for (const word of completionsOf(rows, many)) context.out.print(word);
      return Promise.resolve(shown);
    },
  },
];
