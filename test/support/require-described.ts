import { describedExchanges } from "./described-exchanges";
import { observeExchanges } from "./exchange-observer";

observeExchanges(describedExchanges);
// Every exchange of a test file is one that the OpenAPI document describes.
afterAll(() => describedExchanges.requireDescribed());
