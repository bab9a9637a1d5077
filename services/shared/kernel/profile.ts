/** Which set of defaults and of checks a process runs by. */
export type Profile = "local" | "sandbox" | "production";
