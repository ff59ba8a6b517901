import { z } from "zod";
import { answerFields, inAnswer } from "../schema";

const { kind, optionId: chosen, otherText: words, note, values } = answerFields;
/**
 * An answer in an API request. Each of the two kinds has its own schema, so that a client's types
 * show which fields are required.
 */
export const EitherAnswer = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: kind.extract(["option"]).describe(inAnswer.kind),
        optionId: chosen.unwrap().describe(inAnswer.optionId),
        note,
        values,
      })
      .meta({ id: "OptionAnswer", description: "An answer with one of the options." }),
    z
      .strictObject({
        kind: kind.extract(["other"]).describe(inAnswer.kind),
        otherText: words.unwrap().describe(inAnswer.otherText),
        note,
      })
      .meta({ id: "OtherAnswer", description: "An answer in free text." }),
  ])
  .meta({
    id: "AnswerRequest",
    discriminator: {
      propertyName: "kind",
      mapping: { option: "#/$defs/OptionAnswer", other: "#/$defs/OtherAnswer" },
    },
  });
