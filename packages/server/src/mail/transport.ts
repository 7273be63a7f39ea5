import { smtpOptions } from "./smtp-options.ts";

export interface OutgoingMail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Also the number of mails leased at once: each has its own connection, so none waits while its lease runs. */
export const MAX_CONNECTIONS = 4;

/** Maximum duration of one attempt. The lease is longer, so that two attempts never overlap. */
export const SEND_TIMEOUT_MS = 20_000;

/** The transport that `SMTP_URL` selects; undefined if it is not set, and mails stay in the outbox. */
export async function createTransport(
  smtpUrl: string | undefined,
  from: string,
): Promise<MailTransport | undefined> {
  if (smtpUrl === undefined) return undefined;
  return smtpUrl === "log:" ? standardOutput() : smtp(smtpUrl, from);
}

async function smtp(url: string, from: string): Promise<MailTransport> {
  const { default: nodemailer } = await import("nodemailer");
  const transporter = nodemailer.createTransport({
    ...smtpOptions(url),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: SEND_TIMEOUT_MS - 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ headers, ...mail }) {
      // Prepared: the library would fold a long address after the name of its header, which some clients do not read.
      const prepared = Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]);
      await transporter.sendMail({
        ...mail,
        from,
        headers: { "Auto-Submitted": "auto-generated", ...Object.fromEntries(prepared) },
      });
    },
    close: () => transporter.close(),
  };
}

/** For development: prints each mail. */
function standardOutput(): MailTransport {
  return {
    async send({ to, subject, text }) {
      process.stdout.write(`\n--- mail to ${to}: ${subject}\n${text}---\n\n`);
    },
    close() {},
  };
}
