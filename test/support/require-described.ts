import { describedExchanges } from "./described-exchanges";
import { observeExchanges } from "./exchange-observer";

observeExchanges(describedExchanges);
// Requires that the OpenAPI document describes every exchange of a test file.
afterAll(() => describedExchanges.requireDescribed());
