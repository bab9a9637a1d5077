import type { ReactNode } from "react";
import { Loading, PageHead } from "./page";
import { ProblemNote } from "./problem-note";

interface WaitingProps {
  readonly name: string;
  readonly crumbs: ReactNode;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** A page while its object is loading, or when it failed to load. */
export const Waiting = ({ name, crumbs, error, retry }: WaitingProps) => (
  <>
    <PageHead title={name} name={name} crumbs={crumbs} />
    {error === null ? <Loading /> : <ProblemNote error={error} retry={retry} />}
  </>
);
