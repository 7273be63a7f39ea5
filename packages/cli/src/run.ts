import { CliError, EXIT } from "./cli-error.ts";
import { type Command, formatHelp, parseCommand, usageError } from "./command.ts";
import { adminAddUser } from "./commands/accounts/admin-add-user.ts";
import { adminWorkspaceCreate } from "./commands/accounts/admin-workspace-create.ts";
import { adminWorkspaceInvite } from "./commands/accounts/admin-workspace-invite.ts";
import { adminWorkspaceList } from "./commands/accounts/admin-workspace-list.ts";
import { adminWorkspaceSetOwner } from "./commands/accounts/admin-workspace-set-owner.ts";
import { adminCluster } from "./commands/admin-cluster.ts";
import { adminClusterAdd } from "./commands/admin-cluster-add.ts";
import { adminClusterDrain } from "./commands/admin-cluster-drain.ts";
import { adminClusterRebalance } from "./commands/admin-cluster-rebalance.ts";
import { adminClusterRemove } from "./commands/admin-cluster-remove.ts";
import { adminDistribute } from "./commands/admin-distribute.ts";
import { adminLink } from "./commands/admin-link.ts";
import { adminRecount } from "./commands/admin-recount.ts";
import { adminReprice } from "./commands/admin-reprice.ts";
import { adminResetSecondFactor } from "./commands/admin-reset-second-factor.ts";
import { adminShow } from "./commands/admin-show.ts";
import { alerts } from "./commands/alerts/alerts.ts";
import { alertsPause, alertsResume } from "./commands/alerts/pause-alert.ts";
import { alertsPreview } from "./commands/alerts/preview-alert.ts";
import { alertsTest } from "./commands/alerts/test-channel.ts";
import { compareReleases } from "./commands/compare-releases.ts";
import { dev } from "./commands/dev.ts";
import { diff } from "./commands/diff.ts";
import { doctor } from "./commands/doctor.ts";
import { drift } from "./commands/drift.ts";
import { exportTraces } from "./commands/export-traces.ts";
import { importTraces } from "./commands/import/import-traces.ts";
import { issueComment, issueIgnore, issueReopen, issueResolve } from "./commands/issues/change-issue.ts";
import { issue } from "./commands/issues/issue.ts";
import { issues } from "./commands/issues/issues.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { judge } from "./commands/scores/judge.ts";
import { outcomePreview, outcomeSet, outcomeShow } from "./commands/scores/outcome.ts";
import { score } from "./commands/scores/score.ts";
import { scores } from "./commands/scores/scores.ts";
import { scoresExport } from "./commands/scores/scores-export.ts";
import { scoresImport } from "./commands/scores/scores-import.ts";
import { search } from "./commands/search.ts";
import { seed } from "./commands/seed.ts";
import { tail } from "./commands/tail.ts";
import { trace } from "./commands/trace.ts";
import { traces } from "./commands/traces.ts";
import { why } from "./commands/why.ts";
import { use } from "./commands/workspaces/use.ts";
import { workspaces } from "./commands/workspaces/workspaces.ts";
import { type Config, readConfig } from "./config.ts";
import { nearest } from "./nearest.ts";
import { ownVersion } from "./own-version.ts";
import { Output, type Sink } from "./print/output.ts";
import { asStarted } from "./started-as.ts";

export const COMMANDS: Command[] = [
  dev,
  seed,
  tail,
  traces,
  trace,
  why,
  issues,
  issue,
  issueResolve,
  issueIgnore,
  issueReopen,
  issueComment,
  alerts,
  alertsPreview,
  alertsPause,
  alertsResume,
  alertsTest,
  diff,
  search,
  exportTraces,
  importTraces,
  drift,
  compareReleases,
  score,
  scores,
  scoresExport,
  scoresImport,
  outcomeShow,
  outcomePreview,
  outcomeSet,
  judge,
  login,
  logout,
  workspaces,
  use,
  doctor,
  adminAddUser,
  adminCluster,
  adminClusterAdd,
  adminClusterDrain,
  adminClusterRebalance,
  adminClusterRemove,
  adminDistribute,
  adminLink,
  adminRecount,
  adminReprice,
  adminResetSecondFactor,
  adminShow,
  adminWorkspaceCreate,
  adminWorkspaceInvite,
  adminWorkspaceList,
  adminWorkspaceSetOwner,
];

