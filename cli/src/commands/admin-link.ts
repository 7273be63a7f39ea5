import { Operator } from "@whytrace/server";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, originOf, usageFault } from "../command.ts";
import { runningDev } from "../dev/dev-state.ts";
import { DEV_EMAIL } from "../dev/sign-in.ts";
import { dataFolderOf } from "../target.ts";

export const adminLink: Command = {
  name: "admin link",
  about: "make a link for somebody to sign in or set a new password, without mail",
  positionals: ["[email]"],
  options: {
    reset: { about: "a link to a new password instead, good for an hour" },
    database: {
      value: "url",
      about: "the service's database; otherwise DATABASE_URL, or that of the `dev` that runs",
    },
    url: {
      value: "address",
      about: "where the service is reached; otherwise PUBLIC_URL, or the `dev` that runs",
    },
    data: { value: "folder", about: "the data folder of `dev`, if it is not the usual one" },
  },
  more: "The link works once, within ten minutes. Whoever has it is signed in as that user: hand it over safely.",
  async run(call) {
    const { given, config, output } = call;
    const dev = await runningDev(dataFolderOf(call));
    const isDev = !given.has("database") && dev?.databaseUrl !== undefined;
    const databaseUrl = given.text("database") ?? (isDev ? dev?.databaseUrl : config.databaseUrl);
    const [email = isDev ? DEV_EMAIL : undefined] = given.positionals;
    if (email === undefined) throw usageFault("[email] is missing: who is to be signed in?", "admin link");
    if (databaseUrl === undefined)
      throw usageFault("--database is missing: a link is made in the service's database", "admin link");
    const url =
      given.url("url") ?? (isDev ? dev?.url : config.publicUrl && originOf(config.publicUrl, "PUBLIC_URL"));
    if (url === undefined) throw usageFault("--url is missing: where is the service reached?", "admin link");
    const operator = new Operator(databaseUrl);
    try {
      const isReset = given.has("reset");
      const link = isReset ? await operator.resetLink(url, email) : await operator.signInLink(url, email);
      if (link === undefined)
        throw new CliError(`Nobody has the address ${email}`, { exitCode: EXIT.notFound });
      output.line(link);
      output.json({ email, link, expiresInMinutes: isReset ? 60 : 10 });
    } finally {
      await operator.close();
    }
  },
};
