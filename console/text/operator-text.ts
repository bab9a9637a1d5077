import { operatorText as english, type OperatorWords } from "./en-operator";
import { wordsOf } from "./words-of";

/** Texts that only operators see. They are loaded with the first of their pages, so that no other person waits for them. */
export const operatorText: OperatorWords = await wordsOf(english, {
  de: () => import("./de-operator"),
  pt: () => import("./pt-operator"),
});
