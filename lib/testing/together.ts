import { batchMode } from "@/lib/access/batched-statement";

// Every request goes by the statement for several, also where it comes alone.
batchMode.are = "of several";
