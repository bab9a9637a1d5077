import { type DomainError, invalid } from "../../shared/kernel/errors";

/** The refusal of a cursor that no page has returned: starting again from the beginning would show a caller the same rows endlessly. */
export const noCursor = (): DomainError =>
  invalid([{ field: "after", message: "must be the `next` of the page before" }]);