interface RunContext {
  config: Config;
  stdout: Sink;
  stderr: Sink;
}

/** Runs one command and returns its exit code. */
export async function run(
  args: string[],
  { config, stdout, stderr }: RunContext = {
    config: readConfig(),
    stdout: process.stdout,
    stderr: process.stderr,
  },
): Promise<number> {
  const output = new Output({
    stdout,
    stderr,
    isJson: args.includes("--json"),
    isColourDisabled: config.isColourDisabled,
  });
  try {
    return await dispatch(args, config, output);
  } catch (error) {
    if (!(error instanceof CliError)) return reportUnexpected(error, config, output);
    const advice = error.advice && asStarted(error.advice);
    output.json({ error: error.message, ...(advice !== undefined && { advice }) });
    output.note(`whytrace: ${error.message}${advice ? `\n${advice}` : ""}`);
    return error.exitCode;
  }
}

/** Prints an error without advice, such as one of the database; WHYTRACE_DEBUG adds the stack. */
function reportUnexpected(error: unknown, { isDebug }: Config, output: Output): number {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message || code || error.name : String(error);
  output.json({ error: text });
  output.note(`whytrace: ${text}`);
  if (isDebug && error instanceof Error) output.note(error.stack ?? "");
  return EXIT.failed;
}

async function dispatch(args: string[], config: Config, output: Output): Promise<number> {
  const [first] = args;
  if (first === "--version" || first === "-v") {
    output.line(ownVersion());
    output.json({ version: ownVersion() });
    return EXIT.ok;
  }
  // The longest name counts: `admin cluster` is also the beginning of others.
  const [command] = COMMANDS.filter(
    ({ name }) => name === args.slice(0, name.split(" ").length).join(" "),
  ).sort((a, b) => b.name.length - a.name.length);
  if (!command) return printOverview(args, output);
  const parsedArgs = parseCommand(
    command,
    args.slice(command.name.split(" ").length).map((one) => (one === "-h" ? "--help" : one)),
  );
  if (parsedArgs.has("help")) {
    output.line(asStarted(formatHelp(command)));
    return EXIT.ok;
  }
  return (await command.run({ args: parsedArgs, config, output })) ?? EXIT.ok;
}

/** Lists all commands, or those of a group such as `admin`. Without an argument this is invalid usage. */
function printOverview(args: string[], output: Output): number {
  const group = COMMANDS.some(({ name }) => name.startsWith(`${args[0]} `)) ? args[0] : undefined;
  const [next] = group === undefined ? args : args.slice(1);
  if (next !== undefined && !["--help", "-h", "help"].includes(next)) {
    const given = group === undefined ? next : `${group} ${next}`;
    const near = nearest(
      given,
      COMMANDS.map(({ name }) => name),
    );
    const question = near === undefined ? "" : `. Did you mean ${near}?`;
    throw usageError(`Unknown command ${JSON.stringify(given)}${question}`, group);
  }
  const listed = COMMANDS.filter(({ name }) => group === undefined || name.startsWith(`${group} `));
  output.line(asStarted(overview(listed)));
  return next === undefined ? EXIT.usage : EXIT.ok;
}

function overview(commands: Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Whytrace: see what your agent did, and why",
    "",
    ...commands.map(({ name, about }) => `  whytrace ${name.padEnd(width)}  ${about}`),
    "",
    "Run `whytrace <command> --help` for its options, `whytrace --version` for the version.",
    "Exit codes: 0 success, 1 failure, 2 invalid usage, 3 not signed in, 4 not found.",
  ].join("\n");
}
