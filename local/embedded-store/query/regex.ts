import { CommandError } from "../errors";
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

/** JavaScript's regular expressions stand in for PCRE; what they cannot say (`x` and inline options) is refused. */
function toRegExp(operand: unknown, options: unknown): RegExp {
  const pattern = isRegex(operand) ? operand.pattern : operand;
  const flags = options ?? (isRegex(operand) ? operand.options : "");
  if (typeof pattern !== "string" || typeof flags !== "string") {
    throw new CommandError("BadValue", "$regex has to be a string, and so have $options");
  }
  const refused = [...flags].find((flag) => !"imsu".includes(flag));
  if (refused !== undefined) throw new CommandError("BadValue", `invalid flag in regex options: ${refused}`);
  const unique = [...new Set(flags.replace("u", ""))].join("");
  const expression = tryRegExp(pattern, `${unique}u`) ?? tryRegExp(pattern, unique);
  if (expression === undefined) throw new CommandError(51_091, `Regular expression is invalid: ${pattern}`);
  return expression;
}

/** Unicode mode refuses harmless escapes such as `\-`, so a pattern may need the plain mode. */
function tryRegExp(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
