import { batchMode } from "@/lib/requests/batched-statement";

// Sends every request through the batched statement, even a single one.
batchMode.are = "of several";
