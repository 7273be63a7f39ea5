import { EXIT } from "./cli-error.ts";
import { run } from "./run.ts";

// `whytrace traces | head -1` closes the pipe early. That is no error: end as quietly as other programs do.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.brokenPipe);
});
// Nobody reads progress and errors any more, which must not interrupt the work.
process.stderr.on("error", () => {});

process.exitCode = await run(process.argv.slice(2));
