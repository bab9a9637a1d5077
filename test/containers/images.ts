import type { Images } from "../../local/containers/images";

/** `make test-containers` builds the images and names them here. */
const { CORRIDOR_IMAGE: corridor, CORRIDOR_BUS_IMAGE: bus } = process.env;

/** Tests that need an engine and images; without them they are skipped, and counted. */
export function describeWithImages(name: string, tests: (images: Images) => void): void {
  if (corridor === undefined || bus === undefined) describe.skip(name, () => tests({ corridor: "", bus: "" }));
  else describe(name, () => tests({ corridor, bus }));
}
