import type { ReactNode } from "react";
import { Loading, PageHead } from "./page";
import { ProblemNote } from "./problem-note";

interface WaitingProps {
  readonly name: string;
  readonly crumbs: ReactNode;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** A page whose object has not come yet, or does not come. */
export const Waiting = ({ name, crumbs, error, retry }: WaitingProps) => (
  <>
    <PageHead title={name} name={name} crumbs={crumbs} />
    {error === null ? <Loading /> : <ProblemNote error={error} retry={retry} />}
  </>
);
