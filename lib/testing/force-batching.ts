import { batchMode } from "@/lib/requests/batched-statement";

// Runs every request through the batched statement, even if the batch contains only one.
batchMode.are = "of several";
