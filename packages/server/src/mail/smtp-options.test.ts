import { describe, expect, it } from "vitest";
import { smtpOptions } from "./smtp-options.ts";

describe("the connection to the mail server", () => {
  it.each([
    ["smtp://mail.example.com", true],
    ["smtp://user:secret@10.0.0.7:587", true],
    ["smtp://localhost.example.com", true],
    ["smtp://mail:25?tls=optional", false],
    ["smtp://localhost:1025", false],
    ["smtp://127.0.0.1:1025", false],
    ["smtp://127.9.9.9", false],
    ["smtp://[::1]:25", false],
    ["smtp://127.0.0.1?tls=required", true],
  ])("%s requires STARTTLS: %s", (url, requireTLS) => {
    expect(smtpOptions(url)).toEqual({ url: url.replace(/\?tls=.*/, ""), requireTLS });
  });

  it("keeps other parameters and the credentials", () => {
    expect(smtpOptions("smtp://a%40b:s%3Acret@mail.example:587?tls=optional&name=us.example").url).toBe(
      "smtp://a%40b:s%3Acret@mail.example:587?name=us.example",
    );
  });

  it("uses TLS from the start with smtps", () => {
    expect(smtpOptions("smtps://mail.example.com")).toEqual({
      url: "smtps://mail.example.com",
      requireTLS: false,
    });
  });
});
