const NAMES: Readonly<Record<string, string>> = {
  password: "password",
  passkey: "passkey",
  totp: "authenticator app",
  recovery: "recovery code",
  "oidc-mfa": "second factor",
  operator: "operator's link",
};

/** How a session was proved, in words; a provider by its name in the settings of the server. */
export const methodName = (method: string) => NAMES[method] ?? method.replace(/^oidc:/, "");
