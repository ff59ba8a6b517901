"use client";
import { choicesNow, useChoices } from "@/components/settings/preferences-provider";

/** Whether keys without a modifier work. True until the owner turns them off. */
export const useSingleKeys = (): boolean => useChoices().singleKeys;

export const singleKeysAct = (): boolean => choicesNow()?.singleKeys ?? true;
