import express from "express";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import { countrySchema } from "../../services/schema/domain/country-schema";
import { makeLean, serve } from "./floor";

/** Lean Express that serves the published documents out of memory to every caller. */
async function main(): Promise<void> {
  const packs = await loadPacks();
  const documents = new Map(packs.map((pack) => [pack.country, countrySchema(pack).bytes]));
  const app = makeLean(express());
  app.get("/schema/:country", (request, response) => {
    response.setHeader("content-type", "application/schema+json");
    response.end(documents.get(request.params.country));
  });
  serve(app);
}

void main();
