import { expect, it } from "vitest";
import { isGuessable } from "./guessable";

it.each([
  "password12345678",
  "passwordpassword",
  "Password123!Password123!",
  "P@ssw0rd.P@ssw0rd",
  "aaaaaaaaaaaaaaa",
  "abcabcabcabcabcabc",
  "123456789012345",
  "987654321987654321",
  "abcdefghijklmnop",
  "qwertyuiopasdfghjkl",
  "1q2w3e4r5t1q2w3e4r5t",
  "iloveyouiloveyou",
  "countersign12345",
  "correct horse battery staple",
  "                ",
  "admin-admin-admin",
])("recognizes the password %s as guessable", (password) => expect(isGuessable(password)).toBe(true));

it.each([
  "four words in a row",
  "fifteen at least",
  "a long password of mine",
  "a sentence that is long enough",
  "wdkvojpncgyebrs",
  "T7#kq9!mZ2@wR5x",
  "вчера шёл мелкий дождь",
  "昨日は小雨が降っていましたね今日",
  "my password is a dragon of sorts",
])("accepts the password %s", (password) => expect(isGuessable(password)).toBe(false));
