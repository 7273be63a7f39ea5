import { PrivateCookie } from "../auth/private-cookie.ts";
import { FLOW_MINUTES } from "./flows.ts";

/** The cookie with the secret of a sign-in at a provider, which the browser brings back with the provider's answer. */
export class FlowCookie extends PrivateCookie {
  constructor(publicUrl: string) {
    super(publicUrl, "whytrace_oidc", FLOW_MINUTES * 60);
  }
}
