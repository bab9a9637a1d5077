import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MethodDefinition, Server, ServerDuplexStream } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";

interface Method {
  definition: MethodDefinition<unknown, unknown>;
  handle(call: ServerDuplexStream<unknown, unknown>): void;
}

const paths = ["v1", "v1alpha"].map((version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);

/**
 * Answers gRPC server reflection from the compiled image of all proto files. The image is read at the first
 * query: few processes are ever queried, and reading it takes a tenth of the time and memory of a start.
 */
export function serveReflection(server: Server): void {
  let methods: Map<string, Method> | undefined;
  for (const path of paths) {
    const method = (): Method => {
      methods ??= readMethods();
      const found = methods.get(path);
      if (found === undefined) throw new Error(`the reflection service has no ${path}`);
      return found;
    };
    server.register(
      path,
      (call: ServerDuplexStream<unknown, unknown>) => method().handle(call),
      (answer: unknown) => method().definition.responseSerialize(answer),
      (bytes: Buffer) => method().definition.requestDeserialize(bytes),
      "bidi",
    );
  }
}

function readMethods(): Map<string, Method> {
  const methods = new Map<string, Method>();
  const image = readFileSync(join(__dirname, "../../../proto/gen/image.binpb"));
  new ReflectionService(loadFileDescriptorSetFromBuffer(image)).addToServer({
    addService(service, handlers) {
      for (const [name, definition] of Object.entries(service)) {
        methods.set(definition.path, { definition, handle: handlers[name] as Method["handle"] });
      }
    },
  });
  return methods;
}
