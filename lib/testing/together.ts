import { batchMode } from "@/lib/requests/batched-statement";

// Every request goes by the statement for several, also where it comes alone.
batchMode.are = "of several";
