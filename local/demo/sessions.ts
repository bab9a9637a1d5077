import { request } from "undici";
import { type Answer, type Caller, expect, json } from "./transcript";

const status = ({ json: body }: Answer): string => String(body["status"]);

/** Opens a KYC session, shows a good document on its page, and reads the decision. */
export async function verifyPerson(call: Caller, bearer: Record<string, string>, userRef: string): Promise<void> {
  const post = { method: "POST", headers: { ...bearer, ...json } } as const;
  const opened = await call({
    ...post,
    path: "/v1/sessions",
    body: JSON.stringify({ userRef, documentTypes: ["PASSPORT"] }),
    status: 200,
    say: (answer) => `${status(answer)}, the page is ${String(answer.json["url"])}`,
  });
  await showDocument(String(opened.json["url"]));
  const { sessionId } = opened.json;
  const asked = await call({
    ...post,
    path: "/v1/verifications",
    body: JSON.stringify({ sessionId }),
    status: 202,
    say: status,
  });
  expect(status(asked) === "VERIFIED", "a verified session");
}

/** Acts as the person on the page. */
async function showDocument(url: string): Promise<void> {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const { statusCode, body } = await request(url, { method: "POST", headers: form, body: "outcome=verify" });
  await body.dump();
  expect(statusCode === 200, "a page that takes the document");
}
