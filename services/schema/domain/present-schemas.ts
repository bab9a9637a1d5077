import type { CorridorPack } from "./corridor-pack";
import { countrySchema } from "./country-schema";
import { customerSchema } from "./customer-schema";
import type { SchemaDocument } from "./json-schema";
import { personSchema } from "./person-schema";
import { pullSchema } from "./pull-schema";
import { pushSchema } from "./push-schema";

/** The current document of every name. */
export const presentSchemas = (packs: readonly CorridorPack[]): SchemaDocument[] => [
  pushSchema,
  customerSchema,
  pullSchema,
  ...packs.map(countrySchema),
  ...packs.map(personSchema),
];
