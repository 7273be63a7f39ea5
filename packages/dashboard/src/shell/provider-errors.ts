const PROVIDER = "sign-in-provider";

/** Remembers in this tab where somebody signs in, because the answer does not name the provider. */
export const rememberProvider = (name: string) => sessionStorage.setItem(PROVIDER, name);

const TEXTS = {
  expired: () => "The sign-in took too long, was used already, or began in another browser. Try again.",
  refused: (name: string) => `${name} did not let you in.`,
  provider: (name: string) =>
    `${name} sent an answer that we cannot trust. Try again; if it stays, tell the operator.`,
  "unverified-email": (name: string) => `${name} has not verified your address.`,
  "link-needed": (name: string) =>
    `There is an account with this address. Sign in to it, then link ${name} under Settings, Sign-in.`,
  closed: () => "Registration is closed. Ask for an invitation.",
  domain: () => "Addresses of this domain cannot sign in here.",
};

export type ProviderError = keyof typeof TEXTS;
export const PROVIDER_ERRORS = Object.keys(TEXTS) as ProviderError[];

/** Why a provider's answer was refused. */
export const providerErrorText = (error: ProviderError) =>
  TEXTS[error](sessionStorage.getItem(PROVIDER) ?? "The provider");
