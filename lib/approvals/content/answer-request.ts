import { z } from "zod";
import { answerFields, inAnswer } from "../schema";

const { kind, optionId: chosen, otherText: words, note } = answerFields;
/** The schema of an answer's rule: two kinds, each with its own fields. */
export const EitherAnswer = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: kind.extract(["option"]).describe(inAnswer.kind),
        optionId: chosen.unwrap().describe(inAnswer.optionId),
        note,
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
