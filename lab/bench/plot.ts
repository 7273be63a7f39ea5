interface Bar {
  label: string;
  value: number;
  /** The label at the end of the bar. */
  text: string;
}

const ROW = 26;
const LEFT = 250;
const WIDTH = 760;

/** A bar chart as SVG, for light and dark themes; `target` is a vertical line. */
export function plotBars(title: string, bars: Bar[], target?: { value: number; text: string }): string {
  const max = Math.max(target?.value ?? 0, ...bars.map(({ value }) => value)) || 1;
  const x = (value: number) => (value / max) * (WIDTH - LEFT - 130);
  const height = 54 + bars.length * ROW + (target ? 18 : 0);
  const rows = bars.map(({ label, value, text }, index) => {
    const y = 44 + index * ROW;
    return `<text x="${LEFT - 10}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>
<rect x="${LEFT}" y="${y}" width="${x(value).toFixed(1)}" height="18" rx="2"/>
<text x="${(LEFT + x(value) + 6).toFixed(1)}" y="${y + 13}">${escaped(text)}</text>`;
  });
  const at = target ? (LEFT + x(target.value)).toFixed(1) : "";
  const line = target
    ? `<line x1="${at}" y1="38" x2="${at}" y2="${44 + bars.length * ROW}"/><text x="${at}" y="${58 + bars.length * ROW}" text-anchor="middle" class="target">${escaped(target.text)}</text>`
    : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:15px}rect{fill:#2f6feb}line{stroke:#d1242f;stroke-dasharray:4 3}.target{fill:#d1242f}@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#58a6ff}line{stroke:#ff7b72}.target{fill:#ff7b72}}</style>
<text x="12" y="22" class="title">${escaped(title)}</text>
${rows.join("\n")}
${line}
</svg>
`;
}

const escaped = (text: string) => text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
