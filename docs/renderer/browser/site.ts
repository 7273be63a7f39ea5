import { type Entry, type Hit, SearchIndex, wordsOf } from "./search-index.ts";

const MAX_HITS = 8;
const EXCERPT_LENGTH = 140;

const one = <T extends HTMLElement>(selector: string, kind: new () => T): T => {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`No ${selector}`);
  return element;
};
const dialog = one("#search-dialog", HTMLDialogElement);
const input = one("#search-dialog input", HTMLInputElement);
const status = one("#search-status", HTMLParagraphElement);
const list = one("#hits", HTMLUListElement);

let index: Promise<SearchIndex> | undefined;
const loadIndex = () => {
  index ??= fetch("/docs/search.json")
    .then((response) => response.json() as Promise<Entry[]>)
    .then((entries) => new SearchIndex(entries));
  return index;
};

function openSearch() {
  if (!dialog.open) dialog.showModal();
  input.select();
  loadIndex().catch(() => {
    index = undefined;
    status.textContent = "The search could not be loaded. Check your connection and try again.";
  });
}

async function showHits() {
  const query = input.value.trim();
  const found = query === "" ? [] : (await loadIndex()).search(query, MAX_HITS);
  if (query !== input.value.trim()) return;
  list.replaceChildren(...found.map((hit) => renderHit(hit, query)));
  status.textContent =
    query === "" ? "" : found.length === 0 ? `Nothing found for “${query}”.` : `${found.length} pages`;
}

function renderHit({ entry }: Hit, query: string): HTMLElement {
  const link = document.createElement("a");
  link.href = entry.url;
  const title = document.createElement("strong");
  title.textContent = entry.heading === "" ? entry.page : `${entry.page} › ${entry.heading}`;
  const section = document.createElement("small");
  section.textContent = entry.section;
  const excerpt = document.createElement("span");
  excerpt.textContent = excerptOf(entry.text, query);
  link.append(title, section, excerpt);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function excerptOf(text: string, query: string): string {
  const lower = text.toLowerCase();
  const places = wordsOf(query)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, lower.length) - 40);
  const from = places.length === 0 ? 0 : start;
  return `${from > 0 ? "…" : ""}${text.slice(from, from + EXCERPT_LENGTH)}${text.length > from + EXCERPT_LENGTH ? "…" : ""}`;
}

one("#search", HTMLButtonElement).addEventListener("click", openSearch);
input.addEventListener("input", () => void showHits());
dialog.addEventListener("click", ({ target }) => {
  // The backdrop, or a hit on this page.
  if (target === dialog || (target instanceof Element && target.closest("a"))) dialog.close();
});
dialog.addEventListener("keydown", (event) => {
  const links = [...list.querySelectorAll("a")];
  const at = links.findIndex((link) => link.matches(":focus"));
  if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  (at + step < 0 ? input : (links[at + step] ?? links.at(-1)))?.focus();
});
document.addEventListener("keydown", (event) => {
  const isTyping =
    event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const isCommand = event.key === "k" && (event.metaKey || event.ctrlKey);
  if (!isCommand && (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey || event.altKey)) return;
  event.preventDefault();
  openSearch();
});

one("#theme", HTMLButtonElement).addEventListener("click", () => {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("theme", dataset.theme);
  } catch {
    // A browser without storage forgets the choice.
  }
});

const menu = one("#menu", HTMLButtonElement);
menu.addEventListener("click", () => {
  const isOpen = menu.getAttribute("aria-expanded") === "true";
  menu.setAttribute("aria-expanded", String(!isOpen));
  document.documentElement.classList.toggle("menu-open", !isOpen);
});

for (const block of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(commandsOf(block));
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  const frame = document.createElement("div");
  frame.className = "code";
  block.replaceWith(frame);
  frame.append(block, button);
}

/** Of a terminal session only what was typed. */
function commandsOf(block: HTMLElement): string {
  const text = block.textContent?.trimEnd() ?? "";
  if (block.dataset.language !== "console") return text;
  return text
    .split("\n")
    .filter((line) => line.startsWith("$ "))
    .map((line) => line.slice(2))
    .join("\n");
}
