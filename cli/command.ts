import type { Context } from "./context.ts";
import type { IdKind } from "./known-ids.ts";

/** A word that follows a command. */
export interface Argument {
  readonly name: string;
  readonly does: string;
  readonly isOptional?: boolean;
  /** True for a last one that takes all words that are left. */
  readonly isMany?: boolean;
  /** What its completion offers. */
  readonly ids?: IdKind;
}

/** `--name <value>`, or a switch without a value. */
export interface Option {
  readonly flags: string;
  readonly does: string;
  readonly ids?: IdKind;
}

/** What a command was given. */
export interface Given {
  readonly words: Readonly<Record<string, string>>;
  /** What an argument that takes many was given. */
  readonly many: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly context: Context;
}

/** A command: its words as they are typed, what it takes, and what it does. Help and completion are made of it. */
export interface CommandRow {
  readonly words: string;
  readonly does: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  /** What follows `corridor` in an example. */
  readonly example: string;
  /** True for one that moves money or changes things: it has --dry-run and --yes, and asks before it reaches production. */
  readonly changes?: boolean;
  /** True for one whose answer is a list: it has --jsonl and --csv. */
  readonly isList?: boolean;
  /** Columns of its table, where the first that fit are not the ones that matter. */
  readonly columns?: readonly string[];
  /** Returns what is shown; nothing where it has written by itself. */
  run(given: Given): Promise<unknown>;
}

/** Nothing is left to show. */
export const shown = Symbol("shown");

/** The text of an option; undefined where it was not given. */
export const textOf = ({ options }: Given, name: string): string | undefined => {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
};

/** The word of an argument that commander has asked for. */
export const wordOf = ({ words }: Given, name: string): string => words[name] ?? "";

/** Options that were given, as a query or a body takes them. */
export const givenTexts = (given: Given, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(given, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
