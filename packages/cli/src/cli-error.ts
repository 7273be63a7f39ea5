/** Exit codes, documented in docs/cli.md: scripts depend on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  /** Also 3: in both cases nothing is known about the answer. The command that returns it has an option to accept it. */
  untested: 3,
  notFound: 4,
  /** The status that a shell reports for a program ended by SIGPIPE. */
  brokenPipe: 141,
} as const;

/** An error to show to the user: what went wrong, and what to do about it. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: number;
  readonly advice: string | undefined;

  constructor(text: string, { advice, exitCode = EXIT.failed }: { advice?: string; exitCode?: number } = {}) {
    super(text);
    this.advice = advice;
    this.exitCode = exitCode;
  }
}
