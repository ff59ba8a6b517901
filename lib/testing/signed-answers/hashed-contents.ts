import type { HashedContent } from "./vectors";

/*
 * Contents of questions with the canonical JSON (RFC 8785) that their hash covers. The service and
 * the clients in TypeScript, Python and Go all compute the same hash.
 */

const asked = { question: "Pay?", options: [{ id: "yes", label: "Yes" }], risk: "high" };
const options = '"options":[{"id":"yes","label":"Yes"}]';
const plain = `{${options},"question":"Pay?","risk":"high"`;
const onlyOwner = `{${options},"ownerOnly":true,"question":"Pay?","risk":"high"`;

const signedByOwner = (value: unknown, canonical: string): HashedContent => ({
  name: `signedByOwner ${JSON.stringify(value)}`,
  content: { ...asked, signedByOwner: value },
  canonical,
});

export const hashedContents: HashedContent[] = [
  { name: "no signedByOwner", content: asked, canonical: `${plain}}` },
  signedByOwner(true, `${onlyOwner},"signedByOwner":true}`),
  signedByOwner("in-lens", `${onlyOwner},"signedByOwner":"in-lens"}`),
  signedByOwner("when-possible", `${plain},"signedByOwner":"when-possible"}`),
  signedByOwner(false, `${plain}}`),
  signedByOwner(null, `${plain}}`),
  signedByOwner("a later value", `${plain},"signedByOwner":"a later value"}`),
  {
    name: "signedByOwner true with ownerOnly",
    content: { ...asked, ownerOnly: true, signedByOwner: true },
    canonical: `${onlyOwner},"signedByOwner":true}`,
  },
  {
    name: "signedByOwner when-possible with ownerOnly",
    content: { ...asked, ownerOnly: true, signedByOwner: "when-possible" },
    canonical: `${onlyOwner},"signedByOwner":"when-possible"}`,
  },
  { name: "empty fields", content: { ...asked, fields: {} }, canonical: `${plain}}` },
  {
    name: "fields",
    content: {
      question: "Pay?",
      fields: { type: "object", required: ["rate"], properties: { rate: { type: "number", minimum: 1e-7 * 10 } } },
      options: [
        { label: "Yes", id: "yes", fields: true },
        { id: "no", label: "No", fields: false },
      ],
    },
    canonical:
      '{"fields":{"properties":{"rate":{"minimum":0.000001,"type":"number"}},"required":["rate"],"type":"object"},' +
      '"options":[{"fields":true,"id":"yes","label":"Yes"},{"id":"no","label":"No"}],"question":"Pay?"}',
  },
  {
    name: "false flags and empty lists",
    content: { ...asked, once: false, ownerOnly: false, facts: [], additions: [] },
    canonical: `${plain}}`,
  },
  {
    name: "null members",
    content: {
      ...asked,
      options: [{ id: "yes", label: "Yes", note: null, style: null, fields: null }],
      ...{ fields: null, facts: null, additions: null, once: null, ownerOnly: null },
      ...{ backgroundContext: null, recommendation: null, expiresAt: null, defaultOptionId: null },
    },
    canonical: `${plain}}`,
  },
  {
    name: "empty texts",
    content: { ...asked, options: [{ id: "yes", label: "Yes", note: "" }], backgroundContext: "" },
    canonical:
      '{"backgroundContext":"","options":[{"id":"yes","label":"Yes","note":""}],"question":"Pay?","risk":"high"}',
  },
  {
    name: "all members",
    content: {
      ...{ question: 'Pay \u2028 "it"?\n', risk: "low", once: true, recommendation: "yes" },
      ...{
        backgroundContext: "Why\t🙂 \\",
        expiresAt: 32_503_680_000_000,
        facts: [{ value: "86.40 €", label: "Sum" }],
      },
      options: [{ style: "danger", note: "Now", label: "Yes", id: "yes" }],
      additions: [{ text: "More", createdAt: 5, by: "app" }],
    },
    canonical:
      '{"additions":[{"createdAt":5,"text":"More"}],"backgroundContext":"Why\\t🙂 \\\\","expiresAt":32503680000000,' +
      '"facts":[{"label":"Sum","value":"86.40 €"}],"once":true,' +
      '"options":[{"id":"yes","label":"Yes","note":"Now","style":"danger"}],' +
      '"question":"Pay \u2028 \\"it\\"?\\n","recommendation":"yes","risk":"low"}',
  },
];
