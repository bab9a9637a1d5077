/** How many rows a page of a list for operators has. */
export const pageLimit = { min: 1, max: 200, fallback: 50 } as const;

/** The parameters by which operators go through a list. */
export const pageQuery = {
  after: { description: "`next` of the page before.", schema: { type: "string" } },
  limit: {
    description: "How many at most.",
    schema: { type: "integer", minimum: pageLimit.min, maximum: pageLimit.max, default: pageLimit.fallback },
  },
};
