import { describe, expect, it } from "vitest";
import { compileRules } from "../compile-rules.ts";
import { Masker } from "../masker.ts";
import { VENDOR_KEYS } from "./vendor-keys.ts";

const SECRETS = compileRules({
  version: 1,
  level: "secrets",
  floor: "off",
  rules: [],
  key: Buffer.alloc(32, 7),
});
/** What is stored of a value in JSON. */
const stored = (value: unknown): string =>
  Buffer.from(new Masker(SECRETS).json(Buffer.from(JSON.stringify(value)), "input")).toString();

const VALUE = "hunter2-Sup3rS3cret!";
const FORMS: readonly string[] = [
  `DB_PASSWORD=${VALUE}`,
  "export DB_PASSWORD=correcthorse",
  `password: ${VALUE}`,
  `api_key: '${VALUE}'`,
  `api_key = "${VALUE}"`,
  `username=ann&password=${VALUE}&remember=1`,
  `https://x.test/?access_token=${VALUE}&a=1`,
  `https://api.x.test/v1?api_key=${VALUE}`,
  `{'password': '${VALUE}'}`,
  `\`\`\`json\n{"password":"${VALUE}"}\n\`\`\``,
  `data: {"password":"${VALUE}"}`,
  `{"a":1}\n{"password":"${VALUE}"}`,
  `{"password":"${VALUE}","text":"cut he`,
  `{"password":"${VALUE}"} done`,
  `{"password":"${VALUE}`,
  JSON.stringify(`{"password":"${VALUE}"} in a string`),
  `Authorization: token ${VALUE}`,
  `curl -H "X-Api-Key: ${VALUE}" https://x.test`,
  `GET / HTTP/1.1\r\nCookie: sid=${VALUE}; theme=dark\r\nAccept: */*`,
  `Set-Cookie: session=${VALUE}; HttpOnly`,
  `Server=db;User Id=sa;Password=${VALUE};`,
  `jdbc:mysql://h/db?user=root&password=${VALUE}`,
  `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${"aB1/".repeat(21)}aa==;`,
  `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY${VALUE}`,
  `the API key: ${VALUE}`,
  `client_secret => "${VALUE}"`,
  `token: ${VALUE}`,
  `SECRET_KEY := ${VALUE}`,
];

const PLAIN: readonly string[] = [
  "Forgot your password: click the link below",
  "password: string;",
  "password: str = None",
  "const password = getPassword();",
  "login(password=password, token=token)",
  'api_key = os.environ["OPENAI_API_KEY"]',
  "OPENAI_API_KEY=<your key>",
  "OPENAI_API_KEY=your_api_key_here",
  "API_KEY=$API_KEY",
  "password: ********",
  "Password: required",
  '{"password":{"type":"string","description":"The password"}',
  "max_tokens: 4096, total_tokens=1234",
  "The secret: there is none.",
  "next_token: 3 of 7",
  '"token": "Hello"',
  "The authorization: pending since 2024-11-02",
  "secret ballot = free election",
  "if (token === undefined) return",
  "password_policy: min8chars",
  "Usage: auth: bearer | basic",
  'required: ["password", "username"]',
];

