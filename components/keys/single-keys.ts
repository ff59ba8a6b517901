"use client";
import { choicesNow, useChoices } from "@/components/settings/choices";

/** Whether keys without a modifier act: they do until the owner switches them off. */
export const useSingleKeys = (): boolean => useChoices().singleKeys;

export const singleKeysAct = (): boolean => choicesNow()?.singleKeys ?? true;
