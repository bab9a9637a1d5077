/** The set of defaults and checks that a process runs with. */
export type Profile = "local" | "sandbox" | "production";
