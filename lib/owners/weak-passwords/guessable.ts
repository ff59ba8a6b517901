/*
 * Passwords that are long and still among the first that anybody tries. A list of them would have to be long too; most are made of
 * the same few pieces, so what is counted is how much is left when each piece counts as one character.
 */

/** What commonly stands in passwords, in small letters; longer ones first where one begins with another. */
const pieces = [
  ...["password", "passwort", "passphrase", "passwd", "pass", "contrasena", "motdepasse", "qwertyuiop", "qwertzuiop"],
  ...[
    "qwerty",
    "qwertz",
    "azerty",
    "asdfghjkl",
    "asdf",
    "zxcvbnm",
    "zxcv",
    "1q2w3e4r5t",
    "1q2w3e4r",
    "q1w2e3r4",
    "1qaz2wsx",
  ],
  ...[
    "iloveyou",
    "letmein",
    "welcome",
    "willkommen",
    "administrator",
    "admin",
    "root",
    "login",
    "user",
    "guest",
    "test",
  ],
  ...[
    "changeme",
    "default",
    "secret",
    "geheim",
    "master",
    "superman",
    "batman",
    "pokemon",
    "starwars",
    "football",
    "baseball",
  ],
  ...[
    "soccer",
    "hockey",
    "princess",
    "sunshine",
    "monkey",
    "dragon",
    "shadow",
    "flower",
    "michael",
    "jennifer",
    "charlie",
  ],
  ...["summer", "winter", "spring", "autumn", "hello", "countersign", "correcthorsebatterystaple"],
];
const common = new RegExp(pieces.join("|"), "g");

/** What is written for a letter. */
const written: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

/** Fewer than this are left of what can be guessed. */
const fewest = 8;

/** Whether a password is common pieces, rows of keys, and repetitions, with little else. */
export function isGuessable(password: string): boolean {
  const plain = password.toLowerCase().replace(/[\s._-]/g, "");
  const spelt = plain.replace(/[013457@$]/g, (sign) => written[sign] ?? sign);
  return [plain, spelt].some((text) => [...withoutRuns(withoutRepeats(text.replace(common, "\0")))].length < fewest);
}

/** What is said several times in a row counts once: "aaaa", "abcabc". */
const withoutRepeats = (text: string) => text.replace(/(.+?)\1+/gsu, "$1");

/** Letters or digits that follow each other, up or down, count as one: "1234", "fedcba". */
function withoutRuns(text: string): string {
  const step = (at: number) => text.charCodeAt(at) - text.charCodeAt(at - 1);
  return Array.from(text, (_, at) => at)
    .filter((at) => at < 2 || Math.abs(step(at)) !== 1 || step(at) !== step(at - 1))
    .map((at) => text[at])
    .join("");
}
