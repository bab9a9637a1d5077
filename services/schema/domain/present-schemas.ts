import type { CorridorPack } from "./corridor-pack";
import { countrySchema } from "./country-schema";
import { customerSchema } from "./customer-schema";
import type { SchemaDocument } from "./json-schema";
import { personSchema } from "./person-schema";
import { pullSchema } from "./pull-schema";
import { pushSchema } from "./push-schema";

/** Every document that is served as the present one of its name. */
export const presentSchemas = (packs: readonly CorridorPack[]): SchemaDocument[] => [
  pushSchema,
  customerSchema,
  pullSchema,
  ...packs.map(countrySchema),
  ...packs.map(personSchema),
];
