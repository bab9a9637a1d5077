import { decodeUtf8, type JsonObject, parseJsonObject } from "../../shared/kernel/json";

export const decodeBody = (bytes: Uint8Array): JsonObject => parseJsonObject(decodeUtf8(bytes)).value;
