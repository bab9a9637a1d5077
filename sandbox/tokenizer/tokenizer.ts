import express, { Router } from "express";
import type { Answer } from "../answer";
import { type Card, type FindCard, findFixedCard, fixedCards } from "../cards";
import type { Environment } from "../environment";
import { fieldsOf, type Problem, text } from "../input";
import { escapeHtml, page } from "../page";
import { openRecordStore } from "../record-store";

/** A card as typed in. Only test numbers are accepted, and no number is stored. */
interface TypedCard {
  number: string;
  expMonth: number;
  expYear: number;
  name: string;
}

export interface Tokenizer {
  /** `POST /card-tokens` for programs and `/tokenizer` for people; neither needs a key, since browsers have none. */
  routes: Router;
  findCard: FindCard;
}

export const tokenizerOperations = ["tokenize"] as const;

/** Test numbers, each behaving as the fixed card whose token repeats the digit. */
export const testNumbers: readonly { number: string; likeCard: string }[] = [
  { number: "4111111111111111", likeCard: "1" },
  { number: "4242424242424242", likeCard: "1" },
  { number: "5555555555554444", likeCard: "2" },
  { number: "4000000000000002", likeCard: "3" },
  { number: "4000000000003220", likeCard: "4" },
  { number: "4000000000000010", likeCard: "5" },
  { number: "4000000000000101", likeCard: "6" },
  { number: "4012888888881881", likeCard: "7" },
  { number: "4000056655665556", likeCard: "8" },
  { number: "4000000000000077", likeCard: "9" },
  { number: "4000000000000259", likeCard: "0" },
];

/** The hosted card tokenizer: makes a token for a test number and drops the number. */
export function startTokenizer({ database, clock, ids, serve }: Environment): Tokenizer {
  const records = openRecordStore<Card>(database, "cards");
  const tokenize = async (card: TypedCard): Promise<Answer> => {
    const like = testNumbers.find(({ number }) => number === card.number)?.likeCard;
    const model = fixedCards.find(({ token }) => token.startsWith(`${like}`));
    if (like === undefined || model === undefined) return { status: 422, body: { error: "not_a_test_card" } };
    const token = ids.uuid();
    await database.write(() => records.save(token, cardOf(card, model)));
    return { status: 201, body: { cardTokenId: token, bin: card.number.slice(0, 6), lastFour: card.number.slice(-4) } };
  };
  const take = async (body: unknown): Promise<Answer> => {
    const { card, problems } = parseCard(body, clock.now().toISOString().slice(0, 7));
    return problems.length > 0 ? { status: 400, body: { error: "invalid_request", fields: problems } } : tokenize(card);
  };
  const routes = Router();
  routes.post("/card-tokens", async (req, res) => {
    await serve(res, { provider: "tokenizer", step: "tokenize", body: req.body }, () => take(req.body));
  });
  routes.get("/tokenizer", (_req, res) => {
    res.send(form);
  });
  routes.post("/tokenizer", express.urlencoded({ extended: false }), async (req, res) => {
    const { status, body } = await take(req.body);
    res.status(status).send(status === 201 ? done(body) : failed);
  });
  return { routes, findCard: (token) => findFixedCard(token) ?? records.find(token.toLowerCase()) };
}

/** An issuer compares the name of a named card where the model's network compares names at all. */
function cardOf(
  { number, name }: TypedCard,
  { token: _token, effect: _effect, ...model }: (typeof fixedCards)[number],
): Card {
  const isCompared = name !== "" && model.nameResult === "APPROVED";
  return {
    ...model,
    bin: number.slice(0, 6),
    binNumber: number.slice(0, 8),
    lastFour: number.slice(-4),
    ...(isCompared ? { nameResult: "COMPARE", holderName: name } : {}),
  };
}

function parseCard(body: unknown, thisMonth: string): { card: TypedCard; problems: Problem[] } {
  const { value, check, problems } = fieldsOf(body);
  const number = text(value["number"]).replaceAll(/[ -]/g, "");
  const whole = (field: string): number => {
    const found = value[field];
    return typeof found === "number" ? found : Number.parseInt(text(found), 10);
  };
  const card: TypedCard = {
    number,
    expMonth: whole("expMonth"),
    expYear: whole("expYear"),
    name: text(value["name"]).trim(),
  };
  check(/^\d{13,19}$/.test(number), "number", "must be a card number");
  check(card.expMonth >= 1 && card.expMonth <= 12, "expMonth", "must be a month, 1 to 12");
  check(card.expYear >= 2000 && card.expYear <= 2999, "expYear", "must be a year of four digits");
  check(card.name.length <= 70, "name", "must be at most 70 characters");
  const expires = `${card.expYear}-${String(card.expMonth).padStart(2, "0")}`;
  check(problems.length > 0 || expires >= thisMonth, "expYear", "is over");
  return { card, problems };
}

const title = "Enter your card";

const form = page(
  title,
  `<form method="post" action="/tokenizer">
      <label>Card number <input name="number" autocomplete="off" required></label>
      <label>Month <input name="expMonth" type="number" min="1" max="12" required></label>
      <label>Year <input name="expYear" type="number" min="2000" max="2999" required></label>
      <label>Name on the card <input name="name" maxlength="70"></label>
      <button>Continue</button>
    </form>
    <p>Test numbers only; <a href="/values">/values</a> lists them.</p>`,
);

const done = (body: object): string =>
  page(
    title,
    `<p>Your card token: <code id="cardTokenId">${escapeHtml(text(fieldsOf(body).value["cardTokenId"]))}</code></p>`,
  );

const failed = page(title, "<p>That is no test card, or it has expired.</p>");
