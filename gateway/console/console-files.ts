import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative, sep } from "node:path";
import type { Answer } from "../route";

/** A file of the console in every encoding that was built. */
interface ConsoleFile {
  plain: Buffer;
  mediaType: string;
  br?: Buffer;
  gzip?: Buffer;
}

/** Answers with the file at a path, or with the console's single page for every path that is not a file. */
export type ConsoleFiles = (path: string, acceptEncoding: string | undefined) => Answer;

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const packed = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The folder into which `make build` puts the console, found both from compiled code and, in a test, from source. */
export const builtConsole = join(__dirname, extname(__filename) === ".ts" ? "../../dist/console" : "../../console");

/** Reads all files once: a request's path is compared with their names and never reaches the disk. */
export function readConsoleFiles(folder: string): ConsoleFiles {
  const files = readFolder(folder);
  const page = files.get("/index.html");
  return (path, acceptEncoding = "") => {
    const file = files.get(path);
    if (file !== undefined && path !== "/index.html") return answerOf(file, cacheOf(path), acceptEncoding);
    if (path.startsWith("/assets/")) return missing(404, "no such file\n");
    return page === undefined ? missing(503, notBuilt) : answerOf(page, "no-cache", acceptEncoding);
  };
}

const notBuilt = "The console is not built. Run `make build`, then start the platform again.\n";

const missing = (status: number, words: string): Answer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: Buffer.from(words),
});

/** The names of files under `assets/` contain a digest of their content. */
const cacheOf = (path: string): string =>
  path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";

function answerOf(file: ConsoleFile, cache: string, acceptEncoding: string): Answer {
  const accepted = acceptEncoding.split(",").map((one) => one.trim().replace(/;.*$/, ""));
  const coding = (["br", "gzip"] as const).find((one) => file[one] !== undefined && accepted.includes(one));
  return {
    status: 200,
    headers: {
      "content-type": file.mediaType,
      "cache-control": cache,
      vary: "accept-encoding",
      ...(coding === undefined ? {} : { "content-encoding": coding }),
    },
    body: (coding === undefined ? undefined : file[coding]) ?? file.plain,
    isShared: true,
  };
}

function readFolder(folder: string): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return files;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(names);
  for (const name of names) {
    if (packed.some(([, end]) => name.endsWith(end))) continue;
    const file: ConsoleFile = {
      plain: readFileSync(name),
      mediaType: mediaTypes[extname(basename(name))] ?? "application/octet-stream",
    };
    for (const [coding, end] of packed) if (known.has(name + end)) file[coding] = readFileSync(name + end);
    files.set(`/${relative(folder, name).split(sep).join("/")}`, file);
  }
  return files;
}
