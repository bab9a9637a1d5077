import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const generated = join(__dirname, "../../proto/gen");
const image = fromBinary(FileDescriptorSetSchema, readFileSync(join(generated, "image.binpb")));
const messages = [...createFileRegistry(image)].filter(
  (one): one is DescMessage => one.kind === "message" && one.typeName.startsWith("corridor."),
);

type Decoded = Record<string, unknown>;

/** Reads a message as a process of this release does. */
function decode(message: DescMessage, bytes: Uint8Array): Decoded {
  const codecs = jest.requireActual<Record<string, { decode(input: Uint8Array): Decoded }>>(
    join(generated, message.file.name),
  );
  const name = message.typeName.slice(message.file.proto.package.length + 1).replaceAll(".", "_");
  const codec = codecs[name];
  if (codec === undefined) throw new Error(`${message.typeName} is not generated`);
  return codec.decode(bytes);
}

const deepest = 3;

/** A value of a field that is not its default. */
function sampleOf(field: DescField, depth: number): unknown {
  if (field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message")) {
    return field.message === undefined ? undefined : fill(field.message, undefined, depth + 1).message;
  }
  if (field.fieldKind === "enum" || (field.fieldKind === "list" && field.listKind === "enum")) {
    return field.enum?.values.at(-1)?.number;
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return "text";
    case ScalarType.BYTES:
      return new Uint8Array([1, 2]);
    case ScalarType.BOOL:
      return true;
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
      return 7n;
    default:
      return 7;
  }
}

/** A message with all of its fields but one, of each choice the newest. */
function fill(message: DescMessage, without?: DescField, depth = 0): ReflectMessage {
  const filled = reflect(message, create(message) as Message);
  for (const field of message.fields) {
    const isDeep = depth >= deepest && field.message !== undefined;
    if (field === without || isDeep || field.fieldKind === "map") continue;
    const value = sampleOf(field, depth);
    if (field.fieldKind === "list")
      filled.get(field).add(field.message === undefined ? value : reflectOf(field, value));
    else filled.set(field, field.message === undefined ? value : reflectOf(field, value));
  }
  return filled;
}

const reflectOf = ({ message }: DescField, value: unknown): ReflectMessage => {
  if (message === undefined) throw new Error("it is no message");
  return reflect(message, value as Message);
};

/** What a later release adds: a field of each form. */
const later = new BinaryWriter()
  .tag(15_000, WireType.Varint)
  .uint64(1n)
  .tag(15_001, WireType.Bit64)
  .fixed64(2n)
  .tag(15_002, WireType.LengthDelimited)
  .string("later")
  .tag(15_003, WireType.Bit32)
  .fixed32(3)
  .finish();

const bytesOf = ({ desc, message }: ReflectMessage): Uint8Array => toBinary(desc, message);

/** Names of messages for which something does not hold. */
const failing = (all: readonly DescMessage[], holds: (message: DescMessage) => boolean): string[] =>
  all.filter((message) => !holds(message)).map(({ typeName }) => typeName);

describe("messages between neighbouring releases", () => {
  const money = messages.find(({ typeName }) => typeName === "corridor.common.v1.Money");

  it("are all of them, with all of their fields", () => {
    expect(messages.length).toBeGreaterThan(300);
    expect(money && decode(money, bytesOf(fill(money)))).toEqual({ amountMinor: 7n, currency: "text" });
  });

  it("are read without what a later release has added", () => {
    const wrong = failing(messages, (message) => {
      const bytes = bytesOf(fill(message));
      return isDeepStrictEqual(decode(message, Buffer.concat([bytes, later])), decode(message, bytes));
    });

    expect(wrong).toEqual([]);
  });

  it("are read when an earlier release does not send their newest field", () => {
    const wrong = failing(messages, (message) => {
      const newest = message.fields.toSorted((one, other) => one.number - other.number).at(-1);
      const name = newest?.oneof === undefined ? newest?.localName : newest.oneof.localName;
      const others = (decoded: Decoded): Decoded => ({ ...decoded, [name ?? ""]: undefined });
      const [whole, without] = [fill(message), fill(message, newest)].map((one) => decode(message, bytesOf(one)));
      return isDeepStrictEqual(others(without ?? {}), others(whole ?? {}));
    });

    expect(wrong).toEqual([]);
  });
});
