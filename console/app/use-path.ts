import { useParams } from "@tanstack/react-router";

/** The variable parts of the address, by name. */
export function usePath(): Readonly<Record<string, string | undefined>> {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return params;
}
