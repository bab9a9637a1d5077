import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  type DescMethod,
  fromBinary,
  type MessageInitShape,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import fc from "fast-check";
import type { Platform } from "../../local/platform";
import { ErrorDetail, ErrorReason } from "../../proto/gen/corridor/common/v1/error_reason";
import { metadataKeys } from "../../services/shared/rpc/rpc";
import { detailIn } from "../../services/shared/rpc/rpc-errors";
import { tenantIsOptional } from "../../services/shared/rpc/rpc-request-check";
import { startTestPlatform } from "../support/test-platform";

const seed = 20_261_122;
const messagesPerMethod = 24;
const atOnce = 8;

const image = readFileSync(join(__dirname, "../../proto/gen/image.binpb"));
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
/** Every method that takes one request. */
const unary = [...registry].flatMap((type) =>
  type.kind === "service" ? type.methods.filter(({ methodKind }) => methodKind === "unary") : [],
);
const packageOf = ({ parent }: DescMethod): string => parent.typeName.split(".")[1] ?? "";
/** Methods of one service, and those that several serve, each by what it keeps. */
const methods = unary.filter((method) => packageOf(method) !== "common");
const common = unary.filter((method) => packageOf(method) === "common");
const services = ["auth", "schema", "fx", "payment", "identity", "wallet", "webhook"] as const;
const nameOf = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/** Texts that mean something somewhere, and texts that mean nothing anywhere. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    "demo",
    "other",
    "BRL",
    "QQQ",
    "USD",
    "BR",
    "BRA",
    "PERSON",
    "COMPANY",
    "APPROVED",
    "ACTIVE",
    "key",
  ),
  fc.constantFrom(
    "-1",
    "0",
    "1e400",
    "2026-11-22",
    "null",
    "..",
    "$where",
    "a.b",
    "\u0000",
    "\uFFFF",
    "x".repeat(3_000),
  ),
  fc.uuid(),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const json = fc.oneof(
  fc.constantFrom("", "{}", "[]", "null", "{", '{"a":1e400}', '{"externalPaymentId":"x"}', '{"email":{}}'),
  fc.json({ maxDepth: 3 }),
);
const int64 = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n)),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
);
const uint64 = fc.oneof(fc.constantFrom(0n, 1n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 64n - 1n));
const int32 = fc.oneof(fc.constantFrom(0, 1, -1, 25, 2 ** 31 - 1, -(2 ** 31)), fc.integer());
const uint32 = fc.oneof(fc.constantFrom(0, 1, 25, 2 ** 32 - 1), fc.nat({ max: 2 ** 32 - 1 }));

function scalar(type: ScalarType, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BYTES:
      return name.endsWith("json") ? json.map((value) => Buffer.from(value)) : fc.uint8Array({ maxLength: 40 });
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return fc.double();
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return uint64;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return int64;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return uint32;
    default:
      return int32;
  }
}

/** Any value of a field, as the wire allows it. */
function fieldOf(field: DescField): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case "scalar":
      return scalar(field.scalar, field.name);
    case "enum":
      return fc.oneof(fc.constantFrom(...field.enum.values.map(({ number }) => number)), fc.constant(99));
    case "message":
      return messageOf(field.message);
    case "list":
      return fc.array(listItemOf(field), { maxLength: 3 });
    case "map":
      return fc.dictionary(
        fc.string({ maxLength: 8 }),
        field.mapKind === "scalar" ? scalar(field.scalar, field.name) : text,
        {
          maxKeys: 3,
        },
      );
  }
}

function listItemOf(field: DescField & { fieldKind: "list" }): fc.Arbitrary<unknown> {
  if (field.listKind === "message") return messageOf(field.message);
  return field.listKind === "enum" ? fc.constant(1) : scalar(field.scalar, field.name);
}

/** Any message; each field is there or not, and of a choice one at most. */
function messageOf(message: DescMessage): fc.Arbitrary<unknown> {
  const shape: Record<string, fc.Arbitrary<unknown>> = {};
  for (const member of message.members) {
    if (member.kind === "oneof") {
      shape[member.localName] = fc.oneof(
        ...member.fields.map((field) => fieldOf(field).map((value) => ({ case: field.localName, value }))),
      );
    } else shape[member.localName] = fieldOf(member);
  }
  return fc.record(shape, { requiredKeys: [] });
}

const encode = (message: DescMessage, value: unknown): Buffer =>
  Buffer.from(toBinary(message, create(message, value as MessageInitShape<DescMessage>)));

