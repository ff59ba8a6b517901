import { notFound } from "next/navigation";
import { AppError } from "@/lib/errors";

/** What was read; undefined where that is refused with this status. */
export async function undefinedOn<T>(status: number, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.status === status) return undefined;
    throw error;
  }
}

/** What was read, or the page that says there is nothing here. */
export const orNotFound = async <T>(reading: Promise<T>): Promise<T> => (await undefinedOn(404, reading)) ?? notFound();
