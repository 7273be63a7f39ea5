import type { Random } from "@whytrace/demo";
import { zipfWord } from "./lexicon.ts";
import { capitalized, type Topic } from "./topic.ts";

const TOPIC_SHARE = 0.05;

/** Writes paragraphs and lists of this many characters, with the word frequencies of natural language. */
export function generateProse(random: Random, topic: Topic, characters: number): string {
  let text = "";
  while (text.length < characters) {
    if (text !== "") text += random.chance(0.25) ? "\n\n" : random.chance(0.15) ? "\n- " : " ";
    text += generateSentence(random, topic);
  }
  return text.slice(0, characters);
}

function generateSentence(random: Random, topic: Topic): string {
  let sentence = capitalized(generateWord(random, topic));
  for (let length = random.between(5, 22); length > 0; length -= 1) {
    const draw = random.next();
    sentence += draw < 0.06 ? ", " : draw < 0.07 ? " - " : " ";
    sentence +=
      draw > 0.98
        ? `\`${random.pick(topic.identifiers)}\``
        : draw > 0.96
          ? String(random.between(1, 5_000))
          : draw > 0.95
            ? `"${generateWord(random, topic)}"`
            : generateWord(random, topic);
  }
  return `${sentence}${random.chance(0.08) ? "?" : "."}`;
}

const generateWord = (random: Random, topic: Topic) =>
  random.chance(TOPIC_SHARE) ? random.pick(topic.words) : zipfWord(random);
