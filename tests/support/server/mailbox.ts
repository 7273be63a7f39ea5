import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail extends Email {
  envelope: { to: string[] };
  source: string;
  /** By `performance.now()`. */
  receivedAtMs: number;
}

/** A real SMTP server on loopback that stores what it receives. */
export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  /** Recipients that it rejects with 550. */
  readonly unknown = new Set<string>();
  /** Rejects every sender with 550, like a server that does not relay for it. */
  rejectsSender = false;
  #server: SMTPServer | undefined;

  async listen(port = 0): Promise<string> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onMailFrom: (_address, _session, done) =>
        done(
          this.rejectsSender
            ? Object.assign(new Error("sender address rejected"), { responseCode: 550 })
            : null,
        ),
      onRcptTo: ({ address }, _session, done) =>
        done(
          this.unknown.has(address) ? Object.assign(new Error("no such user"), { responseCode: 550 }) : null,
        ),
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", async () => {
          const receivedAtMs = performance.now();
          const source = Buffer.concat(parts).toString();
          const to = session.envelope.rcptTo.map(({ address }) => address);
          this.mails.push({ ...(await PostalMime.parse(source)), envelope: { to }, source, receivedAtMs });
          done();
        });
      },
    });
    server.on("error", () => {});
    server.listen(port, "127.0.0.1");
    await once(server.server, "listening");
    this.#server = server;
    return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  async close() {
    await new Promise<void>((closed) => this.#server?.close(() => closed()) ?? closed());
  }

  /** Waits for a mail to an address with a matching subject, and returns the newest one. */
  async mailTo(address: string, subject: RegExp, timeoutMs = 20_000): Promise<ReceivedMail> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const mail = this.mails.findLast(
        (one) => one.envelope.to.includes(address) && subject.test(one.subject ?? ""),
      );
      if (mail) return mail;
      if (Date.now() > deadline) throw new Error(`no mail ${subject} within ${timeoutMs} ms`);
      await sleep(20);
    }
  }

  async tokenFor(address: string, subject: RegExp): Promise<string> {
    const mail = await this.mailTo(address, subject);
    const token = /\?token=([\w-]+)/.exec(mail.text ?? "")?.[1];
    if (!token) throw new Error("no token in the mail");
    return token;
  }
}

export const VERIFY = /^Confirm your address/;
export const RESET = /^Choose a new/;
