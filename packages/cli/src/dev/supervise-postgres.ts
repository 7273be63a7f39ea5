import { spawn } from "node:child_process";

/*
 * Runs PostgreSQL as long as the pipe from `dev` is open. The pipe closes even if `dev` is killed, so PostgreSQL always
 * shuts down cleanly.
 */
const STOP_TIMEOUT_MS = 10_000;

const [postgres = "", pgCtl = "", folder = "", uid = "", gid = "", ...flags] = process.argv.slice(2);
const user = uid === "" ? {} : { uid: Number(uid), gid: Number(gid) };
const child = spawn(postgres, ["-D", folder, ...flags], {
  ...user,
  cwd: folder,
  stdio: ["ignore", "inherit", "inherit"],
});
child.once("error", () => process.exit(1));
child.once("exit", (code) => process.exit(code ?? 1));

process.stdin.resume().once("close", stop);
// Ignore signals: `dev` handles them and closes the pipe when it is done.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

function stop() {
  // Fast shutdown: PostgreSQL rolls back open transactions and writes a checkpoint.
  if (process.platform === "win32") spawn(pgCtl, ["stop", "-D", folder, "-m", "fast"], { stdio: "ignore" });
  else child.kill("SIGINT");
  setTimeout(() => child.kill("SIGQUIT"), STOP_TIMEOUT_MS).unref();
}
