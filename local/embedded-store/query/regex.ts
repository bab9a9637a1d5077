import { demand } from "../errors";
import { isRegex } from "../values/bson";
import { equal } from "../values/order";

/** Matches strings by a pattern, and stored regular expressions by equality. */
export function regexTest(operand: unknown, options: unknown): (value: unknown) => boolean {
  const expression = toRegExp(operand, options);
  return (value) => {
    if (typeof value === "string") return expression.test(value);
    return isRegex(value) && isRegex(operand) && equal(value, operand);
  };
}

/** JavaScript's regular expressions stand in for PCRE; features that they lack (`x` and inline options) are refused. */
function toRegExp(operand: unknown, options: unknown): RegExp {
  const pattern = isRegex(operand) ? operand.pattern : operand;
  const flags = options ?? (isRegex(operand) ? operand.options : "");
  const isText = typeof pattern === "string" && typeof flags === "string";
  demand(isText, "BadValue", "$regex has to be a string, and so have $options");
  demand(/^[imsu]*$/.test(flags), "BadValue", `invalid flag in regex options: ${flags}`);
  const unique = [...new Set(flags.replace("u", ""))].join("");
  // Unicode mode refuses harmless escapes such as `\-`, so a pattern may need the plain mode.
  const expression = tryRegExp(pattern, `${unique}u`) ?? tryRegExp(pattern, unique);
  demand(expression !== undefined, 51_091, `Regular expression is invalid: ${pattern}`);
  return expression;
}

function tryRegExp(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
