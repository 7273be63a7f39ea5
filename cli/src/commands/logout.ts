import { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, originOf } from "../command.ts";
import { keepSignIn, readSignIns } from "../sign-ins.ts";

export const logout: Command = {
  name: "logout",
  about: "end the session of login, there and here",
  positionals: [],
  options: {
    url: {
      value: "address",
      about: "the service; otherwise WHYTRACE_URL, or the only one you are signed in at",
    },
  },
  async run({ given, config, output }) {
    const signIns = await readSignIns(config.configFolder);
    const known = Object.keys(signIns);
    const url =
      given.url("url") ??
      (config.url === undefined ? undefined : originOf(config.url, "WHYTRACE_URL")) ??
      (known.length === 1 ? known[0] : undefined);
    const signIn = url === undefined ? undefined : signIns[url];
    if (url === undefined || signIn === undefined)
      throw new CliError(url === undefined ? "There is no session to end" : `Not signed in at ${url}`, {
        ...(known.length > 0 && { advice: `Signed in at: ${known.join(", ")}` }),
        exitCode: EXIT.notSignedIn,
      });
    // First here: what the service says must not keep the token on the disk.
    await keepSignIn(config.configFolder, url, undefined);
    await new Api(url, { session: signIn.session }).request("POST", "/api/auth/logout");
    output.line(`Signed out at ${url}.`);
    output.json({ url, email: signIn.email });
  },
};
