import type { Context } from "./context.ts";
import type { IdKind } from "./known-ids.ts";

/** A word that follows a command. */
export interface Argument {
  readonly name: string;
  readonly does: string;
  readonly isOptional?: boolean;
  /** True for a last argument that takes all remaining words. */
  readonly isMany?: boolean;
  /** Ids that its completion offers. */
  readonly ids?: IdKind;
}

/** `--name <value>`, or a switch without a value. */
export interface Option {
  readonly flags: string;
  readonly does: string;
  readonly ids?: IdKind;
}

/** Input of a command. */
export interface Given {
  readonly words: Readonly<Record<string, string>>;
  /** The values of an argument that takes many. */
  readonly many: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly context: Context;
}

/** A command: its words as they are typed, its input, and its action. Help and completion are made from it. */
export interface CommandRow {
  readonly words: string;
  readonly does: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  /** The words after `corridor` in an example. */
  readonly example: string;
  /** True for a command that moves money or changes things: it has --dry-run and --yes, and asks before it reaches production. */
  readonly changes?: boolean;
  /** True for a command that answers with a list: it has --jsonl and --csv. */
  readonly isList?: boolean;
  /** Columns of its table, if the first that fit are not the important ones. */
  readonly columns?: readonly string[];
  /** Returns what is shown; nothing if it has written by itself. */
  run(given: Given): Promise<unknown>;
}

/** There is nothing to show. */
export const shown = Symbol("shown");

/** Returns the text of an option; undefined if it was not given. */
export const textOf = ({ options }: Given, name: string): string | undefined => {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
};

/** Returns the word of an argument that commander requires. */
export const wordOf = ({ words }: Given, name: string): string => words[name] ?? "";

/** Returns the given options in the form for a query or a body. */
export const givenTexts = (given: Given, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(given, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
