import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";

const digest = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Answers 401 unless the caller presents the key as bearer token. */
export function requireKey(key: string): RequestHandler {
  const expected = digest(`Bearer ${key}`);
  return (req, res, next) => {
    if (timingSafeEqual(digest(req.headers.authorization ?? ""), expected)) next();
    else res.status(401).json({ error: "unauthorized" });
  };
}
