import express from "express";
import { floorAnswer, serve } from "./floor";

/** Express as its guide starts it: it parses a body and answers at once. */
const app = express();
app.post("/v2/payment", express.json(), (_request, response) => {
  response.json(floorAnswer);
});
serve(app);
