import { formatCost } from "./format.ts";

const sign = (value: number) => (value > 0 ? "+" : value < 0 ? "−" : "");

/** `+97`, `−7`, `0`, `+2.4`. */
export const formatSigned = (value: number) => {
  const rounded = roundCount(value);
  return sign(rounded) + Math.abs(rounded).toLocaleString("en");
};

/** `+$3.42`, `−$0.03`. */
export const formatSignedCost = (usd: number) => sign(usd) + roundCost(Math.abs(usd));

/** `74 to 116`, `−7 to 10`. */
export const formatSpan = (low: number, high: number) => `${formatPlain(low)} to ${formatPlain(high)}`;

/** `3.12 to 3.72`, without the currency, both with as many digits as the larger one needs. */
export function formatCostSpan(low: number, high: number): string {
  const digits = costDigits(Math.max(Math.abs(low), Math.abs(high)));
  return [low, high].map((usd) => (usd === 0 ? "0" : usd.toFixed(digits).replace("-", "−"))).join(" to ");
}

function formatPlain(value: number) {
  const rounded = roundCount(value);
  return (rounded < 0 ? "−" : "") + Math.abs(rounded).toLocaleString("en");
}

/** Small numbers of failures keep one digit after the point. */
const roundCount = (value: number) =>
  Math.abs(value) < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);

/** Cents are enough from ten cents on. */
const costDigits = (usd: number) => (usd >= 0.1 ? 2 : usd >= 0.01 ? 3 : 4);
const roundCost = (usd: number) => (usd >= 0.01 ? `$${usd.toFixed(costDigits(usd))}` : formatCost(usd));
