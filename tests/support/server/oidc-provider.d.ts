/** What tests use of the package, which has no types of its own. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";
  export default class Provider {
    constructor(issuer: string, settings: object);
    callback(): RequestListener;
  }
}
