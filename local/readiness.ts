import { connect } from "node:net";
import { request } from "undici";

/** True when a port accepts connections. Services listen last, so a listening service serves. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** True when the gateway accepts requests and every service behind it is present. */
export const hasAll = (url: string): Promise<boolean> =>
  answers(url, (body) => (JSON.parse(body) as { missing?: readonly string[] }).missing?.length === 0);

/** True when an address answers 200 with a body that is good. */
export async function answers(url: string, isGood = (_body: string) => true): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { headersTimeout: 2_000 });
    const text = await body.text();
    return statusCode === 200 && isGood(text);
  } catch {
    return false;
  }
}
