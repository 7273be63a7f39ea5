import { randomInt } from "node:crypto";

/** None that are mistaken for another one. */
const CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 10;

/** For regular expressions. */
export const SLUG_PATTERN = `[${CHARACTERS}]{${LENGTH}}`;

/** 49 random bits. It is no secret, but must not say anything. */
export const randomSlug = () =>
  Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
