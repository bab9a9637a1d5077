import { integer, text } from "../contract/parts";

/** The parameters with which operators page through a list. */
export const pageMembers = {
  after: text("`next` of the page before."),
  limit: { ...integer("How many at most."), minimum: 1, maximum: 200, default: 50 },
} as const;
