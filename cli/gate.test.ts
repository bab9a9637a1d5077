import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import type { Outgoing } from "../sdk/src/main.ts";
import { makeAsk } from "./ask.ts";
import { makeGate, WouldSend } from "./gate.ts";
import { type Format, makeOutput } from "./output.ts";

const request = (operation: string): Outgoing => ({
  operation,
  url: "https://api.example.com/v2/payment",
  credential: "bearer",
  headers: {},
  body: "{}",
});
const pay = request("POST /v2/payment");

interface Given {
  changes?: boolean;
  isDryRun?: boolean;
  isSure?: boolean;
  answer?: string;
  format?: Format;
}

function gateOf({ changes = true, isDryRun = false, isSure = false, answer, format = "text" }: Given) {
  const asked: string[] = [];
  const out = makeOutput(
    format,
    () => {},
    () => {},
  );
  const ask = (question: string): Promise<string | undefined> => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return { asked, ...makeGate({ command: "payments create", changes, isDryRun, isSure, out, ask }) };
}

describe("the gate before every request", () => {
  it("stops in a dry run what changes something, whatever else was said, and lets questions through", async () => {
    const gate = gateOf({ isDryRun: true, isSure: true });
    await expect(gate.pass(pay, false)).rejects.toThrow(WouldSend);
    for (const harmless of ["GET /v2/payments", "POST /v2/payment/validate", "POST /oauth/token"]) {
      await gate.pass(request(harmless), true);
    }
  });

  it("asks once before production is changed, and takes nothing but a yes for one", async () => {
    const sure = gateOf({ answer: "Y" });
    await sure.pass(pay, true);
    await sure.pass(pay, true);
    expect(sure.asked).toEqual([expect.stringContaining("https://api.example.com (POST /v2/payment). Go on? [y/N]")]);
    for (const answer of ["", "n", "yesterday", "ja"]) {
      await expect(gateOf({ answer }).pass(pay, true)).rejects.toThrow("nothing was sent");
    }
    await expect(gateOf({}).pass(pay, true)).rejects.toThrow("add --yes");
    await gateOf({ isSure: true }).pass(pay, true);
    await gateOf({}).pass(pay, false);
    await gateOf({}).pass(request("GET /v2/payments"), true);
  });

  it("lets no command change something that has not said so, nor in a form that cannot show the answer", async () => {
    await expect(gateOf({ changes: false, isSure: true }).pass(pay, false)).rejects.toThrow("does not say");
    for (const format of ["csv", "jsonl"] as const) {
      await expect(gateOf({ isSure: true, format }).pass(pay, false)).rejects.toThrow("for lists");
    }
  });
});

describe("a question", () => {
  const typed = (isTTY: boolean, text?: string): { answer: Promise<string | undefined>; shown: () => string } => {
    const stdin = Object.assign(new PassThrough(), { isTTY });
    const prompt = new PassThrough();
    const answer = makeAsk(stdin as unknown as ReadStream, prompt)("Go on? ");
    stdin.end(text);
    return { answer, shown: () => String(prompt.read() ?? "") };
  };

  it("is asked on a terminal, and an end of the input is no yes", async () => {
    const yes = typed(true, "y\n");
    expect([await yes.answer, yes.shown()]).toEqual(["y", "Go on? "]);
    expect(await typed(true).answer).toBe("");
  });

  it("is not asked where there is no terminal", async () => {
    const piped = typed(false, "y\n");
    expect([await piped.answer, piped.shown()]).toEqual([undefined, ""]);
  });
});