interface Answer {
  code: status;
  reason: string;
  fields: string[];
  rules: string[];
}

function answerOf(error: ServiceError | null): Answer {
  if (error === null) return { code: status.OK, reason: "", fields: [], rules: [] };
  const [details] = error.metadata.get(metadataKeys.error);
  if (!Buffer.isBuffer(details)) return { code: error.code, reason: error.details, fields: [], rules: [] };
  const { reason, violations } = ErrorDetail.decode(detailIn(details));
  const name = Object.entries(ErrorReason).find(([, value]) => value === reason)?.[0] ?? "";
  const fields = violations.map(({ field }) => field);
  return { code: error.code, reason: name, fields, rules: violations.map(({ message }) => message) };
}

/** Names of fields as FieldViolation documents them: of the JSON form, or keys that a caller chose. */
const isFieldName = (field: string): boolean => field !== "" && !/^[a-z]+_[a-z]/.test(field);

/** A refusal that blames us, or that does not say which field breaks which rule. */
function isBad({ code, reason, fields, rules }: Answer): boolean {
  const isSaid = fields.every(isFieldName) && !rules.includes("");
  const isNamed = reason !== "INVALID_ARGUMENT" || (fields.length > 0 && isSaid);
  return code === status.INTERNAL || code === status.UNKNOWN || !isNamed;
}

const inShort = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one)).slice(0, 600);

describe("every method of every service", () => {
  let platform: Platform;
  const clients = new Map<string, Client>();

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const service of services) {
      const log = readFileSync(join(platform.dir, "logs", `${service}.log`), "utf8");
      const port = /"port":(\d+),[^\n]*"serving gRPC"/.exec(log)?.[1] ?? "";
      clients.set(service, new Client(`127.0.0.1:${port}`, credentials.createInsecure()));
    }
  });
  afterAll(async () => {
    for (const client of clients.values()) client.close();
    await platform.stop();
  });

  const ask = (method: DescMethod, request: Buffer, service = packageOf(method)): Promise<Answer> => {
    const client = clients.get(service);
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve) => {
      const options = { deadline: Date.now() + 60_000 };
      client?.makeUnaryRequest(`/${nameOf(method)}`, same, same, request, options, (error) => resolve(answerOf(error)));
    });
  };

  it("are found in the image of the protos", () => {
    expect(methods.length).toBeGreaterThan(70);
  });

  /** What a service answered badly, of so many messages that are anything. */
  async function badAnswersOf(method: DescMethod, service?: string): Promise<string[]> {
    const bad: string[] = [];
    const left: unknown[] = [{}, ...fc.sample(messageOf(method.input), { seed, numRuns: messagesPerMethod })];
    const work = async (): Promise<void> => {
      for (let value = left.pop(); value !== undefined; value = left.pop()) {
        const answer = await ask(method, encode(method.input, value), service);
        if (isBad(answer)) bad.push(inShort({ ...answer, code: status[answer.code], value }));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return bad;
  }

  it.each(methods.map((method) => [nameOf(method), method] as const))(
    "%s refuses any bad message by its field",
    async (_name, method) => {
      expect(await badAnswersOf(method)).toEqual([]);
    },
  );

  it.each(common.map((method) => [nameOf(method), method] as const))(
    "%s refuses any bad message by its field, at every service that serves it",
    async (_name, method) => {
      const answers = await Promise.all(
        services.map(async (service) => ({ service, code: (await ask(method, Buffer.alloc(0), service)).code })),
      );
      const serving = answers.filter(({ code }) => code !== status.UNIMPLEMENTED).map(({ service }) => service);
      const bad = await Promise.all(serving.map((service) => badAnswersOf(method, service)));

      expect(serving.length).toBeGreaterThan(1);
      expect(bad.flat()).toEqual([]);
    },
  );

  const ofTenants = methods.filter(
    (method) =>
      !tenantIsOptional.has(`/${nameOf(method)}`) &&
      method.input.fields.some(({ localName, proto }) => localName === "tenant" && !proto.proto3Optional),
  );
  it.each(ofTenants.map((method) => [nameOf(method), method] as const))(
    "%s refuses an empty tenant",
    async (_name, method) => {
      const { code, fields } = await ask(method, encode(method.input, { tenant: "" }));

      expect({ code: status[code], isNamed: fields.includes("tenant") }).toEqual({
        code: "INVALID_ARGUMENT",
        isNamed: true,
      });
    },
  );
});
