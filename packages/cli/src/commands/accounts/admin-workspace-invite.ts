import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ROLES, type Role } from "@whytrace/contract";
import { CliError, EXIT } from "../../cli-error.ts";
import { type Command, parseOrigin, usageError } from "../../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../../database-target.ts";
import { withOperator } from "../../with-operator.ts";

const NAME = "admin workspace invite";
const MAX_PEOPLE = 1_000;

export const adminWorkspaceInvite: Command = {
  name: NAME,
  about: "invite people to a workspace from a list, and print or mail a link for each",
  positionals: ["<slug>", "<file>"],
  options: {
    role: { value: "role", about: `role of lines that name none: ${ROLES.join(", ")}; default: member` },
    mail: { about: "let the server mail the links instead of printing them" },
    url: {
      value: "url",
      about:
        "public URL of the server; default: PUBLIC_URL, or that of the `whytrace dev` whose database it is",
    },
    ...DATABASE_OPTIONS,
  },
  details:
    "Each line of the file is an address, or an address and a role with a comma between them; `-` reads standard input. A link works once, within 7 days, also while registration is closed, and proves the address: send each one to its person alone. Inviting an address again ends the link before.",
  async run(call) {
    const { args, config, output } = call;
    const [slug = "", file = ""] = args.positionals;
    const content = file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
    const people = parsePeople(content, args.text("role") ?? "member");
    const database = await databaseTarget(call, NAME, "the invitations are in the server's database");
    const { dev } = database;
    const publicUrl =
      args.url("url") ?? (dev ? dev.url : config.publicUrl && parseOrigin(config.publicUrl, "PUBLIC_URL"));
    if (publicUrl === undefined) throw usageError("Missing --url: the public URL of the server", NAME);
    output.note(`Database: ${databaseName(database.url)}`);
    await withOperator(database.url, async (operator) => {
      const isMailed = args.has("mail");
      const invited = await operator.invitePeople(slug, people, { publicUrl, isMailed });
      if (!invited) throw new CliError(`No workspace has the slug ${slug}`, { exitCode: EXIT.notFound });
      for (const { email, role, url } of invited) {
        const result = url === undefined ? "is a member already" : isMailed ? "mailed" : url;
        output.line(`${email} ${role} ${result}`);
        output.json({ email, role, isMember: url === undefined, ...(!isMailed && url && { url }) });
      }
    });
  },
};

function parsePeople(content: string, defaultRole: string): { email: string; role: Role }[] {
  const lines = content.split("\n").map((line) => line.trim());
  const people = lines.flatMap((line, index) => {
    if (line === "") return [];
    const [email = "", named = defaultRole] = line.split(",").map((part) => part.trim());
    const role = ROLES.find((one) => one === named);
    if (!/^[^\s@,]+@[^\s@,]+$/.test(email) || !role)
      throw usageError(
        `Line ${index + 1} must be an address, or an address and one of ${ROLES.join(", ")}`,
        NAME,
      );
    return [{ email: email.toLowerCase(), role }];
  });
  if (people.length === 0 || people.length > MAX_PEOPLE)
    throw usageError(`<file> must have 1 to ${MAX_PEOPLE} addresses`, NAME);
  return [...new Map(people.map((person) => [person.email, person])).values()];
}
