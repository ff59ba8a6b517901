"use client";
import { choicesNow, useChoices } from "@/components/settings/preferences-provider";

/** Whether keys without a modifier act: true until the owner turns them off. */
export const useSingleKeys = (): boolean => useChoices().singleKeys;

export const singleKeysAct = (): boolean => choicesNow()?.singleKeys ?? true;
