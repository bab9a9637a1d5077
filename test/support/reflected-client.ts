import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Client, credentials, type MethodDefinition, makeClientConstructor } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer, loadSync } from "@grpc/proto-loader";

const reflectionProto = join(
  dirname(createRequire(__filename).resolve("@grpc/reflection/package.json")),
  "build/proto/grpc/reflection/v1/reflection.proto",
);

interface Reflected {
  listServicesResponse?: { service: { name: string }[] };
  fileDescriptorResponse?: { fileDescriptorProto: Buffer[] };
}

/** A client with only an address: it learns everything through server reflection. */
export interface ReflectedClient {
  services(): Promise<string[]>;
  /** Full names of the methods of a service. */
  methods(service: string): Promise<string[]>;
  /** Calls a method with a message written as JSON. Rejects with the gRPC error. */
  call(service: string, method: string, message: object): Promise<Record<string, unknown>>;
  close(): void;
}

/** Connects to a gRPC server without any proto file. */
export function connectReflected(address: string): ReflectedClient {
  const client = new (stubOf(loadSync(reflectionProto)["grpc.reflection.v1.ServerReflection"]))(
    address,
    credentials.createInsecure(),
  );
  const ask = (question: object): Promise<Reflected> => {
    const open = client["serverReflectionInfo"];
    if (open === undefined) throw new Error("no reflection method");
    const stream = open.call(client) as unknown as NodeJS.ReadWriteStream & { write(value: object): boolean };
    return new Promise<Reflected>((resolve, reject) => {
      stream.once("data", resolve);
      stream.once("error", reject);
      stream.write(question);
    }).finally(() => stream.end());
  };
  const definitionOf = async (service: string): Promise<Methods> => {
    const { fileDescriptorResponse } = await ask({ fileContainingSymbol: service });
    const files = (fileDescriptorResponse?.fileDescriptorProto ?? []).map(asSetEntry);
    const found = loadFileDescriptorSetFromBuffer(Buffer.concat(files), {
      defaults: true,
      longs: String,
      enums: String,
    })[service];
    if (found === undefined || "format" in found) throw new Error(`reflection does not describe ${service}`);
    return found as Methods;
  };
  return {
    async services() {
      const { listServicesResponse } = await ask({ listServices: "" });
      return (listServicesResponse?.service ?? []).map(({ name }) => name);
    },
    methods: async (service) => Object.keys(await definitionOf(service)),
    async call(service, method, message) {
      const definition = (await definitionOf(service))[method];
      if (definition === undefined) throw new Error(`${service} has no ${method}`);
      return await unary(client, definition, message);
    },
    close: () => client.close(),
  };
}

type Methods = Record<string, MethodDefinition<object, Record<string, unknown>>>;

function stubOf(definition: ReturnType<typeof loadSync>[string] | undefined): ReturnType<typeof makeClientConstructor> {
  if (definition === undefined || "format" in definition) throw new Error("no reflection service");
  return makeClientConstructor(definition, "ServerReflection");
}

/** A file of a FileDescriptorSet: field 1, with its length before it. */
function asSetEntry(file: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = file.length; ; rest >>>= 7) {
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) return Buffer.concat([Buffer.from([0x0a, ...length]), file]);
  }
}

const unary = (
  client: Client,
  { path, requestSerialize, responseDeserialize }: Methods[string],
  message: object,
): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, (error, answer) =>
      answer === undefined ? reject(error) : resolve(answer),
    );
  });
