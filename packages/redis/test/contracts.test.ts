import { CLIENTS } from "./support/clients.js";
import { contractCases } from "./support/contract-cases.js";

// Two libraries; the older version of one of them is for the full mode.
contractCases(CLIENTS.filter(([name]) => name !== "ioredis 5"));
