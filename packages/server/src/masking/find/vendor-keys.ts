import { charactersWhere, type RunCharacters } from "./find-in-runs.ts";

interface VendorKey {
  prefix: string;
  /** What follows the prefix, and how many characters of it. */
  characters: RunCharacters;
  min: number;
  max: number;
}

/**
 * How keys of vendors look: prefixes and lengths as documentation and the rules of gitleaks (see NOTICE) give them. Each prefix has a length
 * that texts with the same beginning do not reach.
 */
const KEYS: readonly [vendor: string, prefix: string, rest: string][] = [
  ["OpenAI", "sk-proj-", "[\\w-]{20,}"],
  ["OpenAI", "sk-svcacct-", "[\\w-]{20,}"],
  ["OpenAI", "sk-admin-", "[\\w-]{20,}"],
  ["Anthropic", "sk-ant-", "[\\w-]{20,}"],
  ["OpenRouter", "sk-or-", "[\\w-]{20,}"],
  ["OpenAI", "sk-", "[A-Za-z\\d]{32,}"],
  ["Stripe", "sk_live_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "sk_test_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "rk_live_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "rk_test_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "whsec_", "[A-Za-z\\d]{24,}"],
  ["GitHub", "ghp_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "gho_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "ghu_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "ghs_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "ghr_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "github_pat_", "\\w{40,}"],
  ["GitLab", "glpat-", "[\\w-]{20,}"],
  ["Slack", "xoxa-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxb-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxe-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxp-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxr-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxs-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xapp-", "[A-Za-z\\d-]{20,}"],
  ["AWS", "AKIA", "[A-Z\\d]{16}"],
  ["AWS", "ASIA", "[A-Z\\d]{16}"],
  ["Google", "AIza", "[\\w-]{35}"],
  ["Google", "GOCSPX-", "[\\w-]{28}"],
  ["Hugging Face", "hf_", "[A-Za-z\\d]{30,}"],
  ["npm", "npm_", "[A-Za-z\\d]{36}"],
  ["PyPI", "pypi-", "[\\w-]{50,}"],
  ["DigitalOcean", "dop_v1_", "[a-f\\d]{64}"],
  ["DigitalOcean", "doo_v1_", "[a-f\\d]{64}"],
  ["DigitalOcean", "dor_v1_", "[a-f\\d]{64}"],
  ["OpenAI", "sess-", "[A-Za-z\\d]{40,}"],
  ["Langfuse", "sk-lf-", "[a-f\\d-]{36}"],
  ["LangSmith", "lsv2_pt_", "[a-f\\d_]{32,}"],
  ["LangSmith", "lsv2_sk_", "[a-f\\d_]{32,}"],
  ["LangSmith", "ls__", "[a-f\\d]{32}"],
  ["Groq", "gsk_", "[A-Za-z\\d]{48,}"],
  ["xAI", "xai-", "[A-Za-z\\d]{60,}"],
  ["Perplexity", "pplx-", "[A-Za-z\\d]{40,}"],
  ["Replicate", "r8_", "[A-Za-z\\d]{37,}"],
  ["Pinecone", "pcsk_", "\\w{40,}"],
  ["Tavily", "tvly-", "[\\w-]{28,}"],
  ["Firecrawl", "fc-", "[a-f\\d]{32}"],
  ["Databricks", "dapi", "[a-f\\d]{32}"],
  ["Supabase", "sbp_", "[a-f\\d]{40}"],
  ["Supabase", "sb_secret_", "[\\w-]{20,}"],
  ["AWS Bedrock", "ABSK", "[A-Za-z\\d+/]{100,}"],
  ["AWS", "ABIA", "[A-Z\\d]{16}"],
  ["AWS", "ACCA", "[A-Z\\d]{16}"],
  ["Google", "ya29.", "[\\w-]{30,}"],
  ["SendGrid", "SG.", "[\\w.=-]{60,}"],
  ["Mailgun", "key-", "[a-f\\d]{32}"],
  ["Brevo", "xkeysib-", "[A-Za-z\\d-]{60,}"],
  ["HashiCorp Vault", "hvs.", "[\\w-]{24,}"],
  ["HashiCorp Vault", "hvb.", "[\\w-]{24,}"],
  ["Doppler", "dp.pt.", "[A-Za-z\\d]{40,}"],
  ["Shopify", "shpat_", "[a-fA-F\\d]{32}"],
  ["Shopify", "shpca_", "[a-fA-F\\d]{32}"],
  ["Shopify", "shppa_", "[a-fA-F\\d]{32}"],
  ["Shopify", "shpss_", "[a-fA-F\\d]{32}"],
  ["Notion", "ntn_", "[A-Za-z\\d]{40,}"],
  ["Linear", "lin_api_", "[A-Za-z\\d]{32,}"],
  ["Atlassian", "ATATT3", "[\\w=-]{60,}"],
  ["GitLab", "glrt-", "[\\w-]{20,}"],
  ["GitLab", "gldt-", "[\\w-]{20,}"],
  ["GitLab", "glptt-", "[a-f\\d]{40}"],
  ["GitLab", "glsoat-", "[\\w-]{20,}"],
  ["GitLab", "gloas-", "[\\w-]{40,}"],
  ["Grafana", "glsa_", "\\w{40,}"],
  ["Grafana", "glc_", "[A-Za-z\\d+/=]{32,}"],
  ["Vercel", "vercel_blob_rw_", "\\w{24,}"],
  ["Fly.io", "fo1_", "[\\w-]{43}"],
  ["PlanetScale", "pscale_tkn_", "[\\w.=-]{32,}"],
  ["PlanetScale", "pscale_pw_", "[\\w.=-]{32,}"],
  ["PlanetScale", "pscale_oauth_", "[\\w.=-]{32,}"],
  ["Postman", "PMAK-", "[a-f\\d-]{50,}"],
  ["Pulumi", "pul-", "[a-f\\d]{40}"],
  ["Prefect", "pnu_", "[A-Za-z\\d]{36}"],
  ["RubyGems", "rubygems_", "[a-f\\d]{48}"],
  ["Sentry", "sntrys_", "[\\w+/=]{40,}"],
  ["Sentry", "sntryu_", "[a-f\\d]{64}"],
  ["Dynatrace", "dt0c01.", "[A-Za-z\\d.]{80,}"],
  ["Duffel", "duffel_live_", "[\\w=-]{40,}"],
  ["age", "AGE-SECRET-KEY-1", "[A-Z\\d]{50,}"],
  ["Slack", "hooks.slack.com/services/", "[\\w+/]{24,}"],
  ["Slack", "hooks.slack.com/workflows/", "[\\w+/]{24,}"],
  ["Slack", "hooks.slack.com/triggers/", "[\\w+/]{24,}"],
  ["Discord", "discord.com/api/webhooks/", "[\\w/-]{60,}"],
  ["Discord", "discordapp.com/api/webhooks/", "[\\w/-]{60,}"],
  ["Stripe", "sk_prod_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "rk_prod_", "[A-Za-z\\d]{16,}"],
  ["AWS", "A3T", "[A-Z\\d]{17}"],
  ["AWS Bedrock", "bedrock-api-key-", "[A-Za-z\\d+/=]{40,}"],
  ["1Password", "ops_eyJ", "[A-Za-z\\d+/=]{200,}"],
  ["1Password", "A3-", "[A-Z\\d-]{36,}"],
  ["Adobe", "p8e-", "[A-Za-z\\d]{32}"],
  ["Alibaba", "LTAI", "[A-Za-z\\d]{20}"],
  ["Artifactory", "AKCp", "[A-Za-z\\d]{69}"],
  ["Artifactory", "cmVmd", "[A-Za-z\\d]{59}"],
  ["Authress", "authress_", "[\\w.+/=-]{50,}"],
  ["Authress", "scauth_", "[\\w.+/=-]{50,}"],
  ["ClickHouse", "4b1d", "[A-Za-z\\d]{38}"],
  ["Clojars", "CLOJARS_", "[A-Za-z\\d]{60}"],
  ["Cloudflare", "v1.0-", "[a-f\\d-]{171}"],
  ["Defined Networking", "dnkey-", "[\\w=-]{79}"],
  ["Dropbox", "sl.", "[\\w=-]{130,}"],
  ["Duffel", "duffel_test_", "[\\w=-]{40,}"],
  ["EasyPost", "EZAK", "[A-Za-z\\d]{54}"],
  ["EasyPost", "EZTK", "[A-Za-z\\d]{54}"],
  ["Facebook", "EAAC", "[A-Za-z\\d]{100,}"],
  ["Facebook", "EAAM", "[A-Za-z\\d]{100,}"],
  ["Flutterwave", "FLWSECK_TEST-", "[A-Za-z\\d]{12,}"],
  ["Fly.io", "fm1a_", "[A-Za-z\\d+/=]{100,}"],
  ["Fly.io", "fm1r_", "[A-Za-z\\d+/=]{100,}"],
  ["Fly.io", "fm2_", "[A-Za-z\\d+/=]{100,}"],
  ["Frame.io", "fio-u-", "[\\w=-]{64}"],
  ["GitLab", "_gitlab_session=", "[a-z\\d]{32}"],
  ["GitLab", "glagent-", "[\\w-]{50,}"],
  ["GitLab", "glcbt-", "[\\w-]{22,}"],
  ["GitLab", "glffct-", "[\\w-]{20,}"],
  ["GitLab", "glft-", "[\\w-]{20,}"],
  ["GitLab", "glimt-", "[\\w-]{25,}"],
  ["GitLab", "GR1348941", "[\\w-]{20,}"],
  ["Grafana", "eyJrIjoi", "[A-Za-z\\d=]{70,}"],
  ["Harness", "pat.", "[\\w.-]{68}"],
  ["Harness", "sat.", "[\\w.-]{68}"],
  ["Heroku", "HRKU-AA", "[\\w-]{58}"],
  ["Hugging Face", "api_org_", "[A-Za-z]{34}"],
  ["Infracost", "ico-", "[A-Za-z\\d]{32}"],
  ["Intra 42", "s-s4t2af-", "[a-f\\d]{64}"],
  ["Intra 42", "s-s4t2ud-", "[a-f\\d]{64}"],
  ["Microsoft Teams", "webhook.office.com/webhookb2/", "[\\w@/-]{80,}"],
  ["New Relic", "NRAK-", "[A-Za-z\\d]{27}"],
  ["New Relic", "NRII-", "[\\w-]{32}"],
  ["New Relic", "NRJS-", "[a-f\\d]{19}"],
  ["Octopus Deploy", "API-", "[A-Z\\d]{26}"],
  ["OpenShift", "sha256~", "[\\w-]{43}"],
  ["Plaid", "access-development-", "[a-f\\d-]{36}"],
  ["Plaid", "access-production-", "[a-f\\d-]{36}"],
  ["Plaid", "access-sandbox-", "[a-f\\d-]{36}"],
  ["ReadMe", "rdme_", "[a-z\\d]{70}"],
  ["Scalingo", "tk-us-", "[\\w-]{48}"],
  ["SettleMint", "sm_aat_", "[A-Za-z\\d]{16}"],
  ["SettleMint", "sm_pat_", "[A-Za-z\\d]{16}"],
  ["SettleMint", "sm_sat_", "[A-Za-z\\d]{16}"],
  ["Shippo", "shippo_live_", "[a-fA-F\\d]{40}"],
  ["Shippo", "shippo_test_", "[a-fA-F\\d]{40}"],
  ["SonarQube", "sqa_", "[\\w=-]{40}"],
  ["SonarQube", "sqp_", "[\\w=-]{40}"],
  ["SonarQube", "squ_", "[\\w=-]{40}"],
  ["Sourcegraph", "sgp_", "[a-fA-F\\d_]{40,}"],
  ["Sourcegraph", "sgp_local_", "[a-fA-F\\d]{40}"],
  ["Square", "EAAA", "[\\w-]{60}"],
  ["Square", "sq0atp-", "[\\w-]{22,}"],
  ["Typeform", "tfp_", "[\\w.=-]{59}"],
  ["a JSON Web Token in base64", "ZXlK", "[\\w+/=-]{60,}"],
  ["Whytrace", "wt_", "[A-Za-z\\d]{36}"],
];

export const VENDOR_KEYS: readonly VendorKey[] = KEYS.map(([, prefix, rest]) => {
  const [, set = "", min, isOpen] = /^(.+)\{(\d+)(,?)\}$/.exec(rest) ?? [];
  const inSet = new RegExp(set);
  return {
    prefix,
    characters: charactersWhere((code) => inSet.test(String.fromCharCode(code))),
    min: Number(min),
    max: isOpen ? Number.POSITIVE_INFINITY : Number(min),
  };
});

/** By their first three letters. */
const BY_BEGINNING: ReadonlyMap<number, readonly VendorKey[]> = Map.groupBy(VENDOR_KEYS, ({ prefix }) =>
  beginningOf(prefix.charCodeAt(0), prefix.charCodeAt(1), prefix.charCodeAt(2)),
);
const NO_KEYS: readonly VendorKey[] = [];

/** A 1 where the last five bits of three characters are those of the beginning of a key: few words have them. */
const MAY_BEGIN = new Uint8Array(32_768);
const bitsOf = (first: number, second: number, third: number) =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
for (const { prefix } of VENDOR_KEYS)
  MAY_BEGIN[bitsOf(prefix.charCodeAt(0), prefix.charCodeAt(1), prefix.charCodeAt(2))] = 1;

export const mayBeginKey = (first: number, second: number, third: number): boolean =>
  MAY_BEGIN[bitsOf(first, second, third)] === 1;

/** The kinds of keys that begin with three characters. */
export const vendorKeys = (first: number, second: number, third: number): readonly VendorKey[] =>
  mayBeginKey(first, second, third)
    ? (BY_BEGINNING.get(beginningOf(first, second, third)) ?? NO_KEYS)
    : NO_KEYS;

function beginningOf(first: number, second: number, third: number): number {
  return (first << 16) | (second << 8) | third;
}
