import nodemailer from "nodemailer";

export interface OutgoingMail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** As many mails are under way at once, each on a connection of its own, so that none waits inside its lease. */
export const CONNECTIONS = 4;

/** Longest time one attempt may take; the outbox's lease is longer, so that no second attempt runs beside it. */
export const SEND_TIMEOUT_MS = 20_000;

/** The way out that `SMTP_URL` names; none when it is not set, and mails wait in the outbox. */
export function createTransport(smtpUrl: string | undefined, from: string): MailTransport | undefined {
  if (smtpUrl === undefined) return undefined;
  return smtpUrl === "log:" ? standardOutput() : smtp(smtpUrl, from);
}

function smtp(url: string, from: string): MailTransport {
  const transporter = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: SEND_TIMEOUT_MS - 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      await transporter.sendMail({ ...mail, from, headers: { "Auto-Submitted": "auto-generated" } });
    },
    close: () => transporter.close(),
  };
}

/** For development: the mail is read where the server runs. */
function standardOutput(): MailTransport {
  return {
    async send({ to, subject, text }) {
      process.stdout.write(`\n--- mail to ${to}: ${subject}\n${text}---\n\n`);
    },
    close() {},
  };
}
