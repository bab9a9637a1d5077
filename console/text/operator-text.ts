import { operatorText as english, type OperatorWords } from "./en-operator";
import { wordsOf } from "./words-of";

/** What operators alone see. It comes with the first of their pages, so nobody else waits for it. */
export const operatorText: OperatorWords = await wordsOf(english, {
  de: () => import("./de-operator"),
  pt: () => import("./pt-operator"),
});
