import { rails } from "../sandbox/rails/rail-facts";

/** Addresses of the providers' statements in the sandbox. */
export function statementsOf(sandboxUrl: string): string {
  const kinds = { rail: Object.keys(rails), acquirer: ["acquirer"], debits: ["debits"] };
  const places = Object.entries(kinds).map(([kind, providers]) => {
    return { kind, providers, form: "pages", url: `${sandboxUrl}/statements/{provider}` };
  });
  return JSON.stringify(places);
}
