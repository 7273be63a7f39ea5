import { Api, NOT_SIGNED_IN } from "./api.ts";
import { CliError, EXIT } from "./cli-error.ts";
import { type Call, type OptionSpec, originOf } from "./command.ts";
import { runningDev } from "./dev/dev-state.ts";
import { readSignIns } from "./sign-ins.ts";

export const TARGET_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: {
    value: "address",
    about: "the service to ask; otherwise WHYTRACE_URL, the `dev` that runs, the last login",
  },
  data: { value: "folder", about: "the data folder of `dev`, if it is not the usual one" },
};

export const dataFolderOf = ({ given, config }: Call) => given.text("data") ?? config.dataFolder;

/** The service, with a session to read from it. */
export async function readingApi(call: Call): Promise<Api> {
  const { given, config } = call;
  const wanted =
    given.url("url") ?? (config.url === undefined ? undefined : originOf(config.url, "WHYTRACE_URL"));
  const dev = await runningDev(dataFolderOf(call));
  if (dev?.url !== undefined && dev.session !== undefined && (wanted ?? dev.url) === dev.url)
    return new Api(dev.url, { session: dev.session });
  const signIns = await readSignIns(config.configFolder);
  const live = Object.entries(signIns).filter(([, { expiresAt }]) => Date.parse(expiresAt) > Date.now());
  const latest = live.sort(([, one], [, other]) => Date.parse(other.expiresAt) - Date.parse(one.expiresAt));
  const [url, signIn] = latest.find(([one]) => wanted === undefined || one === wanted) ?? [];
  if (url === undefined || signIn === undefined)
    throw new CliError(wanted === undefined ? "There is no service to ask" : `Not signed in at ${wanted}`, {
      advice: NOT_SIGNED_IN,
      exitCode: EXIT.notSignedIn,
    });
  return new Api(url, { session: signIn.session });
}
