import { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, parseOrigin } from "../command.ts";
import { readSignIns, saveSignIn } from "../sign-ins.ts";

export const logout: Command = {
  name: "logout",
  about: "sign out and delete the saved session or key",
  positionals: [],
  options: {
    url: {
      value: "url",
      about: "URL of the server; default: WHYTRACE_URL, or the only server you are signed in to",
    },
  },
  async run({ args, config, output }) {
    const signIns = await readSignIns(config.configFolder);
    const known = Object.keys(signIns);
    const url =
      args.url("url") ??
      (config.url === undefined ? undefined : parseOrigin(config.url, "WHYTRACE_URL")) ??
      (known.length === 1 ? known[0] : undefined);
    const signIn = url === undefined ? undefined : signIns[url];
    if (url === undefined || signIn === undefined)
      throw new CliError(url === undefined ? "No server to sign out of" : `Not signed in to ${url}`, {
        ...(known.length > 0 && { advice: `Pass one of these as --url: ${known.join(", ")}` }),
        exitCode: EXIT.notSignedIn,
      });
    // Delete the local session first: the token must not stay on disk if the request fails.
    await saveSignIn(config.configFolder, url, undefined);
    if ("readKey" in signIn) {
      output.line(`Deleted the key for ${url} from this machine. Revoke it under Settings > API keys.`);
      output.json({ url });
      return;
    }
    await new Api(url, { session: signIn.session }).ask("POST /api/auth/logout");
    output.line(`Signed out of ${url}.`);
    output.json({ url, email: signIn.email });
  },
};
