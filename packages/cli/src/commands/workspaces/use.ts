import { CliError, EXIT } from "../../cli-error.ts";
import type { Command } from "../../command.ts";
import { readSignIns, saveSignIn } from "../../sign-ins.ts";
import { personalApi, readingApi, TARGET_OPTIONS } from "../../target.ts";

const { workspace: _, ...options } = TARGET_OPTIONS;

export const use: Command = {
  name: "use",
  about: "choose the workspace that commands read from",
  positionals: ["<slug>"],
  options,
  details: "--workspace and WHYTRACE_WORKSPACE take precedence over what is chosen here.",
  async run(call) {
    const { args, config, output } = call;
    const [slug = ""] = args.positionals;
    const api = await readingApi(call);
    const { workspaces } = await personalApi(api).call("GET /api/workspaces");
    const chosen = workspaces.find((workspace) => workspace.slug === slug);
    if (!chosen)
      throw new CliError(`You belong to no workspace ${JSON.stringify(slug)} at ${api.url}`, {
        advice: "`whytrace workspaces` lists yours.",
        exitCode: EXIT.notFound,
      });
    const signIn = (await readSignIns(config.configFolder))[api.url];
    if (signIn === undefined || "readKey" in signIn)
      throw new CliError(`Not signed in to ${api.url} with \`whytrace login\``, {
        advice: "Pass --workspace, or set WHYTRACE_WORKSPACE.",
        exitCode: EXIT.notSignedIn,
      });
    await saveSignIn(config.configFolder, api.url, { ...signIn, workspace: slug });
    output.line(`Commands read from ${chosen.name} (${slug}) at ${api.url} now.`);
    output.json({ url: api.url, workspace: slug });
  },
};
