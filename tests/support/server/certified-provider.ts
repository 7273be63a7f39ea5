import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { afterFile } from "../after-file.ts";

const SECRET = "a secret of the test";
export const OTHER_CLIENT = "another-application";

/** An OpenID provider that others have written and certified, on loopback. It lets everybody in. */
export class CertifiedProvider {
  #handle: RequestListener = () => {};
  readonly #server = createServer((request, response) => this.#handle(request, response));

  /** Listens, and returns the settings of a server at `publicUrl` that knows it. Clients authenticate by `method` only. */
  async settings(publicUrl: string, method = "client_secret_post"): Promise<Record<string, string>> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    afterFile(async () => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    const issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const client = {
      client_secret: SECRET,
      redirect_uris: [`${publicUrl}/api/auth/oidc/corp/callback`],
      token_endpoint_auth_method: method,
    };
    this.#handle = new Provider(issuer, {
      clients: ["whytrace", OTHER_CLIENT].map((id) => ({ client_id: id, ...client })),
      clientAuthMethods: [method],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "k" }] },
      cookies: { keys: [randomUUID()] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@corp.test`, email_verified: true, name: "Ada" }),
      }),
    }).callback();
    return {
      OIDC_PROVIDERS: "corp",
      OIDC_CORP_NAME: "Corp",
      OIDC_CORP_ISSUER: issuer,
      OIDC_CORP_CLIENT_ID: "whytrace",
      OIDC_CORP_CLIENT_SECRET: SECRET,
    };
  }

  /** Signs a person in as a browser does, page by page, and returns the query that the browser comes back with. */
  async signIn(location: string, login: string): Promise<URLSearchParams> {
    const cookies = new Map<string, string>();
    let url = new URL(location);
    const { origin } = url;
    let form: URLSearchParams | undefined;
    for (let pages = 0; pages < 12; pages += 1) {
      const response = await fetch(url, {
        redirect: "manual",
        method: form ? "POST" : "GET",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(form && { body: form }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get("location");
      if (next !== null) {
        url = new URL(next, url);
        if (url.origin !== origin) return url.searchParams;
        form = undefined;
        continue;
      }
      const page = await response.text();
      const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
      const [, prompt = ""] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
      if (action === undefined) throw new Error(`${response.status}: ${page.slice(0, 500)}`);
      url = new URL(action, url);
      form = new URLSearchParams({ prompt, login, password: "any" });
    }
    throw new Error("The provider did not send the browser back");
  }
}
