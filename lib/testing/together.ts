import { batches } from "@/lib/access/together";

// Every request goes by the statement for several, also where it comes alone.
batches.are = "of several";
