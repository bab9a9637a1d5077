import { BegunStep, type CommandCaseRequest, FactKind } from "../../proto/gen/corridor/payment/v1/case_service";
import type { FieldViolation } from "../../services/shared/kernel/errors";
import { currencyDigits, exactMinor, parseDecimal } from "../../services/shared/kernel/money";
import type { caseCommand } from "../contract/case-commands";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";

type Command = Infer<typeof caseCommand>;
type Amount = NonNullable<Extract<Command, { command: "beginStep" }>["amount"]>;

/** Returns the command in the form that the payment service accepts. */
export function toCommand(body: Command): NonNullable<CommandCaseRequest["command"]> {
  switch (body.command) {
    case "settleStep": {
      const { kind, amount, movementId = "", paymentId = "" } = body;
      const told = { kind: wireOf(FactKind, kind), amount: amount && toMoney(amount), movementId, paymentId };
      return { $case: body.command, value: told };
    }
    case "askProvider":
      return { $case: body.command, value: { paymentId: body.paymentId ?? "" } };
    case "beginStep": {
      const { step, amount, paymentId = "" } = body;
      return {
        $case: body.command,
        value: { step: wireOf(BegunStep, step), amount: amount && toMoney(amount), paymentId },
      };
    }
    case "postCorrection": {
      const postings = body.postings.map(({ account, currency, total }) => ({
        account,
        currency,
        minor: minorOf({ currency, total }) ?? 0n,
      }));
      return { $case: body.command, value: { postings } };
    }
    case "repointFact":
      return { $case: body.command, value: { paymentId: body.paymentId } };
    case "assign":
      return { $case: body.command, value: { owner: body.owner } };
    case "close":
      return { $case: body.command, value: {} };
  }
}

/** The value of an enum by its name, which the schema has checked. */
function wireOf<T extends string>(wire: Readonly<Record<string, T>>, name: string): T {
  const value = wire[name];
  if (value === undefined) throw new Error(`there is no ${name}`);
  return value;
}

const toMoney = (amount: Amount) => ({ amountMinor: minorOf(amount) ?? 0n, currency: amount.currency });

/** Returns the minor units; undefined for a text with more decimals than its currency has. */
function minorOf({ total, currency }: Amount): bigint | undefined {
  const isNegative = total.startsWith("-");
  const decimal = parseDecimal(isNegative ? total.slice(1) : total);
  const minor = decimal && exactMinor(decimal, currencyDigits(currency) ?? 0);
  return minor === undefined || !isNegative ? minor : -minor;
}

/** Names the amounts that have more decimals than their currencies, and postings of zero. */
export function wrongDigits(body: Draft<Command>): readonly FieldViolation[] {
  // A body that is not a valid command was not checked at all.
  if (body.command === undefined) return [];
  const { amount, postings } = body as { amount?: Draft<Amount>; postings?: readonly (Draft<Amount> | undefined)[] };
  const wrongPostings = (postings ?? []).flatMap((given = {}, index) => {
    const field = `postings.${index}.total`;
    // The service has another name for this field, so the gateway refuses what the service would.
    return isNothing(given) ? [{ field, message: "must not be 0" }] : wrongAmount(field, given);
  });
  return [...(amount === undefined ? [] : wrongAmount("amount.total", amount)), ...wrongPostings];
}

const isNothing = ({ total = "" }: Draft<Amount>): boolean => /^-?[0.]+$/.test(total);

function wrongAmount(field: string, { total, currency }: Draft<Amount>): readonly FieldViolation[] {
  if (total === undefined || currency === undefined || minorOf({ total, currency }) !== undefined) return [];
  return [{ field, message: "must be a decimal text with no more decimals than the currency has" }];
}
