import { fetch, type Response } from "undici";
import { beginningOfTime, plusMs } from "../../../shared/kernel/clock";

const fetchMs = 120_000;
const mostRedirects = 5;

/** The bytes of a list, and the time of their creation if the content itself does not give it. */
export interface Fetched {
  bytes: Buffer;
  at: Date;
}

/**
 * Reads the content at an https address. Follows redirects to https only. Throws when the content exceeds the bound, or when it is not
 * certain that all of it has arrived.
 */
export async function fetchUrl(address: string, mostBytes: number): Promise<Fetched> {
  const signal = AbortSignal.timeout(fetchMs);
  let url = new URL(address);
  for (let count = 0; count <= mostRedirects; count += 1) {
    if (url.protocol !== "https:") throw new Error(`${address} leads to an address that is not https`);
    // Not compressed: the received part of a truncated compressed body could be decompressed as if it were complete.
    const response = await fetch(url, { signal, redirect: "manual", headers: { "accept-encoding": "identity" } });
    if (response.ok) return { bytes: await wholeBody(response, address, mostBytes), at: madeAt(response) };
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) {
      throw new Error(`${address} answers ${response.status}`);
    }
    url = new URL(location, url);
  }
  throw new Error(`${address} leads on more than ${mostRedirects} times`);
}

async function wholeBody({ headers, body, status }: Response, address: string, mostBytes: number): Promise<Buffer> {
  const length = headers.get("content-length");
  const isEndKnown = length !== null || headers.get("transfer-encoding") === "chunked";
  const isPacked = (headers.get("content-encoding") ?? "identity") !== "identity";
  const problem =
    status !== 200 || !isEndKnown || isPacked
      ? "does not say where its text ends"
      : Number.parseInt(length ?? "0", 10) > mostBytes
        ? `has more than ${mostBytes} bytes`
        : undefined;
  if (problem !== undefined || body === null) {
    await body?.cancel();
    throw new Error(`${address} ${problem ?? "has no text"}`);
  }
  const pieces: AsyncIterable<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`${address} has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function madeAt({ headers }: Response): Date {
  const said = Date.parse(headers.get("last-modified") ?? headers.get("date") ?? "");
  return Number.isNaN(said) ? beginningOfTime : plusMs(beginningOfTime, said);
}
