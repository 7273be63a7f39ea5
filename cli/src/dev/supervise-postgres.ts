import { spawn } from "node:child_process";

/*
 * Runs PostgreSQL for as long as the line to `dev` is open. `dev` may be killed without a chance to tidy up; its end
 * of the pipe closes all the same, and PostgreSQL is stopped in order instead of staying behind.
 */
const LONGEST_STOP_MS = 10_000;

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
// The terminal's signals are for `dev`, which closes the line when it is done.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

function stop() {
  // The fast way: transactions are rolled back, the files are left complete.
  if (process.platform === "win32") spawn(pgCtl, ["stop", "-D", folder, "-m", "fast"], { stdio: "ignore" });
  else child.kill("SIGINT");
  setTimeout(() => child.kill("SIGQUIT"), LONGEST_STOP_MS).unref();
}
