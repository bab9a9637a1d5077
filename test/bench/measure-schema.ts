import { makeSchemas } from "../../services/payment/adapters/schema/published-schemas";
import type { Schemas } from "../../services/payment/ports";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import { countrySchema } from "../../services/schema/domain/country-schema";
import type { SchemaDocument } from "../../services/schema/domain/json-schema";
import { publishedSchemas } from "../../services/schema/domain/published-schema";
import { pushSchema } from "../../services/schema/domain/push-schema";
import { type JsonObject, parseJsonObject } from "../../services/shared/kernel/json";
import { payloadCases, validPayload } from "../support/corridor-payloads";
import { fieldPreflight } from "../support/field-preflight";
import { startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { Load, LoadJob, LoadResult } from "./load";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";

const rounds = 5;
const seconds = 1.5;

/** A schema through the gateway, out of its memory and behind a bearer check, against Express that serves it to all. */
export async function measureSchema(subject: Subject, load: Load): Promise<Goal[]> {
  const lean = await startFloor("lean-schema");
  const requests = [{ method: "GET", path: "/schema/BRA", headers: subject.headers, body: "" }];
  const job = (port: number, pid: number): LoadJob => ({
    kind: "http",
    port,
    requests,
    includes: '"title":"Brazil (BRA)"',
    pids: [pid],
    inFlight: 64,
    seconds,
  });
  const { a, b } = await interleave(
    {
      a: () => load.run(job(subject.port, subject.pid("gateway"))),
      b: () => load.run(job(Number(lean.captured), lean.pid)),
    },
    rounds,
  );
  await lean.stop();
  const goal = (what: string, read: (result: LoadResult) => number, unit: string) => ({
    id: "P4",
    what: `GET /schema/BRA / lean Express: ${what}`,
    value: pairRatio(a, b, read),
    unit: "x" as const,
    isDue: false,
    seen: `${format(median(a.map(read)))} against ${format(median(b.map(read)))} ${unit}`,
  });
  return [
    { ...goal("rate", ({ perSecond }) => perSecond, "/s"), bar: { atLeast: 0.8 } },
    { ...goal("CPU", ({ cpuMicros }) => cpuMicros, "µs"), bar: { atMost: 1.2 } },
  ];
}

/** A body with a wrong value in every field that its schema knows, the country aside. */
function spoilt(body: object, country: string): JsonObject {
  const wrong = JSON.stringify(body).replaceAll(/:(?:"[^"]*"|[\d.]+)/g, ':"?"');
  const { value } = parseJsonObject(wrong);
  const recipient = Object(value["recipient"]) as JsonObject;
  return {
    ...value,
    recipient: { ...recipient, paymentMethod: { ...Object(recipient["paymentMethod"]), countryCode: country } },
  };
}

/** 64 KiB that pass every limit of a body and break every rule: 100 documents and as many long texts as fit. */
function hostile(body: JsonObject): JsonObject {
  const document = { document: "?", type: "?", countryCode: "x".repeat(100) };
  const texts = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`text${index}`, "1".repeat(4_096)]));
  const recipient = { ...Object(body["recipient"]), documents: Array.from({ length: 100 }, () => document) };
  return parseJsonObject(JSON.stringify({ ...body, recipient, ...texts })).value;
}

/**
 * Time of one call, out of the quickest round of many: this runs in one thread, and what others do must not count. A round is
 * short, so that some rounds have the processor to themselves on a busy machine, too.
 */
async function microsOf(work: () => unknown): Promise<number> {
  const calls = await callsInARound(work);
  const times: number[] = [];
  for (let round = 0; round < rounds * 12; round += 1) times.push(await microsOfRound(work, calls));
  return Math.min(...times);
}

const warmUp = 30;
const roundMicros = 2_000;
const mostCalls = 50;

/** As many calls as take a round's time, once the code is warm. */
async function callsInARound(work: () => unknown): Promise<number> {
  await microsOfRound(work, warmUp);
  const micros = Math.min(await microsOfRound(work, 1), await microsOfRound(work, 1));
  return Math.min(mostCalls, Math.max(1, Math.round(roundMicros / micros)));
}

async function microsOfRound(work: () => unknown, calls: number): Promise<number> {
  const startMs = performance.now();
  for (let call = 0; call < calls; call += 1) await work();
  return ((performance.now() - startMs) * 1_000) / calls;
}

interface Cost {
  country: string;
  /** Check of the corridor's sample payloads, good and bad, against JSON.parse of their text. */
  ratio: number;
  /** The same for a payload with every field wrong. */
  spoiltRatio: number;
  /** Preflight of the hostile body, from its text to the answer. */
  hostileMs: number;
}

async function costOf(schemas: Schemas, country: string): Promise<Cost> {
  const samples = payloadCases.filter((sample) => sample.country === country).map(({ payload }) => payload);
  const ratioOf = async (payloads: readonly object[]): Promise<number> => {
    const texts = payloads.map((payload) => JSON.stringify(payload));
    const bodies = texts.map((text) => parseJsonObject(text).value);
    const check = await microsOf(async () => {
      for (const body of bodies) await schemas.check(country, body);
    });
    return check / (await microsOf(() => texts.map((text) => JSON.parse(text) as unknown)));
  };
  const wrong = spoilt(validPayload(country), country);
  const large = hostile(wrong);
  const preflight = fieldPreflight(schemas);
  return {
    country,
    ratio: await ratioOf(samples),
    spoiltRatio: await ratioOf([wrong]),
    hostileMs: (await microsOf(() => preflight(large))) / 1_000,
  };
}

/** Validation of the worst country against JSON.parse of the same body, and of the most hostile body that comes through. */
export async function measureValidation(): Promise<Goal[]> {
  const packs = await loadPacks();
  const schemas = checkerOf([pushSchema, ...packs.map(countrySchema)]);
  const costs: Cost[] = [];
  for (const { country } of packs) costs.push(await costOf(schemas, country));
  const worstBy = (read: (cost: Cost) => number): Cost => {
    const [worst] = costs.toSorted((a, b) => read(b) - read(a));
    if (worst === undefined) throw new Error("there are no corridors");
    return worst;
  };
  const goal = (
    what: string,
    read: (cost: Cost) => number,
    rest: Pick<Goal, "unit" | "isDue"> & Partial<Goal>,
  ): Goal => {
    const worst = worstBy(read);
    const seen = `${worst.country}; median country ${format(median(costs.map(read)))}`;
    return { id: "P18", what: `validation, worst country: ${what}`, value: read(worst), seen, ...rest };
  };
  return [
    goal("sample payloads / JSON.parse", ({ ratio }) => ratio, { unit: "x", isDue: true, bar: { atMost: 1 } }),
    goal("every field wrong / JSON.parse", ({ spoiltRatio }) => spoiltRatio, { unit: "x", isDue: false }),
    goal("hostile body of 64 KiB", ({ hostileMs }) => hostileMs, { unit: "ms", isDue: true, bar: { atMost: 2 } }),
  ];
}

/** The checker of payments in front of documents that are at hand. */
function checkerOf(documents: readonly SchemaDocument[]): Schemas {
  const byName = new Map(documents.map((document) => [document.name, document]));
  return makeSchemas({
    checkNumbers: () => Promise.resolve({ findings: [] }),
    listSchemas: () => Promise.resolve({ schemas: publishedSchemas(documents, documents) }),
    getSchema({ name }) {
      const document = byName.get(name);
      if (document === undefined) return Promise.reject(new Error(`no schema ${name}`));
      const { version, bytes } = document;
      return Promise.resolve({ name, version, etag: "", documentJson: bytes });
    },
  });
}
