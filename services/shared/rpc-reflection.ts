import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";

/** Answers gRPC server reflection from the compiled image of all proto files. Loaded after start, since nobody waits for it. */
export function serveReflection(server: Server): void {
  setImmediate(() => {
    const image = readFileSync(join(__dirname, "../../proto/gen/image.binpb"));
    new ReflectionService(loadFileDescriptorSetFromBuffer(image)).addToServer(server);
  });
}
