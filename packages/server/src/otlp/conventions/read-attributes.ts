import { parsed, rawJson } from "../decode/attribute-value.ts";
import type { Attributes, OtlpValue } from "../decode/otlp-span.ts";
import { ATTRIBUTE_RULES, FLATTENED_LISTS, type FlattenedList } from "./conventions.ts";
import { SLOT_READERS, type Slot, type Slots } from "./slots.ts";

type ContentSlot = (typeof CONTENT_SLOTS)[number];
const CONTENT_SLOTS = [
  "input",
  "output",
  "system",
  "text",
  "toolCalls",
  "reasoning",
  "decisionState",
  "decisionQuestions",
  "decisionAnswers",
] as const satisfies Slot[];
const isContent: ReadonlySet<Slot> = new Set(CONTENT_SLOTS);

/** An attribute that holds content: what went into a span, or what came out of it. */
export class Content {
  readonly slot: ContentSlot;
  readonly rank: number;
  readonly key: string;
  readonly value: unknown;
  /** Whether it has become a part of the span's input or output. */
  isUsed = false;
  #parsed: unknown;

  constructor(slot: ContentSlot, key: string, value: unknown, rank: number) {
    this.slot = slot;
    this.key = key;
    this.value = value;
    this.rank = rank;
  }

  /** The value, parsed if it is JSON. It is needed several times, so it is kept. */
  get parsed(): unknown {
    this.#parsed ??= parsed(this.value);
    return this.#parsed;
  }

  get isJson() {
    return typeof this.parsed !== "string";
  }

  /** The value to be stored. */
  get payload(): unknown {
    return typeof this.value === "string" && this.isJson ? rawJson(this.value) : this.value;
  }

  get jsonText(): string {
    return typeof this.value === "string" && this.isJson ? this.value : JSON.stringify(this.value);
  }
}

/** A list that was flattened into attributes. */
interface Flattened {
  name: string;
  slot: FlattenedList["slot"];
  entries: [path: string, value: OtlpValue][];
  isUsed: boolean;
}

/** What the attributes of a span say, by slot, from one pass over them. */
export class SpanReading {
  readonly slots: Partial<Slots> = {};
  readonly #ranks: Partial<Record<Slot, number>> = {};
  /** Also of slots that several attributes fill. */
  readonly contents: Content[] = [];
  readonly flattened: Flattened[] = [];
  /** The attributes that are not content. */
  readonly others: [key: string, value: OtlpValue][] = [];

  read(attributes: Attributes) {
    for (const [key, value] of attributes) this.readAttribute(key, value);
  }

  /** With `laterBy`, the attribute counts only where no other fills its slot. */
  readAttribute(key: string, value: OtlpValue, laterBy = 0) {
    const rule = ATTRIBUTE_RULES.get(key);
    if (!rule) {
      this.#readUnknown(key, value);
      return;
    }
    if (isContentSlot(rule.slot)) this.addContent(rule.slot, key, value, rule.rank + laterBy);
    else this.others.push([key, value]);
    this.#fill(rule.slot, rule.rank + laterBy, value);
  }

  addContent(slot: ContentSlot, key: string, value: unknown, rank: number) {
    if (value !== null && value !== "") this.contents.push(new Content(slot, key, value, rank));
  }

  #fill<Name extends Slot>(slot: Name, rank: number, value: OtlpValue) {
    if ((this.#ranks[slot] ?? Number.POSITIVE_INFINITY) <= rank) return;
    const read = SLOT_READERS[slot](value);
    if (read === undefined) return;
    this.slots[slot] = read;
    this.#ranks[slot] = rank;
  }

  #readUnknown(key: string, value: OtlpValue) {
    const list = flattenedList(key);
    if (!list) {
      this.others.push([key, value]);
      return;
    }
    const entry: [string, OtlpValue] = [key.slice(list.prefix.length), value];
    const known = this.flattened.find(({ name }) => name === list.name);
    if (known) known.entries.push(entry);
    else this.flattened.push({ name: list.name, slot: list.slot, entries: [entry], isUsed: false });
  }

  flattenedIn(slot: Flattened["slot"]): Flattened | undefined {
    return this.flattened.find((list) => list.slot === slot);
  }

  /** The contents of a slot, the best first. */
  contentsOf(slot: ContentSlot): Content[] {
    return this.contents.filter((content) => content.slot === slot).sort((a, b) => a.rank - b.rank);
  }
}

const isContentSlot = (slot: Slot): slot is ContentSlot => isContent.has(slot);

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function flattenedList(key: string): FlattenedList | undefined {
  if (!key.startsWith("llm.") && !key.startsWith("gen_ai.")) return undefined;
  return FLATTENED_LISTS.find(
    ({ prefix }) => key.startsWith(prefix) && isDigit(key.charCodeAt(prefix.length)),
  );
}
