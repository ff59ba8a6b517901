import { z } from "zod";
import { timeProblem } from "./problems";

/** A time in epoch milliseconds: beyond 32 bits, which typed languages have to be told. */
export const millis = () => z.int({ error: timeProblem }).meta({ format: "int64", description: "Epoch milliseconds." });