describe("values behind names of secrets in texts", () => {
  it.each(FORMS)("are masked in %s", (text) => {
    for (const sent of [
      text,
      { text },
      [{ role: "user", content: `Look: ${text}` }],
      `${"lorem ipsum ".repeat(60)}${text}`,
    ])
      expect(stored(sent)).not.toMatch(/hunter2|Sup3r|correcthorse|aB1\/aB1/);
  });

  it.each(PLAIN)("are nothing else: %s", (text) => {
    for (const sent of [text, { text }, `${"lorem ipsum ".repeat(60)}${text}`])
      expect(stored(sent)).toBe(JSON.stringify(sent));
  });

  it("are masked to their end, however long they are", () => {
    for (const form of ["Cookie: a=b1; ", "password=a1", 'secret: "a1'])
      for (const sign of ["x ", "xy"]) {
        if (sign === "x " && form.startsWith("password")) continue;
        const masked = stored(`${form}${sign.repeat(2_000)}End9`);
        expect([form, masked.length < 60, masked.includes("End9")]).toEqual([form, true, false]);
      }
  });

  it("are masked in pairs of name and value, and lists of names stay", () => {
    const pairs = [
      {
        headers: [
          ["authorization", VALUE],
          ["x-api-key", VALUE],
          ["accept", "a1b2c3d4"],
        ],
      },
      {
        har: [
          { name: "Authorization", value: VALUE },
          { key: "password", value: VALUE },
          { name: "accept", value: "*/*" },
        ],
      },
      { env: [{ name: "DB_PASSWORD", value: "letters" }] },
    ];
    for (const pair of pairs) {
      const text = stored(pair);
      expect(text).not.toMatch(/hunter2|letters/);
      expect(JSON.parse(stored(JSON.stringify(pair)))).toBe(text);
    }
    expect(stored(pairs[0])).toContain("a1b2c3d4");
    expect(
      new Masker(SECRETS).value({ attributes: [{ name: "api_key", value: VALUE }] }, "metadata"),
    ).toEqual({
      attributes: [{ name: "api_key", value: "[secret]" }],
    });
    for (const names of [
      { required: ["password", "username1"] },
      { fields: [["password", "username"]] },
      { name: "password", type: "string" },
    ])
      expect(stored(names)).toBe(JSON.stringify(names));
  });

  it("are masked under names that often are those of secrets if they look like one", () => {
    const names = [
      "token",
      "auth",
      "pass",
      "jwt",
      "bot_token",
      "credentials",
      "api_token",
      "passwords",
      "connection_string",
    ];
    for (const name of names)
      expect([name, stored({ [name]: VALUE })]).toEqual([name, `{"${name}":"[secret]"}`]);
    for (const plain of [
      { token: "Hel", logprob: -0.1 },
      { auth: "none" },
      { pass: true },
      { token: "information" },
    ])
      expect(stored(plain)).toBe(JSON.stringify(plain));
  });
});

describe("keys of vendors", () => {
  const KEYS = {
    groq: `gsk_${"aB1".repeat(17)}a`,
    sendgrid: `SG.${"aB1_".repeat(5)}aa.${"cD2-".repeat(10)}abc`,
    vault: `hvs.${"aB1".repeat(30)}`,
    google: `ya29.${"aB1_".repeat(30)}`,
    xai: `xai-${"aB1".repeat(26)}`,
    langfuse: "sk-lf-12345678-1234-1234-1234-123456789abc",
    langsmith: `lsv2_pt_${"0a".repeat(16)}_0a1b2c3d4e`,
    replicate: `r8_${"aB1".repeat(12)}a`,
    perplexity: `pplx-${"0a".repeat(24)}`,
    pinecone: `pcsk_${"aB1".repeat(20)}`,
    databricks: `dapi${"0a".repeat(16)}`,
    slack: "https://hooks.slack.com/services/T0ABCDEF1/B0ABCDEF2/aB1cD2eF3gH4iJ5kL6mN7oP8",
    discord: `https://discord.com/api/webhooks/123456789012345678/${"aB1".repeat(22)}`,
    brevo: `xkeysib-${"0a".repeat(32)}-${"xY9z".repeat(4)}`,
    dynatrace: `dt0c01.${"aB1x".repeat(6)}.${"zY2w".repeat(16)}`,
    teams: `https://acme.webhook.office.com/webhookb2/12345678-1234-1234-1234-123456789abc@12345678-1234-1234-1234-123456789abc/IncomingWebhook/${"0a".repeat(16)}/12345678-1234-1234-1234-123456789abc`,
    gitlab: `Cookie _gitlab_session=${"0z".repeat(16)}`,
    openshift: `sha256~${"aB1_".repeat(10)}aB1`,
    plaid: "access-production-12345678-1234-1234-1234-123456789abc",
    octopus: `API-${"A1".repeat(13)}`,
    pgp: "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----",
    truncated:
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\nMIIEaaaaSECRETbody",
  };
  it.each(Object.entries(KEYS))("of %s are masked wherever they stand", (_, key) => {
    for (const text of [key, `use ${key} now`, `"${key}"`, `${"lorem ipsum ".repeat(60)}key=${key}`]) {
      expect(stored(text)).toContain("[secret]");
      expect(stored(text)).not.toContain(key.slice(-8));
    }
  });

  it("are masked in their shortest form, whatever stands before them in a payload", () => {
    const shortest = VENDOR_KEYS.map(({ prefix, characters, min }) => {
      const letters = [..."aB1A0b"].filter((letter) => characters[letter.charCodeAt(0)] === 1);
      return prefix + Array.from({ length: min }, (_, index) => letters[index % letters.length]).join("");
    });
    const stays = shortest.filter((key) =>
      [`use ${key} now`, `${"lorem ipsum ".repeat(60)}(${key})`].some((text) => stored(text).includes(key)),
    );
    expect(stays).toEqual([]);
  });
});
