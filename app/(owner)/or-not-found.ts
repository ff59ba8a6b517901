import { notFound } from "next/navigation";
import { AppError } from "@/lib/errors";

/** What was read, or the page that says there is nothing here. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) notFound();
    throw error;
  }
}
