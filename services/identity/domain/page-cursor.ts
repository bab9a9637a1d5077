import { type DomainError, invalid } from "../../shared/kernel/errors";

/** The refusal of a cursor that no page has given: to begin anew would show a caller the same rows endlessly. */
export const noCursor = (): DomainError =>
  invalid([{ field: "after", message: "must be the `next` of the page before" }]);
