import { expect, it } from "vitest";
import { mayMatch, typeBits } from "./may-match.ts";
import { isSecretName, isWholeSecretName } from "./secret-names.ts";

const NAMES = [
  "password DB_PASSWORD pass.word passphrase client-secret X-Api-Key apiKey api_key_ authorization Set-Cookie accessToken idtoken",
  "session_token passwords credentials CREDENTIAL connectionString webhook_url token auth jwt sid sig otp cookies private-key-pem",
]
  .join(" ")
  .split(" ");
/** How a name and its value are written in JSON, or in a text in JSON. */
const FORMS: readonly ((name: string) => string)[] = [
  (name) => `{"${name}":"x"}`,
  (name) => `{"${name}" :\n"x"}`,
  (name) => `{"${name}"\t: "x"}`,
  (name) => `{"a":"{\\"${name}\\":\\"x\\"}"}`,
  (name) => `{"a":"{\\"${name}\\"\\n:\\"x\\"}"}`,
  (name) => `{"a":"{\\"${name}\\"\\u0020\\u0009:\\"x\\"}"}`,
  (name) => `{"a":"{\\"${name}\\"\\u000a\\u000D:\\"x\\"}"}`,
  (name) => `"${name}=x"`,
  (name) => `"${name}  = x"`,
  (name) => `"${name}: x"`,
  (name) => `"{'${name}': 'x'}"`,
  (name) => `"\`${name}\`: x"`,
  (name) => `{"name":"${name}","value":"x"}`,
  (name) => `{"name": "${name}", "value": "x"}`,
  (name) => `{"headers":[["${name}","x"]]}`,
];
const BITS = typeBits(["secret", "key"]);
const isFound = (json: string) => {
  const bytes = Buffer.from(json);
  return mayMatch(bytes, 0, bytes.length, BITS);
};

it("sees each name of a secret, however it is written, in a short payload and at any place of a long one", () => {
  expect(NAMES.filter((name) => !isSecretName(name) && !isWholeSecretName(name))).toEqual([]);
  const words = `${"lorem ipsum dolor ".repeat(30)}`;
  const missed = NAMES.flatMap((name) =>
    FORMS.map((form) => form(name)).filter(
      (json) =>
        !isFound(json) || [0, 1, 2, 3].some((shift) => !isFound(`{"${words}${".".repeat(shift)}":${json}}`)),
    ),
  );
  expect(missed).toEqual([]);
});

it("does not stop at names of one or two letters, and at those that end like other words", () => {
  for (const json of [`{"x":1,"id":2,"name":"a","value":"b"}`, `"10:00, note: see below = 12"`])
    expect(isFound(json)).toBe(false);
});
