const sign = (value: number) => (value > 0 ? "+" : value < 0 ? "−" : "");

/** `+97`, `−7`, `0`, `+2.4`. */
export const formatSigned = (value: number) => {
  const rounded = roundCount(value);
  return sign(rounded) + Math.abs(rounded).toLocaleString("en");
};

/** `74 to 116`, `−7 to 10`. */
export const formatSpan = (low: number, high: number) => `${formatPlain(low)} to ${formatPlain(high)}`;

function formatPlain(value: number) {
  const rounded = roundCount(value);
  return (rounded < 0 ? "−" : "") + Math.abs(rounded).toLocaleString("en");
}

/** Small numbers keep one digit after the point. */
const roundCount = (value: number) =>
  Math.abs(value) < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
