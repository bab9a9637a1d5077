import { describedExchanges } from "./described-exchanges";

// Every exchange of a test file is one that the OpenAPI document describes.
afterAll(() => describedExchanges.requireDescribed());
