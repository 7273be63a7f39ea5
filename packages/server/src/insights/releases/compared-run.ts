/** What is compared of a run. */
export interface ComparedRun {
  id: string;
  /** The same for runs that belong together: of one session, else of one user; other runs stand alone. */
  session: string;
  /** Null: open, or unknown because a score is missing. */
  isBad: boolean | null;
  /** It sent nothing for so long that it will not end any more. */
  isAbandoned: boolean;
  costUsd: number | null;
  durationMs: number | null;
}
