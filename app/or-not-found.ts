import { notFound } from "next/navigation";
import { AppError } from "@/lib/errors";

/** Returns the result, or undefined if `reading` fails with this status. */
export async function undefinedOn<T>(status: number, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.status === status) return undefined;
    throw error;
  }
}

/** Returns the result, or shows the not-found page. */
export const orNotFound = async <T>(reading: Promise<T>): Promise<T> => (await undefinedOn(404, reading)) ?? notFound();
