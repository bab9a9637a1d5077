import express from "express";
import { makeLean, serve } from "./floor";

/** Takes traces over OTLP/HTTP and throws them away. */
const app = makeLean(express());
app.post("/v1/traces", (request, response) => {
  request.resume().once("end", () => response.status(200).json({}));
});
serve(app);
