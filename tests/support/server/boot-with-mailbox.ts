import { afterFile } from "../after-file.ts";
import { type Booted, boot } from "./boot.ts";
import { Mailbox } from "./mailbox.ts";

/** Starts a server that sends its mail to a mailbox of this test. */
export async function bootWithMailbox(
  env: Record<string, string> = {},
): Promise<Booted & { mailbox: Mailbox }> {
  const mailbox = new Mailbox();
  afterFile(() => mailbox.close());
  const booted = await boot(
    {
      SMTP_URL: await mailbox.listen(),
      PUBLIC_URL: "http://localhost:3000",
      MAIL_FROM: "Whytrace <hello@whytrace.example>",
      ...env,
    },
    { pausesMs: { mail: 50 } },
  );
  return { ...booted, mailbox };
}
