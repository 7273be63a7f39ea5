import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterFile } from "../after-file.ts";
import { Client, type TestResponse } from "./client.ts";

const CLIENT_ID = "whytrace";
const CLIENT_SECRET = "a secret of the test";

/** Who signs in at the provider. */
export interface ProviderAccount {
  sub: string;
  email: string;
}

/** What the provider does otherwise than an honest one. */
interface Lies {
  claims?: Record<string, unknown>;
  key?: KeyObject;
  alg?: string;
}

/** What a browser comes back with. */
interface ComingBack {
  query: URLSearchParams;
  cookie: string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An OpenID provider on loopback that signs everybody in, and can lie. */
export class TestIdentityProvider {
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #codes = new Map<string, { challenge: string | null; idToken: string }>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #id: string;
  issuer = "";

  constructor(id: string) {
    this.#id = id;
  }

  /** Listens, and returns the settings of a server that knows it. */
  async settings(): Promise<Record<string, string>> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    afterFile(async () => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const prefix = `OIDC_${this.#id.toUpperCase()}`;
    return {
      OIDC_PROVIDERS: this.#id,
      [`${prefix}_NAME`]: "Corp",
      [`${prefix}_ISSUER`]: this.issuer,
      [`${prefix}_CLIENT_ID`]: CLIENT_ID,
      [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
    };
  }

  /** Signs somebody in at the page that `location` names; `cookie` is what the server set with it. */
  signIn(
    started: TestResponse | { location: string; cookie: string },
    { sub, email }: ProviderAccount,
    { claims, key = this.#keys.privateKey, alg = "RS256" }: Lies = {},
  ): ComingBack {
    const { location, cookie } =
      "location" in started
        ? started
        : { location: started.headers.get("location") ?? "", cookie: cookiesOf(started) };
    const asked = new URL(location).searchParams;
    const now = Math.floor(Date.now() / 1_000);
    const content = `${encode({ alg, kid: "k", typ: "JWT" })}.${encode({
      iss: this.issuer,
      aud: CLIENT_ID,
      sub,
      email,
      email_verified: true,
      name: "Ada",
      nonce: asked.get("nonce"),
      iat: now,
      exp: now + 60,
      auth_time: now,
      ...claims,
    })}`;
    const signature = alg === "none" ? "" : createSign("RSA-SHA256").update(content).sign(key, "base64url");
    const code = randomUUID();
    this.#codes.set(code, { challenge: asked.get("code_challenge"), idToken: `${content}.${signature}` });
    return {
      query: new URLSearchParams({ code, state: asked.get("state") ?? "", iss: this.issuer }),
      cookie,
    };
  }

  /** The whole way of a new browser: to the provider and back. */
  async walk(client: Client, account: ProviderAccount, lies?: Lies, next = "/"): Promise<TestResponse> {
    const path = `/api/auth/oidc/${this.#id}?next=${encodeURIComponent(next)}`;
    const started = await new Client(client.url).get(path);
    return this.comeBack(client, this.signIn(started, account, lies));
  }

  comeBack(client: Client, { query, cookie }: ComingBack): Promise<TestResponse> {
    return new Client(client.url, cookie).get(`/api/auth/oidc/${this.#id}/callback?${query}`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const send = (value: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const { issuer } = this;
    if (request.url === "/.well-known/openid-configuration")
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
      });
    if (request.url === "/jwks")
      return send({
        keys: [{ ...this.#keys.publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }],
      });
    if (request.url !== "/token") return send({}, 404);
    const form = new URLSearchParams(await text(request));
    const code = form.get("code") ?? "";
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (form.get("client_secret") !== CLIENT_SECRET || known?.challenge !== challenge)
      return send({ error: "invalid_grant" }, 400);
    return send({
      access_token: randomUUID(),
      token_type: "Bearer",
      expires_in: 60,
      id_token: known.idToken,
    });
  }
}

export const cookiesOf = ({ headers }: TestResponse) =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
