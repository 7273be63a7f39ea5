import { describe, expect, it } from "vitest";
import { causeOf } from "./delivery-failure.ts";

const reply = (command: string, response: string, code = "EENVELOPE") =>
  Object.assign(new Error("rejected"), {
    code,
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  });

describe("a failed delivery is caused by", () => {
  it.each([
    ["RCPT TO", "550 5.1.1 no such user"],
    ["RCPT TO", "550 no such user"],
    ["RCPT TO", "552 5.2.2 mailbox full"],
    ["RCPT TO", "553 5.1.3 bad address"],
  ])("the recipient: %s → %s", (command, response) => {
    expect(causeOf(reply(command, response))).toBe("recipient");
  });

  it.each([
    ["MAIL FROM", "550 5.7.1 sender rejected", "EENVELOPE"],
    ["MAIL FROM", "530 5.7.0 authentication required", "EENVELOPE"],
    ["MAIL FROM", "451 4.3.0 try later", "EENVELOPE"],
    ["AUTH PLAIN", "535 5.7.8 bad credentials", "EAUTH"],
    ["EHLO", "554 go away", "EPROTOCOL"],
    ["STARTTLS", "502 not implemented", "ETLS"],
    ["CONN", "", "ECONNECTION"],
    ["RCPT TO", "554 5.7.1 relay access denied", "EENVELOPE"],
    ["RCPT TO", "550 5.7.1 sender is on a blocklist", "EENVELOPE"],
    ["RCPT TO", "550 5.1.8 bad sender's system address", "EENVELOPE"],
    ["RCPT TO", "530 authentication required", "EENVELOPE"],
    ["RCPT TO", "554 relaying denied", "EENVELOPE"],
  ])("the connection, the credentials or the sender: %s → %s", (command, response, code) => {
    expect(causeOf(reply(command, response, code))).toBe("sender");
  });

  it.each([
    ["RCPT TO", "450 4.2.0 greylisted", "EENVELOPE"],
    ["DATA", "554 5.7.1 looks like spam", "EMESSAGE"],
    ["DATA", "452 4.3.1 out of space", "EENVELOPE"],
  ])("this mail alone: %s → %s", (command, response, code) => {
    expect(causeOf(reply(command, response, code))).toBe("mail");
  });

  it("the sender if nothing is known about it", () => {
    expect(causeOf(new Error("unknown"))).toBe("sender");
    expect(causeOf("text")).toBe("sender");
  });
});
