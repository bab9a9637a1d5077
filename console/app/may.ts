import type { Me } from "./me";

/** What only some may do. The gateway decides; what it would refuse is not offered. */
const roles = {
  pay: ["finance", "admin"],
  seePeople: ["finance", "admin"],
  build: ["developer", "admin"],
  manage: ["admin"],
  settleCases: ["treasury"],
  decideReviews: ["compliance"],
  seeReviews: ["compliance"],
  moveBooks: ["treasury"],
  runPlatform: ["platform"],
  seeAccess: ["support", "platform"],
} as const;

export type Deed = keyof typeof roles;

/** True for what the roles allow. Names mean nothing across the two sides: no operator pays, and no tenant settles a case. */
export const mayDo = ({ roles: held }: Pick<Me, "roles">, deed: Deed): boolean =>
  roles[deed].some((role) => held.includes(role));
